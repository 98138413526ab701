package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
	"github.com/agentleak/otelcol-agentleak/internal/audit"
)

// onChannel says what keeps values off a disclosure channel. The test wants a row for each.
var onChannel = map[agentrisk.Channel]string{
	agentrisk.ChannelToolCall:          "Pass a reference, such as a record id or a token, and let the tool look the value up itself. Allow only the arguments that the tool's schema names.",
	agentrisk.ChannelSharedMemory:      "Write to memory what a later task needs, not what was said. Filter before the write, let entries expire, and keep the memory of each user apart.",
	agentrisk.ChannelInterAgentMessage: "Hand over the task and references, not the conversation. Give each agent the least it needs, and look values up again on the other side.",
	agentrisk.ChannelLog:               "Keep content out of logs, span attributes and error messages. Where it can't be kept out, put the agentleak processor before every exporter, with redaction on.",
	agentrisk.ChannelGeneratedFile:     "Build files from fields that were chosen one by one, and scan a file before it is stored or shared.",
	agentrisk.ChannelFinalOutput:       "Check the answer against who asks: mask or leave out what this user has no right to see, and what the question does not need.",
}

// onFamily says what to do about a family of data. The test wants a row for each.
var onFamily = map[agentrisk.Family]string{
	agentrisk.FamilyCustom:     "Decide with its owner who may see it, and whether an agent needs it at all.",
	agentrisk.FamilyCredential: "Treat it as compromised: revoke and replace it now. Let tools take credentials from a secret store, so that no prompt, argument or message holds one.",
	agentrisk.FamilyIDNumber:   "Replace it by a token before a model sees it, and let the tool that needs the number exchange the token. Show people the last four characters at most.",
	agentrisk.FamilyContact:    "Use the customer's id in prompts and arguments, and mask the address where a person must recognise it.",
	agentrisk.FamilyPerson:     "Use a pseudonym or an id where the task doesn't depend on who the person is.",
	agentrisk.FamilyHealth:     "Leave it in the system of record and pass a code or a reference. Each recipient needs a legal ground of its own, and an entry in the record of disclosures.",
	agentrisk.FamilyMoney:      "Pass a band or a yes or no answer in place of the figure.",
	agentrisk.FamilyEmployment: "Keep it inside the HR system, and answer with the outcome only.",
	agentrisk.FamilyBelief:     "Don't process it without explicit consent. Drop it at the source: hardly any task needs it.",
	agentrisk.FamilyNetwork:    "Truncate addresses and hash device ids before they are recorded.",
	agentrisk.FamilyLegal:      "Restrict it to those with official authority, and pass a reference to the file.",
	agentrisk.FamilyBehavior:   "Aggregate it, or coarsen place and time, before an agent gets it.",
	agentrisk.FamilyBusiness:   "Mark it confidential at the source, and keep it from agents that talk to outsiders.",
	agentrisk.FamilyBiometric:  "Leave it on the device or in the matching service, and pass the result of the match.",
	agentrisk.FamilyCanary:     "A planted value got out: find out who read the place where it was planted, and how.",
}

// An advice is a hint with what it is about.
type advice struct {
	Subject string   // a channel, or what data types have in common
	Level   string   // the highest that leaked
	Types   []string // data types
	Hint    string
	Basis   string // provisions, for data types
}

// remedies lists what to do about what leaked: by channel, and by family of data, each with the most severe first.
func remedies(found []audit.Finding) (channels, data []advice) {
	type group struct {
		level agentrisk.Level
		types map[agentrisk.DataType]bool
	}
	byChannel, byFamily := map[agentrisk.Channel]*group{}, map[agentrisk.Family]*group{}
	for i := range found {
		f := &found[i]
		if f.Replay || !f.Disclosed() {
			continue
		}
		if byChannel[f.Channel] == nil {
			byChannel[f.Channel] = &group{types: map[agentrisk.DataType]bool{}}
		}
		family := familyOf(f.Type)
		if byFamily[family] == nil {
			byFamily[family] = &group{types: map[agentrisk.DataType]bool{}}
		}
		for _, g := range []*group{byChannel[f.Channel], byFamily[family]} {
			g.level = max(g.level, f.Level)
			g.types[f.Type] = true
		}
	}
	for c, g := range byChannel {
		channels = append(channels, advice{Subject: c.String(), Level: g.level.String(), Types: typeNames(g.types), Hint: onChannel[c]})
	}
	for f, g := range byFamily {
		data = append(data, advice{
			Subject: strings.ReplaceAll(f.String(), "_", " "), Level: g.level.String(), Types: typeNames(g.types), Hint: onFamily[f], Basis: basis(g.types),
		})
	}
	severe := func(a, b advice) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.Subject, b.Subject))
	}
	slices.SortFunc(channels, severe)
	slices.SortFunc(data, severe)
	return channels, data
}

// familyOf is the family that the taxonomy has a data type in; custom for one of the operator's own.
func familyOf(t agentrisk.DataType) agentrisk.Family {
	info, _ := agentrisk.Lookup(t)
	return info.Family
}

func typeNames(types map[agentrisk.DataType]bool) []string {
	names := make([]string, 0, len(types))
	for t := range types {
		names = append(names, clean(string(t), maxName))
	}
	slices.Sort(names)
	return names
}

// basis joins the provisions that protect the data types, each once.
func basis(types map[agentrisk.DataType]bool) string {
	var all []string
	for t := range types {
		info, _ := agentrisk.Lookup(t)
		for part := range strings.SplitSeq(info.Basis, "; ") {
			if part != "" && !slices.Contains(all, part) {
				all = append(all, part)
			}
		}
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}
