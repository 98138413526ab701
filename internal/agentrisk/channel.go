package agentrisk

import (
	"fmt"
	"math/bits"
	"strings"
)

// Channel is the route a text takes in an agent system. The zero value is
// ChannelNone.
type Channel uint8

const (
	// ChannelNone marks text that is scanned and redacted but never scored.
	ChannelNone Channel = iota

	// ChannelUserInput and ChannelToolResponse are the sources: what enters the
	// system there is in reach of it and is not a leak.
	ChannelUserInput
	ChannelToolResponse

	// The disclosure channels, on which a secret leaks.
	ChannelToolCall
	ChannelSharedMemory
	ChannelInterAgentMessage
	ChannelLog
	ChannelGeneratedFile
	ChannelFinalOutput

	numChannels
)

// NumChannels is the number of Channel values, ChannelNone included, so that an
// array of this length is indexed by Channel.
const NumChannels = int(numChannels)

// channelNames are the names used in configuration, attributes and reports.
var channelNames = [NumChannels]string{
	ChannelNone:              "none",
	ChannelUserInput:         "user_input",
	ChannelToolResponse:      "tool_response",
	ChannelToolCall:          "tool_call",
	ChannelSharedMemory:      "shared_memory",
	ChannelInterAgentMessage: "inter_agent_message",
	ChannelLog:               "log",
	ChannelGeneratedFile:     "generated_file",
	ChannelFinalOutput:       "final_output",
}

const disclosureChannels = ChannelSet(1<<ChannelToolCall | 1<<ChannelSharedMemory |
	1<<ChannelInterAgentMessage | 1<<ChannelLog | 1<<ChannelGeneratedFile | 1<<ChannelFinalOutput)

// Channels lists the eight channels in the order of the constants, without
// ChannelNone. The caller owns the slice.
func Channels() []Channel {
	return []Channel{
		ChannelUserInput, ChannelToolResponse, ChannelToolCall, ChannelSharedMemory,
		ChannelInterAgentMessage, ChannelLog, ChannelGeneratedFile, ChannelFinalOutput,
	}
}

// Disclosure reports whether a secret that stands on c has leaked. It is false
// for ChannelNone, user input, tool responses and values that are no channel.
func (c Channel) Disclosure() bool { return disclosureChannels.Has(c) }

// String returns the name of c as configuration spells it, such as "tool_call",
// "none" for ChannelNone, and "Channel(n)" for a value that is no channel.
func (c Channel) String() string {
	if c < numChannels {
		return channelNames[c]
	}
	return fmt.Sprintf("Channel(%d)", uint8(c))
}

// UnmarshalText accepts the names of the eight channels, spelled exactly.
// Anything else, "none" included, is an error and leaves c as it was.
func (c *Channel) UnmarshalText(text []byte) error {
	for _, v := range Channels() {
		if string(text) == v.String() {
			*c = v
			return nil
		}
	}
	return fmt.Errorf("channel %q: want one of %s", text, strings.Join(channelNames[1:], ", "))
}

// ChannelSet is a set of channels. The zero value is empty. ChannelNone may be a
// member; no arithmetic counts it.
type ChannelSet uint16

// Add puts c into s. A value that is no channel is ignored.
func (s *ChannelSet) Add(c Channel) { *s = s.With(c) }

// With returns s and c.
func (s ChannelSet) With(c Channel) ChannelSet {
	if c >= numChannels {
		return s
	}
	return s | 1<<c
}

// Has reports whether c is in s.
func (s ChannelSet) Has(c Channel) bool { return c < numChannels && s&(1<<c) != 0 }

// Union returns the channels that are in s or in o.
func (s ChannelSet) Union(o ChannelSet) ChannelSet { return s | o }

// Disclosure returns the disclosure channels of s.
func (s ChannelSet) Disclosure() ChannelSet { return s & disclosureChannels }

// Channels lists the members of s in the order of the constants. The caller
// owns the slice.
func (s ChannelSet) Channels() []Channel {
	out := make([]Channel, 0, bits.OnesCount16(uint16(s)))
	for c := range numChannels {
		if s.Has(c) {
			out = append(out, c)
		}
	}
	return out
}
