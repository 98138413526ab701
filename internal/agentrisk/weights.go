package agentrisk

import (
	"errors"
	"fmt"
)

// ErrWeights is returned, wrapped, for weights that are not exactly four
// strictly positive integers.
var ErrWeights = errors.New("want exactly four strictly positive integer weights")

// Weights are the severity weights of L1 to L4, in this order. They need not
// increase. The zero value is invalid; see [DefaultWeights].
type Weights [4]int

// DefaultWeights weigh a level by its number.
var DefaultWeights = Weights{1, 2, 3, 4}

// ParseWeights turns a configured list into Weights. The error wraps
// [ErrWeights] when the list has other than four entries or one below 1.
func ParseWeights(list []int) (Weights, error) {
	var w Weights
	if len(list) != len(w) {
		return Weights{}, fmt.Errorf("%w: got %d of them", ErrWeights, len(list))
	}
	copy(w[:], list)
	if err := w.Validate(); err != nil {
		return Weights{}, err
	}
	return w, nil
}

// Validate returns an error wrapping [ErrWeights] unless every weight is above
// zero.
func (w Weights) Validate() error {
	for i, n := range w {
		if n < 1 {
			return fmt.Errorf("%w: the weight of L%d is %d", ErrWeights, i+1, n)
		}
	}
	return nil
}

// Of returns the weight of l, and 0 for a value that is not L1 to L4.
func (w Weights) Of(l Level) int {
	if !l.Valid() {
		return 0
	}
	return w[l-1]
}
