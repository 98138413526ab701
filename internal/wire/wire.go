// Package wire turns numbers, strings and lists into bytes and back, for state that outlives a process. It knows no
// type of ours: whoever writes a value states its order of fields, and a version where that may change.
//
// Reading never trusts: a [Reader] that meets a length beyond the input, or a number too large, fails for good, and what
// it returns from then on is zero. So a decoder reads on without looking, and asks once at the end.
package wire

import (
	"encoding/binary"
	"errors"
)

// ErrMalformed is the error of any input that no writer made.
var ErrMalformed = errors.New("malformed")

// Uint appends a number as a varint.
func Uint(dst []byte, x uint64) []byte { return binary.AppendUvarint(dst, x) }

// Fixed appends a number as eight bytes, for hashes, which varints make longer.
func Fixed(dst []byte, x uint64) []byte { return binary.LittleEndian.AppendUint64(dst, x) }

// Bool appends a truth.
func Bool(dst []byte, x bool) []byte {
	if x {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// Text appends a string with its length before it.
func Text(dst []byte, s string) []byte { return append(Uint(dst, uint64(len(s))), s...) }

// A Reader reads what the functions of this package wrote. The zero Reader is empty.
type Reader struct {
	rest []byte
	err  error
}

// NewReader reads from data, which it does not change or keep beyond its own life.
func NewReader(data []byte) *Reader { return &Reader{rest: data} }

// Err is ErrMalformed once something could not be read.
func (r *Reader) Err() error { return r.err }

// Done is Err, and an error too when bytes are left.
func (r *Reader) Done() error {
	if r.err == nil && len(r.rest) > 0 {
		r.fail()
	}
	return r.err
}

func (r *Reader) fail() {
	r.rest, r.err = nil, ErrMalformed
}

// Uint reads a varint.
func (r *Reader) Uint() uint64 {
	x, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[n:]
	return x
}

// Within reads a varint that is at most limit.
func (r *Reader) Within(limit uint64) uint64 {
	x := r.Uint()
	if x > limit {
		r.fail()
		return 0
	}
	return x
}

// Len reads a count of things that take at least size bytes each, so that no count makes a caller allocate more than a
// small multiple of the input.
func (r *Reader) Len(size int) int {
	n := r.Uint()
	if n > uint64(len(r.rest)/size) {
		r.fail()
		return 0
	}
	return int(n)
}

// Fixed reads eight bytes.
func (r *Reader) Fixed() uint64 {
	b := r.take(8)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

// Bool reads a truth.
func (r *Reader) Bool() bool { return r.Within(1) == 1 }

// Text reads a string, a copy of its own.
func (r *Reader) Text() string { return string(r.Bytes()) }

// Bytes reads a string as a part of the input.
func (r *Reader) Bytes() []byte { return r.take(r.Len(1)) }

// Rest is all that was not read yet.
func (r *Reader) Rest() []byte { return r.take(len(r.rest)) }

// Into fills dst.
func (r *Reader) Into(dst []byte) { copy(dst, r.take(len(dst))) }

func (r *Reader) take(n int) []byte {
	if n > len(r.rest) {
		r.fail()
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}
