package agentrisk

import (
	"errors"
	"testing"
)

func TestParseWeights(t *testing.T) {
	for _, in := range [][]int{{1, 2, 3, 4}, {4, 3, 2, 1}, {1, 1, 1, 1}, {1, 10, 100, 1000}} {
		w, err := ParseWeights(in)
		if err != nil || w != Weights(in) {
			t.Errorf("ParseWeights(%v) = %v, %v", in, w, err)
		}
	}
	for _, in := range [][]int{nil, {}, {7}, {1, 2, 3}, {1, 2, 3, 4, 5}, {0, 1, 2, 3}, {1, 2, 3, 0}, {1, -2, 3, 4}} {
		if w, err := ParseWeights(in); !errors.Is(err, ErrWeights) || w != (Weights{}) {
			t.Errorf("ParseWeights(%v) = %v, %v, want ErrWeights", in, w, err)
		}
	}
}

func TestWeightsOf(t *testing.T) {
	w := Weights{2, 3, 5, 7}
	for l, want := range map[Level]int{LevelNone: 0, L1: 2, L2: 3, L3: 5, L4: 7, 5: 0} {
		if got := w.Of(l); got != want {
			t.Errorf("Of(%v) = %d, want %d", l, got, want)
		}
	}
}
