// Package detect finds sensitive values in a text: personal data, credentials,
// health, money and employment data, and the redaction tokens that stand for them.
//
// # How a scan goes
//
// One pass over the bytes finds anchors: the start of a word that a rule begins
// with, a run of digits, '@', a separator after a key, "-----". Recognisers run
// only there. They are written by hand, look a bounded distance around the anchor,
// and leave candidates. A candidate has passed its check (check digit, issuer,
// format) and its context: the words before it, the key it stands under. At the
// end overlapping candidates are resolved and each survivor gets its identity, a
// keyed fingerprint of the canonical value, so that two notations of one card
// number are one secret.
//
//	scan.go, pass.go    one scan, and its walk over the text
//	anchor.go   which bytes and words begin something
//	form.go, number.go, street.go, date.go    layouts and numbers
//	field.go, extent.go, joint.go, clause.go, pair.go, key.go    names and the values they name
//	context.go, nearby.go, words.go           words near a value
//	url.go, ipv6.go, block.go                 structures of their own
//	value.go    placeholders, references, what looks machine-made
//	overlap.go, identity.go, token.go         who wins, which secret it is
//
// Rules are data, one literal each, in rules_<family>.go; checks are in
// check_<name>.go. To add a rule, add a literal and a specimen line in
// testdata/rules.
//
// The package knows nothing of spans, attributes or channels, and a match holds
// no part of the value.
//
// # Pieces
//
// A piece of a text may have to be read as a text of its own (piece.go): the cell of a
// CSV, markdown or SQL table, under the name of its column (table.go, insert.go), and
// what an encoded or disguised run stands for (encoded.go, fold.go, split.go). The
// same rules run on it, and what they find is mapped back to the bytes it stands in,
// with the identity of the plain value. Pieces nest at most twice, and each byte is
// decoded a bounded number of times.
//
// docs/detectors.md is generated from the rules and the taxonomy.
package detect

//go:generate go test -run TestDocs . -update
