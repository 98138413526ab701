package agentrisk

import (
	"errors"
	"math"
	"testing"
)

func TestWeightedSum(t *testing.T) {
	tests := []struct {
		p    Profile
		w    Weights
		want int
		err  error
	}{
		{Profile{}, DefaultWeights, 0, nil},
		{Profile{5, 3, 2, 1}, DefaultWeights, 21, nil},
		{Profile{1, 0, 0, 0}, Weights{maxSum, 1, 1, 1}, maxSum, nil},
		{Profile{1, 1, 0, 0}, Weights{maxSum, 1, 1, 1}, 0, ErrRange},
		{Profile{1, 0, 0, 0}, Weights{maxSum + 1, 1, 1, 1}, 0, ErrRange},
		// The product wraps to 0 in 64 bits.
		{Profile{1 << 32, 0, 0, 0}, Weights{1 << 32, 1, 1, 1}, 0, ErrRange},
		{Profile{math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt}, Weights{math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt}, 0, ErrRange},
	}
	for _, tt := range tests {
		got, err := tt.p.weighted(tt.w)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%v weighted by %v = %d, %v, want %d, %v", tt.p, tt.w, got, err, tt.want, tt.err)
		}
	}
}

func TestDominates(t *testing.T) {
	tests := []struct {
		a, b Profile
		want bool
	}{
		{Profile{0, 0, 0, 1}, Profile{}, true},
		{Profile{2, 2, 4, 3}, Profile{2, 2, 4, 3}, false},
		{Profile{2, 2, 4, 3}, Profile{2, 1, 4, 3}, true},
		{Profile{2, 1, 4, 3}, Profile{2, 2, 4, 3}, false},
		{Profile{0, 0, 0, 9}, Profile{1, 0, 0, 0}, false},
	}
	for _, tt := range tests {
		if got := Dominates(tt.a, tt.b); got != tt.want {
			t.Errorf("Dominates(%v, %v) = %v", tt.a, tt.b, got)
		}
	}
}
