package audit

import (
	"fmt"
	"slices"
	"testing"

	"github.com/agentleak/otelcol-agentleak/internal/detect"
)

// TestMemo looks texts up that were scanned before, under keys that say different things of them: what is remembered is
// what a scan finds, and a key's find is no other key's.
func TestMemo(t *testing.T) {
	a := newAuditor(t, Options{})
	keys := []detect.Key{{}, {Name: "content"}, {Name: "password"}, {Name: "amount"}, {Name: "a.password"}, {Name: "value", Parent: "salary"}}
	var texts []string
	for i := range 50 {
		texts = append(texts,
			fmt.Sprintf("the order %d of last week was sent to the wrong address and comes back today", i),
			fmt.Sprintf("please charge 4111 1111 1111 1111 once more for the order %d of last week", i),
			fmt.Sprintf("correct-horse-battery-staple-number-%d-for-the-warehouse-door", i))
	}
	s := a.scan()
	defer s.done()
	for round := range 2 {
		for _, text := range texts {
			for _, key := range keys {
				got := slices.Clone(s.matches(key, text))
				if want := a.scanner.Scan(nil, key, text); !slices.Equal(got, want) {
					t.Fatalf("round %d, %v, %q: got %v, want %v", round, key, text, got, want)
				}
			}
		}
	}
	// All of it was remembered: no text is the length of a place's bound, and few are many.
	known := 0
	for _, text := range texts {
		if _, ok := a.memo.get(nil, a.memo.id(s.words(keys[0]), text)); ok {
			known++
		}
	}
	if known < len(texts)*9/10 {
		t.Errorf("%d of %d texts are remembered", known, len(texts))
	}
}
