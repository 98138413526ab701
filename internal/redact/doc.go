// Package redact replaces matches in a text.
//
// It knows texts and matches, not where they come from. What it writes is chosen so that redacting twice equals
// redacting once: a token is read back as the secret it stands for, and a text is scanned again after it was changed,
// in case the replacement brought a neighbour into a context that makes it a match.
package redact
