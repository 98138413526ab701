package agentrisk

import (
	"strings"
	"testing"
)

func TestLevelUnmarshalText(t *testing.T) {
	for in, want := range map[string]Level{
		"L1": L1, "L2": L2, "L3": L3, "L4": L4,
		"1": L1, "2": L2, "3": L3, "4": L4,
	} {
		var got Level
		if err := got.UnmarshalText([]byte(in)); err != nil || got != want {
			t.Errorf("UnmarshalText(%q) = %v, %v, want %v", in, got, err, want)
		}
	}
	for _, in := range []string{"", "0", "5", "L0", "L5", "l4", "04", "none", "high", " L4"} {
		got := L2
		err := got.UnmarshalText([]byte(in))
		if err == nil || got != L2 {
			t.Errorf("UnmarshalText(%q) = %v, %v, want an error and no change", in, got, err)
		} else if !strings.Contains(err.Error(), "want L1 to L4") {
			t.Errorf("UnmarshalText(%q): error %q does not say what is allowed", in, err)
		}
	}
}

func TestLevelString(t *testing.T) {
	for l, want := range map[Level]string{LevelNone: "none", L1: "L1", L4: "L4", 5: "Level(5)"} {
		if got := l.String(); got != want {
			t.Errorf("String of %d = %q, want %q", uint8(l), got, want)
		}
	}
}
