package agentrisk

import (
	"errors"
	"math"
	"math/bits"
)

// ErrRange is returned, wrapped, when a weighted sum exceeds 2^53. Up to there
// the Risk Index as a double keeps its promises: 1 only when the whole vault
// leaks, and greater whenever more of it does.
var ErrRange = errors.New("weighted sum of secrets exceeds 2^53")

const maxSum = min(1<<53, math.MaxInt)

// Profile counts secrets by level; index 0 is L1.
type Profile [4]int

// Count returns the number of secrets in p.
func (p Profile) Count() int { return p[0] + p[1] + p[2] + p[3] }

// Of returns the count of l, and 0 for a value that is not L1 to L4.
func (p Profile) Of(l Level) int {
	if !l.Valid() {
		return 0
	}
	return p[l-1]
}

// weighted returns the sum of the weights of p, which holds no negative count
// or weight. The error is ErrRange.
func (p Profile) weighted(w Weights) (int, error) {
	var sum uint64
	for i, n := range p {
		hi, lo := bits.Mul64(uint64(n), uint64(w[i]))
		// Both operands of the sum are at most maxSum, so it cannot wrap.
		if hi != 0 || lo > maxSum || sum+lo > maxSum {
			return 0, ErrRange
		}
		sum += lo
	}
	return int(sum), nil
}

// Dominates reports whether a is worse than b whatever the weights: at least as
// many secrets on every level, and more on one. Then the Risk Index of a leak a
// is above that of a leak b from the same vault, for all positive weights.
func Dominates(a, b Profile) bool {
	for i := range a {
		if a[i] < b[i] {
			return false
		}
	}
	return a != b
}
