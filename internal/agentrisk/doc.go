// Package agentrisk is the vocabulary of the project and its arithmetic: the
// channels a text travels on, the severity levels of data, the data types with
// their legal basis, and the Risk Index computed from what was seen where.
//
// # Terms
//
// A secret is one sensitive value, known only by its [SecretID], a keyed
// fingerprint. It has a [Level] from L1 to L4. It leaks when it stands on at
// least one disclosure channel; user input and tool responses are sources, where
// it may be. The vault is the set of secrets the run could reach: declared by
// the operator ([Vault]), or else all that was observed on any channel.
//
//	WSL   weighted severity of the leak: the sum of the weights of leaked secrets
//	rho_S secret density: the same sum over the vault
//	RI    Risk Index, WSL / rho_S, from 0 (nothing leaked) to 1 (all of it did)
//
// A secret counts once, however often and wherever it leaks. The privacy score
// is 100 * (1 - RI) to the nearest integer, and the [Verdict] is the band it
// falls in.
//
// # Walk-through
//
// Add each sighting to a [Tally], merge tallies in any order, and ask for the
// [Report]. [Rules] turn a report into a decision.
//
// The package does not know where texts come from or how secrets are found in
// them. It holds no value of one, does no input or output, and reads no clock.
package agentrisk
