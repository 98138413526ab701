package agentrisk

import (
	"slices"
	"strings"
	"testing"
)

func TestChannels(t *testing.T) {
	want := []struct {
		c          Channel
		name       string
		disclosure bool
	}{
		{ChannelUserInput, "user_input", false},
		{ChannelToolResponse, "tool_response", false},
		{ChannelToolCall, "tool_call", true},
		{ChannelSharedMemory, "shared_memory", true},
		{ChannelInterAgentMessage, "inter_agent_message", true},
		{ChannelLog, "log", true},
		{ChannelGeneratedFile, "generated_file", true},
		{ChannelFinalOutput, "final_output", true},
	}
	all := Channels()
	if len(all) != len(want) || len(all)+1 != NumChannels {
		t.Fatalf("%d channels, NumChannels %d, want %d and one more", len(all), NumChannels, len(want))
	}
	for i, w := range want {
		if all[i] != w.c || w.c.String() != w.name || w.c.Disclosure() != w.disclosure {
			t.Errorf("channel %d is %v, disclosure %v, want %s, %v", i, all[i], w.c.Disclosure(), w.name, w.disclosure)
		}
		var got Channel
		if err := got.UnmarshalText([]byte(w.name)); err != nil || got != w.c {
			t.Errorf("UnmarshalText(%q) = %v, %v", w.name, got, err)
		}
	}
	for _, c := range []Channel{ChannelNone, numChannels, 15, 16, 255} {
		if c.Disclosure() {
			t.Errorf("%v is a disclosure channel", c)
		}
	}
	if got := Channel(9).String(); got != "Channel(9)" {
		t.Errorf("String = %q", got)
	}
}

func TestChannelUnmarshalTextRefuses(t *testing.T) {
	for _, in := range []string{"", "none", "Log", "log ", "clipboard", "tool-call"} {
		got := ChannelLog
		err := got.UnmarshalText([]byte(in))
		if err == nil || got != ChannelLog || !strings.Contains(err.Error(), "inter_agent_message") {
			t.Errorf("UnmarshalText(%q) = %v, %v, want an error that lists the channels", in, got, err)
		}
	}
}

func TestChannelSet(t *testing.T) {
	var s ChannelSet
	for _, c := range []Channel{ChannelFinalOutput, ChannelUserInput, ChannelLog, ChannelLog, ChannelNone, 16, 200} {
		s.Add(c)
	}
	if got, want := s.Channels(), []Channel{ChannelNone, ChannelUserInput, ChannelLog, ChannelFinalOutput}; !slices.Equal(got, want) {
		t.Errorf("Channels = %v, want %v", got, want)
	}
	if got, want := s.Disclosure().Channels(), []Channel{ChannelLog, ChannelFinalOutput}; !slices.Equal(got, want) {
		t.Errorf("Disclosure = %v, want %v", got, want)
	}
	if s.Has(ChannelToolCall) || s.Has(16) || !s.Has(ChannelLog) {
		t.Errorf("Has is wrong for %v", s.Channels())
	}
	u := ChannelSet(0).With(ChannelToolCall).Union(s)
	if got := len(u.Channels()); got != 5 {
		t.Errorf("union has %d members, want 5", got)
	}
}
