package agentleakprocessor

import "testing"

func TestTellable(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{"[2].parts[0].response", "[2].parts[0].response"},
		{"[2].parts[0].response.ssn", "[2].parts[0].response.*"},
		{"messages[0].content|json|arguments.to", "messages[0].content.arguments.*"},
		{"4111111111111111", "*"},
		{"casey@example.com.text", "*.*.text"},
		{"rows[10000]", "*[*]"},
		{"a[4111][1111]b", "*[*]"},
		{"text[0]x[1]", "text[*]"},
		{"[0", "[*]"},
		{"Parts[1]", "*[1]"},
	} {
		if got := tellable(test.in); got != test.want {
			t.Errorf("%q: got %q, want %q", test.in, got, test.want)
		}
	}
}
