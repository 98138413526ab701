package detect

import (
	"fmt"
	"strings"
	"testing"
)

// cleanChat is chat traffic as JSON text that holds nothing sensitive.
func cleanChat(size int) string {
	var b strings.Builder
	b.WriteString(`[{"role":"system","parts":[{"type":"text","content":"You are a helpful assistant for the support team."}]}`)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `,{"role":"user","parts":[{"type":"text","content":"Could you compare the two plans for me? I think the second one (version %d.%d) has better coverage, but it is more expensive and the trial ends soon.\nThanks in advance!"}]}`, i%7, i%13)
		fmt.Fprintf(&b, `,{"role":"assistant","parts":[{"type":"tool_call","id":"call_%08x","name":"search_docs","arguments":{"query":"plan comparison","limit":%d,"lang":"en"}}],"finish_reason":"tool_call"}`, i*2654435761%4294967291, 5+i%20)
		fmt.Fprintf(&b, `,{"role":"tool","parts":[{"type":"tool_call_response","response":{"items":[{"title":"Plans and pricing","score":0.%d,"updated":"2026-02-%02dT10:00:00Z"},{"title":"How to switch","score":0.71}],"total":%d}}]}`, 100+i%800, 1+i%28, i)
		b.WriteString(`,{"role":"assistant","parts":[{"type":"text","content":"The second plan includes everything from the first one, and adds priority support, longer history and single sign-on. If those matter to the team, it is the better choice; otherwise stay with the basic plan."}]}`)
	}
	b.WriteString("]")
	return b.String()
}

// typicalChat holds a few values in each 8 kB.
func typicalChat(size int) string {
	clean := cleanChat(8 << 10)
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(clean)
		fmt.Fprintf(&b, `{"role":"user","content":"My card is 4111 1111 1111 1111, mail me at user%d@example.org or call +1-202-555-0143."}`, i)
	}
	return b.String()
}

func benchScan(b *testing.B, text string) {
	s := newTest(b)
	var dst []Match
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		dst = s.Scan(dst[:0], Key{}, text)
	}
}

// Budget on one core: 80 MB/s now, 0.7 of a 256-entry table scan later; no allocation.
func BenchmarkScanClean(b *testing.B) { benchScan(b, cleanChat(8<<10)) }

func BenchmarkScanTypical(b *testing.B) { benchScan(b, typicalChat(64<<10)) }

func BenchmarkScanProse(b *testing.B) {
	benchScan(b, strings.Repeat("The quick brown fox jumps over the lazy dog while the committee considers its next move. ", 100))
}

func BenchmarkScanBase64(b *testing.B) {
	benchScan(b, strings.Repeat("iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4", 256))
}

func BenchmarkScanNumbers(b *testing.B) {
	benchScan(b, strings.Repeat("[0.8006, -0.7197, 3, 12, 1743973915, 0.0049, 88.1, 2026-02-11], ", 128))
}

// BenchmarkTableScan is the floor: one load from a 256-entry table for each byte.
func BenchmarkTableScan(b *testing.B) {
	text := cleanChat(8 << 10)
	b.SetBytes(int64(len(text)))
	n := 0
	for b.Loop() {
		for i := range len(text) {
			if classes[text[i]] == clAt {
				n++
			}
		}
	}
	_ = n
}

// BenchmarkFamilies is the cost of each group of rules on typical text: what a scan with it alone takes, beside one
// with none and one with all. `make bench-rules` runs it.
func BenchmarkFamilies(b *testing.B) {
	text := typicalChat(64 << 10)
	for _, x := range []struct {
		name string
		f    Families
	}{
		{"none", Families{}}, {"pii", Families{PII: true}}, {"secrets", Families{Secrets: true}}, {"healthcare", Families{Healthcare: true}},
		{"finance", Families{Finance: true}}, {"hr", Families{HR: true}}, {"names-of-fields", Families{PII: true, Keyname: true}}, {"all", AllFamilies()},
	} {
		b.Run(x.name, func(b *testing.B) {
			s, err := New(Options{Families: x.f, Key: []byte("bench")})
			if err != nil {
				b.Fatal(err)
			}
			var dst []Match
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				dst = s.Scan(dst[:0], Key{}, text)
			}
		})
	}
}
