package agentrisk

import (
	"slices"
	"strings"
)

// DataType names a kind of sensitive value, in lower snake case, such as "iban".
// The set is open: operators add their own.
type DataType string

// TypeInfo is what the taxonomy knows of a data type.
type TypeInfo struct {
	Type   DataType
	Level  Level
	Family Family
	Basis  string // provisions that protect such data
}

// Lookup returns the entry of t, and false for a type the taxonomy lacks.
func Lookup(t DataType) (TypeInfo, bool) {
	i, ok := slices.BinarySearchFunc(taxonomy, t, func(e TypeInfo, t DataType) int {
		return strings.Compare(string(e.Type), string(t))
	})
	if !ok {
		return TypeInfo{}, false
	}
	return taxonomy[i], true
}

// Types returns the whole taxonomy sorted by type. The caller owns the slice.
func Types() []TypeInfo { return slices.Clone(taxonomy) }

// Overrides are the operator's levels, which come before the taxonomy's.
type Overrides map[DataType]Level

// LevelOf returns the level of t: the override, else the taxonomy's, else
// fallback as it is. An override outside L1 to L4 counts as the nearest level.
func LevelOf(t DataType, o Overrides, fallback Level) Level {
	if l, ok := o[t]; ok {
		return l.clamp()
	}
	if e, ok := Lookup(t); ok {
		return e.Level
	}
	return fallback
}
