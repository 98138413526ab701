package audit

import (
	"os"
	"strings"
	"testing"
)

// Every key of a policy stands in docs/policy.md.
func TestPolicyIsDocumented(t *testing.T) {
	data, err := os.ReadFile("../../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	for path := range limits {
		key := strings.TrimSuffix(strings.TrimSuffix(path, "[]"), ".*")
		if key = key[strings.LastIndexByte(key, '.')+1:]; !strings.Contains(string(data), key) {
			t.Errorf("docs/policy.md does not name %s", path)
		}
	}
}
