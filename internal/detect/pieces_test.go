package detect

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// What is found in a text is found, as the same secret, where the text stands encoded.
func TestEncoded(t *testing.T) {
	s := newTest(t)
	percent := func(v string) string {
		var b strings.Builder
		for i := range len(v) {
			fmt.Fprintf(&b, "%%%02X", v[i])
		}
		return b.String()
	}
	entities := func(v string) string {
		var b strings.Builder
		for i := range len(v) {
			fmt.Fprintf(&b, "&#%d;", v[i])
		}
		return b.String()
	}
	forms := map[string]func(string) string{
		"base64":    func(v string) string { return base64.StdEncoding.EncodeToString([]byte(v)) },
		"base64url": func(v string) string { return base64.RawURLEncoding.EncodeToString([]byte(v)) },
		"hex":       func(v string) string { return hex.EncodeToString([]byte(v)) },
		"percent":   percent,
		"entities":  entities,
		"twice":     func(v string) string { return base64.StdEncoding.EncodeToString([]byte(percent(v))) },
	}
	for _, x := range specimens(t) {
		if x.key != (Key{}) || len(x.want) != 1 || len(x.text) < 14 || strings.HasPrefix(x.at, "pieces") || strings.ContainsFunc(x.text, func(r rune) bool { return r >= 0x80 }) {
			continue
		}
		plain := s.Scan(nil, Key{}, x.text)
		for name, f := range forms {
			text := "blob " + f(x.text)
			got := s.Scan(nil, Key{}, text)
			if !slices.ContainsFunc(got, func(m Match) bool { return m.ID == plain[0].ID && m.Start >= 5 }) {
				t.Errorf("%s: %s: not found in %s", x.at, name, describe(text, got))
			}
		}
	}
}

// The filters in front of the anchors only save time: with each of them open, a scan
// finds the same.
func TestFiltersAreOnlyFilters(t *testing.T) {
	fast, slow := newTest(t), newTest(t)
	for i := range slow.starts.filter {
		slow.starts.filter[i] = ^uint64(0)
	}
	for i := range slow.keys.ends {
		slow.keys.ends[i] = ^uint64(0)
	}
	for i := range slow.keys.words {
		slow.keys.words[i] = ^uint64(0)
	}
	for i := range slow.ctx.filter {
		slow.ctx.filter[i] = ^uint64(0)
	}
	any := wordInfo{groups: allGroups}
	for _, info := range slow.words.list {
		any.entries = append(any.entries, info.entries...)
	}
	slow.words.list = []wordInfo{any}
	for k := range slow.words.infos {
		slow.words.infos[k] = 1
	}
	for i := range slow.words.bits {
		slow.words.bits[i] = ^uint64(0)
	}
	check := func(at string, key Key, text string) {
		t.Helper()
		if a, b := fast.Scan(nil, key, text), slow.Scan(nil, key, text); !slices.Equal(a, b) {
			t.Errorf("%s: %s, with open filters %s", at, describe(text, a), describe(text, b))
		}
	}
	var all strings.Builder
	for _, x := range specimens(t) {
		check(x.at, x.key, x.text)
		all.WriteString(x.text + "\n")
	}
	check("all", Key{}, all.String())
	check("chat", Key{}, typicalChat(64<<10))
}

// What a scan remembers of keys, names and short texts changes nothing.
func TestMemosAreOnlyMemos(t *testing.T) {
	s := newTest(t)
	used := new(scan)
	all := specimens(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		x := all[r.IntN(len(all))]
		text, key := x.text, x.key
		switch r.IntN(4) {
		case 0:
			text = text[:r.IntN(min(len(text), maxCleanText)+1)]
		case 1:
			key = all[r.IntN(len(all))].key
		case 2:
			key = Key{Name: []string{"role", "password", "name", "diagnosis", "amount", ""}[r.IntN(6)], Parent: []string{"", "patient", "db"}[r.IntN(3)]}
		}
		if a, b := s.scan(used, nil, key, text), s.scan(new(scan), nil, key, text); !slices.Equal(a, b) {
			t.Fatalf("%v: %s, without memos %s", key, describe(text, a), describe(text, b))
		}
	}
}

// A cell is found like a member of that name.
func TestCellsAreFields(t *testing.T) {
	s := newTest(t)
	for _, x := range [][2]string{{"ssn", "219-09-9999"}, {"password", "Gr33nH0use!"}, {"diagnosis", "asthma"}, {"date_of_birth", "1980-02-03"}, {"annual_income", "92,000"}, {"religion", "Hindu"}, {"passport_no", "C01X00T47"}} {
		want := s.Scan(nil, Key{}, `{"`+x[0]+`":"`+x[1]+`"}`)
		if len(want) != 1 {
			t.Fatalf("%s: %d matches in JSON", x[0], len(want))
		}
		quoted := x[1]
		if strings.Contains(quoted, ",") {
			quoted = `"` + quoted + `"`
		}
		for _, text := range []string{
			"id," + x[0] + "\n1," + quoted + "\n2,\n",
			"id;" + x[0] + "\r\n1;" + x[1] + "\r\n",
			"id\t" + x[0] + "\n1\t" + x[1] + "\n",
			"| id | " + x[0] + " |\n|---|---|\n| 1 | " + x[1] + " |\n",
			`{"output":"id;` + x[0] + `\n1;` + x[1] + `"}`,
			"INSERT INTO t (id, " + x[0] + ") VALUES (1, '" + x[1] + "');",
		} {
			got := s.Scan(nil, Key{}, text)
			if len(got) != 1 || got[0].ID != want[0].ID || text[got[0].Start:got[0].End] != x[1] {
				t.Errorf("%q: got %s", text, describe(text, got))
			}
		}
	}
}
