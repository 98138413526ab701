package audit

import (
	"fmt"
	"runtime"
	"testing"
)

// BenchmarkNewSet is a start with 100 policies beside the default. It reports what one of them takes in memory. Budget: 2 MiB
// and 30 ms each.
func BenchmarkNewSet(b *testing.B) {
	f := DefaultFile()
	for i := range 100 {
		f.Policies = append(f.Policies, NamedPolicy{Name: fmt.Sprint("p", i), Match: map[string]Values{"tenant": {Value(fmt.Sprint(i))}}})
	}
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		s, err := NewSet(f, Options{})
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(s.Len())/1024, "KiB/policy")
		runtime.KeepAlive(s)
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/101, "ms/policy")
}
