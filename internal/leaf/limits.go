package leaf

// Limits bound the work and the memory that one Doc spends. Zero fields mean the defaults. What lies beyond a limit
// is withheld (see Node.Withheld).
type Limits struct {
	// Containers is how many objects and arrays may be nested in one JSON text, and how many OTLP arrays and maps
	// in one value. Default 512, at most 10000.
	Containers int
	// JSONInJSON is how many JSON texts may be nested in each other, the outermost counted. Default 16, at most 64.
	JSONInJSON int
	// ValueBytes is the length of the strings and bytes of one field's value together. A Doc decodes at most four
	// times as many bytes of escaped strings, so that nested layers cannot multiply memory. Default 32 MiB, at most
	// 512 MiB.
	ValueBytes int
	// Nodes is how many values one Doc holds. JSON that would exceed it is withheld as too large; OTLP arrays and
	// maps, which are in memory already, are not held back by it. A node takes about 112 bytes. Default 1048576.
	Nodes int
}

const (
	maxContainers = 10000     // as encoding/json, which also bounds the recursion over a tree
	maxLayers     = 64        // one stack frame of the parser each
	maxValueBytes = 512 << 20 // decoding grows a text threefold at most, and offsets are int32
	decodeFactor  = 4
)

func (l Limits) withDefaults() Limits {
	l.Containers = within(l.Containers, 512, maxContainers)
	l.JSONInJSON = within(l.JSONInJSON, 16, maxLayers)
	l.ValueBytes = within(l.ValueBytes, 32<<20, maxValueBytes)
	l.Nodes = within(l.Nodes, 1<<20, 1<<30)
	return l
}

func within(v, zero, most int) int {
	if v <= 0 {
		return zero
	}
	return min(v, most)
}
