package agentrisk

import "encoding/hex"

// SecretID names one secret: a [Family] and a keyed fingerprint of the canonical
// value. It says nothing about the value to who lacks the key. One value found
// under two types of a family has one ID.
//
// The layout is part of the contract, since redaction tokens carry the
// fingerprint: bytes 0 to 5 are the fingerprint, byte 6 the family, the rest zero.
type SecretID [16]byte

// NewSecretID returns the ID of the secret with fingerprint fp in f.
func NewSecretID(f Family, fp [6]byte) SecretID {
	var id SecretID
	copy(id[:], fp[:])
	id[6] = byte(f)
	return id
}

// Fingerprint returns the 12 lower-case hex digits that stand for the secret in
// tokens and reports.
func (id SecretID) Fingerprint() string { return hex.EncodeToString(id[:6]) }

// Family returns the family the ID was made for.
func (id SecretID) Family() Family { return Family(id[6]) }
