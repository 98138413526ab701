package wire

import (
	"errors"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	var b []byte
	b = Uint(b, 1<<63)
	b = Fixed(b, 42)
	b = Bool(b, true)
	b = Text(b, "text")
	b = append(b, 1, 2)
	r := NewReader(b)
	var two [2]byte
	if x := r.Uint(); x != 1<<63 {
		t.Errorf("Uint: %d", x)
	}
	if x := r.Fixed(); x != 42 {
		t.Errorf("Fixed: %d", x)
	}
	if !r.Bool() {
		t.Error("Bool: false")
	}
	if x := r.Text(); x != "text" {
		t.Errorf("Text: %q", x)
	}
	if r.Into(two[:]); two != [2]byte{1, 2} {
		t.Errorf("Into: %v", two)
	}
	if err := r.Done(); err != nil {
		t.Error(err)
	}
}

func TestMalformed(t *testing.T) {
	for _, test := range []struct {
		name string
		in   []byte
		read func(*Reader)
	}{
		{"no bytes", nil, func(r *Reader) { r.Uint() }},
		{"unending varint", []byte{0x80, 0x80}, func(r *Reader) { r.Uint() }},
		{"text beyond the end", []byte{200, 1, 'x'}, func(r *Reader) { r.Text() }},
		{"huge count", Uint(nil, 1<<62), func(r *Reader) { r.Len(1) }},
		{"count of things that do not fit", append(Uint(nil, 2), make([]byte, 15)...), func(r *Reader) { r.Len(8) }},
		{"beyond the limit", []byte{9}, func(r *Reader) { r.Within(8) }},
		{"no truth", []byte{2}, func(r *Reader) { r.Bool() }},
		{"short", []byte{1, 2, 3}, func(r *Reader) { r.Fixed() }},
		{"bytes left", []byte{1, 2}, func(r *Reader) { r.Uint() }},
	} {
		r := NewReader(test.in)
		if test.read(r); !errors.Is(r.Done(), ErrMalformed) {
			t.Errorf("%s: %v", test.name, r.Done())
		}
		if r.Uint() != 0 || r.Text() != "" || r.Fixed() != 0 {
			t.Errorf("%s: something is read after a failure", test.name)
		}
	}
}
