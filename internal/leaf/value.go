package leaf

import (
	"math"
	"strconv"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// value reads an OTLP value into a null node. Depth counts the OTLP containers around it.
func (d *Doc) value(n *Node, v pcommon.Value, depth int) {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		d.str(n, String, v.Str())
	case pcommon.ValueTypeBytes:
		d.byteSlice(n, v.Bytes())
	case pcommon.ValueTypeInt:
		n.Kind = Number
		n.Text = d.text.keep(strconv.AppendInt(d.text.room(20), v.Int(), 10))
	case pcommon.ValueTypeDouble:
		n.Kind = Number
		n.Text = d.text.keep(AppendDouble(d.text.room(80), v.Double()))
	case pcommon.ValueTypeBool:
		n.Kind = Bool
		n.Text = strconv.FormatBool(v.Bool())
	case pcommon.ValueTypeMap:
		n.Kind = Object
		if depth == d.limits.Containers {
			d.withhold(n, TooDeep)
			return
		}
		var last *Node
		for k, kv := range v.Map().All() {
			last = d.kid(n, last)
			last.Name = k
			d.value(last, kv, depth+1)
		}
	case pcommon.ValueTypeSlice:
		n.Kind = Array
		if depth == d.limits.Containers {
			d.withhold(n, TooDeep)
			return
		}
		var last *Node
		s := v.Slice()
		for i := range s.Len() {
			last = d.kid(n, last)
			d.value(last, s.At(i), depth+1)
		}
	case pcommon.ValueTypeEmpty:
	}
}

// str makes n a String or Bytes node over s, and reads s as JSON if it is.
func (d *Doc) str(n *Node, kind Kind, s string) {
	n.Kind = kind
	if len(s) > d.left {
		d.withhold(n, TooLarge)
		return
	}
	d.left -= len(s)
	n.Text = s
	d.nested(n, 1)
}

// byteSlice copies the bytes because pdata lends no view of them. AsRaw would allocate.
func (d *Doc) byteSlice(n *Node, b pcommon.ByteSlice) {
	size := b.Len()
	if size > d.left {
		n.Kind = Bytes
		d.withhold(n, TooLarge)
		return
	}
	dst := d.text.room(size)
	for i := range size {
		dst = append(dst, b.At(i))
	}
	d.str(n, Bytes, d.text.keep(dst))
}

func (d *Doc) withhold(n *Node, why Reason) {
	n.Withheld, n.Text, n.First = why, "", nil
	d.withheld++
}

// kid appends a null node to the kids of a parent whose last kid so far is known.
func (d *Doc) kid(parent, last *Node) *Node {
	k := d.nodes.next()
	k.Parent = parent
	if last == nil {
		parent.First = k
	} else {
		last.Next = k
		k.Index = last.Index + 1
	}
	return k
}

// AppendDouble appends the text of a double: as people write numbers, unless that takes too many digits.
func AppendDouble(dst []byte, f float64) []byte {
	abs := math.Abs(f)
	if abs == 0 || abs >= 1e-40 && abs < 1e41 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}
