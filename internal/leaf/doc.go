// Package leaf reads every text of a span, a log record, a resource or a scope, and writes edits back into exactly
// the places they were read from.
//
// A Field is one named piece of telemetry: an attribute, an event's name, a log body. Its value is a tree of
// Nodes, whatever carried the structure: OTLP arrays and maps, or JSON written into a string. Where a string
// inside that JSON is JSON again, the tree goes on inside it; each such JSON text is a layer. The texts are the
// leaves of the tree (strings, bytes, numbers), the names of object members, and the attribute keys.
//
// A string or bytes value is JSON when, after white space, it starts with {, [ or " and as a whole is one valid
// JSON value by the grammar of RFC 8259. Anything else is one plain text, a truncated JSON document included.
//
// Reading and rewriting are one walk (see walk.go), so what was read is what is rewritten. Edits are byte ranges of
// a decoded text; they are mapped to the JSON as it was spelled, layer by layer, and all other bytes stay.
//
// What could not be read within the Limits is withheld: it is no text, it is counted, and every rewrite replaces it.
//
// The package does not know what a text means or whether it is sensitive.
package leaf
