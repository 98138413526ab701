package leaf

import (
	"strconv"
	"strings"
)

// Kind says what a Node is.
type Kind uint8

// The kinds of values, those of JSON and OTLP together.
const (
	Null Kind = iota
	Bool
	Number
	String
	Bytes
	Object
	Array
)

// A Node is one value: an attribute's value, an element or member inside it, or a JSON value inside a string.
// Nodes and their strings are owned by the Doc and are void after its next Reset.
type Node struct {
	Kind Kind
	// JSON marks a String or Bytes node whose Text is itself JSON: its value is the one kid in First, and
	// Text is read through that kid, never as a text of its own.
	JSON bool
	// Withheld says why the value could not be read to its end (TooDeep, TooLarge); such a node has no kids, and a
	// rewrite replaces it as a whole.
	Withheld Reason
	// Name is the decoded member name where the parent is an Object. Names are texts too.
	Name string
	// Text is the decoded text of a String, Bytes, Number or Bool. Numbers are written without exponent,
	// unless it is beyond 40: then as spelled.
	Text   string
	Parent *Node
	First  *Node
	Next   *Node
	// Index is the position among the parent's kids.
	Index int32
	// Ord numbers the nodes of a Doc in walking order, the same for the same telemetry each time.
	Ord int32
	// Tag belongs to the caller (mapping keeps the unit there). Zero after parsing.
	Tag int32

	rawStart, rawEnd   int32 // of the value in the JSON text it was parsed from
	nameStart, nameEnd int32 // of the member name, quotes included
}

// Reason says why a value was withheld from reading.
type Reason uint8

// The reasons a value is withheld.
const (
	NotWithheld Reason = iota
	TooDeep            // more containers or more JSON inside JSON than the limits
	TooLarge           // longer than the limit of one value
)

// IsText reports whether the node's Text is to be read as a text: a leaf that is not JSON inside.
func (n *Node) IsText() bool {
	return (n.Kind == String || n.Kind == Bytes || n.Kind == Number) && !n.JSON && n.Withheld == NotWithheld
}

// Value returns the node itself, or the value of the JSON it holds, through any number of layers.
func (n *Node) Value() *Node {
	for n != nil && n.JSON {
		n = n.First
	}
	return n
}

// Member returns the value of the named member of an object, nil if there is none. It looks through JSON text.
func (n *Node) Member(name string) *Node {
	v := n.Value()
	if v == nil || v.Kind != Object {
		return nil
	}
	for k := v.First; k != nil; k = k.Next {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// Path writes where the node stands inside its field, in the form "a.b[0].c" with "|json|" where a string is
// JSON again. The field's own JSON text needs no mark: the path of its root is empty.
func (n *Node) Path() string {
	var steps []string
	for at := n; at.Parent != nil; at = at.Parent {
		p := at.Parent
		switch {
		case p.Kind == Object:
			steps = append(steps, "."+at.Name)
		case p.Kind == Array:
			steps = append(steps, "["+strconv.Itoa(int(at.Index))+"]")
		case p.JSON && p.Parent != nil:
			steps = append(steps, "|json|")
		}
	}
	var b strings.Builder
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		if strings.HasPrefix(s, ".") && (b.Len() == 0 || strings.HasSuffix(b.String(), "|json|")) {
			s = s[1:]
		}
		b.WriteString(s)
	}
	return b.String()
}

// Part says which piece of the telemetry a Field is.
type Part uint8

// The parts of spans, log records, resources and scopes that hold text.
const (
	PartSpanName Part = iota
	PartSpanAttr
	PartTraceState
	PartStatus
	PartEventName
	PartEventAttr
	PartLinkAttr
	PartLinkTraceState
	PartResourceAttr
	PartResourceSchema
	PartScopeName
	PartScopeVersion
	PartScopeAttr
	PartScopeSchema
	PartLogBody
	PartLogAttr
	PartLogSeverity
	PartLogEventName
	PartResourceEntity // an entity reference of a resource: type, schema URL, key names
)

// A Field is one named piece of telemetry with its value as a tree.
type Field struct {
	Part Part
	// Index is the position of the event, link or log record.
	Index int
	// Event is the name of the event an event attribute stands on.
	Event string
	// Key is the attribute key, empty for parts that are no attributes.
	Key  string
	Root *Node
}

// Where names the field in the notation of findings: an attribute key, "name", "status.message",
// "events[0]:exception/exception.message", "links[0]/key", "resource/key", "scope/key", "logs[3]:body",
// "logs[3]:attributes/key".
func (f *Field) Where() string {
	i := strconv.Itoa(f.Index)
	switch f.Part {
	case PartSpanName:
		return "name"
	case PartTraceState:
		return "trace_state"
	case PartStatus:
		return "status.message"
	case PartEventName:
		return "events[" + i + "]:name"
	case PartEventAttr:
		return "events[" + i + "]:" + f.Event + "/" + f.Key
	case PartLinkAttr:
		return "links[" + i + "]/" + f.Key
	case PartLinkTraceState:
		return "links[" + i + "]:trace_state"
	case PartResourceAttr:
		return "resource/" + f.Key
	case PartResourceSchema:
		return "resource:schema_url"
	case PartResourceEntity:
		return "resource:entities[" + i + "]"
	case PartScopeName:
		return "scope:name"
	case PartScopeVersion:
		return "scope:version"
	case PartScopeAttr:
		return "scope/" + f.Key
	case PartScopeSchema:
		return "scope:schema_url"
	case PartLogBody:
		return "logs[" + i + "]:body"
	case PartLogAttr:
		return "logs[" + i + "]:attributes/" + f.Key
	case PartLogSeverity:
		return "logs[" + i + "]:severity_text"
	case PartLogEventName:
		return "logs[" + i + "]:event_name"
	}
	return f.Key
}
