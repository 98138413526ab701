// Package seal makes records that are kept at rest unreadable and unchangeable without a key, with AES-256-GCM.
//
// # Form of a record
//
//	version  1 byte    1: sealed, 2: in clear
//	salt     16 bytes  of the run that wrote it
//	counter  8 bytes   of the record in its run
//	text               encrypted, and its tag of 16 bytes
//
// Each run derives a key of its own from the configured one by HKDF-SHA256 (RFC 5869) with its random salt, and numbers
// its records. So no pair of key and nonce comes twice, however many records are written, which random nonces of 96 bits
// do not promise beyond 2^32 records (NIST SP 800-38D, 8.3). The version, the salt, the counter and the name under which
// a record is kept are authenticated, so a record cannot be moved to another name. What is not prevented: to put back an
// older record of the same name.
//
// A record in clear has a checksum (CRC-32C) in place of salt, counter and tag, so that damage is seen there too.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"sync"
)

const (
	versionSealed = 1
	versionClear  = 2

	saltSize    = 16
	counterSize = 8
	headSize    = 1 + saltSize + counterSize
	clearSize   = 1 + 4

	// info tells the keys of this purpose and form from any others that are derived from the same secret.
	info = "agentleak storage record v1"
)

// MinKey is the shortest key that New takes, in bytes.
const MinKey = 16

// Why a record cannot be opened. Neither error says anything of its content.
var (
	// ErrUnreadable: damaged, moved, or written with another key.
	ErrUnreadable = errors.New("record is damaged or of another key")
	// ErrForm: sealed where clear text is wanted or the other way round, or of a version that is not known.
	ErrForm = errors.New("record is of another form")
)

// A Box seals and opens. It is safe for concurrent use.
type Box struct {
	key  []byte // nil: in clear
	salt [saltSize]byte
	own  cipher.AEAD

	mu      sync.Mutex
	counter uint64
	runs    map[[saltSize]byte]cipher.AEAD // of those whose records were opened
}

// New returns a Box for one run of a process. The key is a secret of MinKey bytes or more; as random as it is, so safe
// are the records.
func New(key []byte) (*Box, error) {
	if len(key) < MinKey {
		return nil, errors.New("key is too short")
	}
	b := &Box{key: key, runs: map[[saltSize]byte]cipher.AEAD{}}
	rand.Read(b.salt[:]) // never fails
	own, err := b.derive(b.salt)
	b.own = own
	return b, err
}

// Clear returns a Box that does not encrypt. It opens nothing that is sealed, and a Box with a key nothing in clear.
func Clear() *Box { return &Box{} }

func (b *Box) derive(salt [saltSize]byte) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, b.key, salt[:], info, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// Seal returns the record of text under a name, in memory of its own.
func (b *Box) Seal(name string, text []byte) []byte {
	if b.key == nil {
		record := make([]byte, clearSize, clearSize+len(text))
		record[0] = versionClear
		binary.LittleEndian.PutUint32(record[1:], checksum(name, text))
		return append(record, text...)
	}
	b.mu.Lock()
	b.counter++
	n := b.counter
	b.mu.Unlock()
	record := make([]byte, headSize, headSize+len(text)+b.own.Overhead())
	record[0] = versionSealed
	copy(record[1:], b.salt[:])
	binary.BigEndian.PutUint64(record[1+saltSize:], n)
	return b.own.Seal(record, nonce(record), text, aad(record, name))
}

// Open returns the text of a record that was sealed under the same name, in memory of its own.
func (b *Box) Open(name string, record []byte) ([]byte, error) {
	switch {
	case len(record) == 0:
		return nil, ErrUnreadable
	case b.key == nil:
		return openClear(name, record)
	case record[0] != versionSealed:
		return nil, ErrForm
	case len(record) < headSize:
		return nil, ErrUnreadable
	}
	aead, err := b.run([saltSize]byte(record[1:]))
	if err != nil {
		return nil, err
	}
	text, err := aead.Open(nil, nonce(record), record[headSize:], aad(record, name))
	if err != nil {
		return nil, ErrUnreadable
	}
	return text, nil
}

// maxRuns bounds the derived keys that are kept: those of so many restarts.
const maxRuns = 1024

// run is the cipher of the run with a salt.
func (b *Box) run(salt [saltSize]byte) (cipher.AEAD, error) {
	if salt == b.salt {
		return b.own, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if aead := b.runs[salt]; aead != nil {
		return aead, nil
	}
	aead, err := b.derive(salt)
	if err == nil && len(b.runs) < maxRuns {
		b.runs[salt] = aead
	}
	return aead, err
}

func openClear(name string, record []byte) ([]byte, error) {
	if record[0] != versionClear {
		return nil, ErrForm
	}
	if len(record) < clearSize {
		return nil, ErrUnreadable
	}
	text := append([]byte(nil), record[clearSize:]...)
	if binary.LittleEndian.Uint32(record[1:]) != checksum(name, text) {
		return nil, ErrUnreadable
	}
	return text, nil
}

// nonce is four bytes of zero and the counter.
func nonce(record []byte) []byte {
	var n [12]byte
	copy(n[4:], record[1+saltSize:headSize])
	return n[:]
}

func aad(record []byte, name string) []byte {
	return append(append(make([]byte, 0, headSize+len(name)), record[:headSize]...), name...)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(name string, text []byte) uint32 {
	return crc32.Update(crc32.Checksum([]byte(name), castagnoli), castagnoli, text)
}
