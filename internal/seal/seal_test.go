package seal

import (
	"bytes"
	"errors"
	"testing"
)

var key = []byte("a key of tests, of no value 0123")

func box(t testing.TB, key []byte) *Box {
	t.Helper()
	b, err := New(key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOpen(t *testing.T) {
	text := []byte("card 4111111111111111")
	for _, test := range []struct {
		name      string
		from, to  *Box
		under, as string
		want      error
	}{
		{"same run", nil, nil, "a", "a", nil},
		{"another run", box(t, key), box(t, key), "a", "a", nil},
		{"another key", box(t, key), box(t, []byte("another key of tests 0123")), "a", "a", ErrUnreadable},
		{"moved", box(t, key), box(t, key), "a", "b", ErrUnreadable},
		{"clear", Clear(), Clear(), "a", "a", nil},
		{"clear, moved", Clear(), Clear(), "a", "b", ErrUnreadable},
		{"clear where sealed is wanted", Clear(), box(t, key), "a", "a", ErrForm},
		{"sealed where clear is wanted", box(t, key), Clear(), "a", "a", ErrForm},
	} {
		if test.from == nil {
			test.from = box(t, key)
			test.to = test.from
		}
		got, err := test.to.Open(test.as, test.from.Seal(test.under, text))
		if !errors.Is(err, test.want) || err == nil && !bytes.Equal(got, text) {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
	}
}

// TestDamage changes each bit and cuts at each length.
func TestDamage(t *testing.T) {
	for name, b := range map[string]*Box{"sealed": box(t, key), "clear": Clear()} {
		record := b.Seal("a", []byte("card 4111111111111111"))
		for i := range record {
			for bit := range 8 {
				bad := bytes.Clone(record)
				bad[i] ^= 1 << bit
				if _, err := b.Open("a", bad); err == nil {
					t.Errorf("%s: bit %d of byte %d is changed and nobody minds", name, bit, i)
				}
			}
			if _, err := b.Open("a", record[:i]); err == nil {
				t.Errorf("%s: cut to %d bytes and nobody minds", name, i)
			}
		}
	}
}

// TestNonces wants no two records of a key and nonce, and no content in any.
func TestNonces(t *testing.T) {
	seen := map[string]bool{}
	for range 3 {
		b := box(t, key)
		for range 1000 {
			r := b.Seal("a", []byte("4111111111111111"))
			if bytes.Contains(r, []byte("4111")) {
				t.Fatal("content in a sealed record")
			}
			if head := string(r[:headSize]); seen[head] {
				t.Fatal("a nonce came twice")
			} else {
				seen[head] = true
			}
		}
	}
}

func TestShortKey(t *testing.T) {
	if _, err := New(make([]byte, MinKey-1)); err == nil {
		t.Error("a short key is taken")
	}
}

func FuzzOpen(f *testing.F) {
	b := box(f, key)
	f.Add(b.Seal("a", []byte("x")))
	f.Add([]byte{versionSealed})
	f.Add([]byte{versionClear, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, record []byte) {
		if text, err := b.Open("b", record); err == nil {
			t.Errorf("a record that nobody sealed opens: %q", text)
		}
		if text, err := Clear().Open("b", record); err == nil && !bytes.Equal(Clear().Seal("b", text), record) {
			t.Errorf("a record in clear has two forms: %q", record)
		}
	})
}

func BenchmarkSeal(bm *testing.B) {
	b, text := box(bm, key), make([]byte, 16<<10)
	bm.SetBytes(int64(len(text)))
	for bm.Loop() {
		b.Seal("a", text)
	}
}
