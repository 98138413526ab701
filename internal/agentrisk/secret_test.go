package agentrisk

import "testing"

func TestSecretIDLayout(t *testing.T) {
	fp := [6]byte{0x9c, 0x1f, 0x0a, 0x77, 0xb2, 0xd4}
	id := NewSecretID(FamilyIDNumber, fp)
	if want := (SecretID{0x9c, 0x1f, 0x0a, 0x77, 0xb2, 0xd4, byte(FamilyIDNumber)}); id != want {
		t.Errorf("id = %x, want %x", id, want)
	}
	if got := id.Fingerprint(); got != "9c1f0a77b2d4" {
		t.Errorf("Fingerprint = %q", got)
	}
	if id.Family() != FamilyIDNumber {
		t.Errorf("Family = %v", id.Family())
	}
	if id == NewSecretID(FamilyHealth, fp) {
		t.Error("one fingerprint in two families is one secret")
	}
}
