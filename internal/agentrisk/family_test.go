package agentrisk

import "testing"

func TestFamilyNames(t *testing.T) {
	seen := map[string]Family{}
	for f := range numFamilies {
		name := f.String()
		if prev, dup := seen[name]; dup || name == "" {
			t.Errorf("family %d is called %q, as is %d", f, name, prev)
		}
		seen[name] = f
	}
	if got := Family(200).String(); got != "Family(200)" {
		t.Errorf("String = %q", got)
	}
}
