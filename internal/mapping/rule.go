package mapping

// A Rule names what decided a channel, as docs/dialects.md numbers the rules.
type Rule string

// The rules that decide.
const (
	RuleCopy       Rule = "R1"      // a raw copy of what other attributes of the span hold
	RuleInput      Rule = "R2"      // an input never discloses
	RuleOtherAgent Rule = "R3"      // but for another agent's words
	RulePart       Rule = "R4"      // the part's type beats the role
	RuleOutput     Rule = "R5"      // what an output holds besides its text
	RuleAnswer     Rule = "R6"      // the final answer, or a message on the way to it
	RuleTool       Rule = "R7"      // a tool's arguments and result
	RuleHandOff    Rule = "R8"      // an agent called as a tool
	RulePlumbing   Rule = "R9"      // a framework's step repeats its children
	RuleRetrieval  Rule = "R10"     // documents and queries
	RuleLog        Rule = "R11"     // what is nobody's message: log
	RuleDefault    Rule = "R14"     // the slot's default
	RuleNone       Rule = "R15"     // schemas, parameters, identity
	RuleMemory     Rule = "memory"  // the memory table
	RuleRow        Rule = "channel" // the row names the channel itself
)
