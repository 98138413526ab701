package agentrisk

import "fmt"

// Level is how much harm the disclosure of a value does to the person or system
// it belongs to. The order of the constants is the order of severity. The zero
// value is LevelNone.
//
// Each level is anchored in the law or standard that treats such data alike;
// [TypeInfo.Basis] has the provision of each data type.
type Level uint8

const (
	// LevelNone is the level of nothing: no secret has it.
	LevelNone Level = iota

	// L1 is data that names a person or firm in public life: names, employers,
	// job titles. Personal data under GDPR Art. 4(1), without a special regime.
	L1

	// L2 is data that singles a person out or reaches them: email, phone, online
	// and customer identifiers, behaviour. Identifiers named in GDPR Art. 4(1)
	// and recital 30; CCPA, Cal. Civ. Code 1798.140(v).
	L2

	// L3 is data on a person's means, work and standing: salary, credit, address
	// and birth, discipline, convictions. GDPR Art. 4(4) (economic situation,
	// performance at work), Art. 10 and Art. 88; GLBA, 15 U.S.C. 6809(4).
	L3

	// L4 is data whose disclosure is prohibited or directly usable for harm:
	// special categories (GDPR Art. 9(1)), protected health information (HIPAA,
	// 45 CFR 160.103), national identification numbers (GDPR Art. 87), card
	// numbers (PCI DSS v4.0 Req. 3.5.1) and credentials (GDPR Art. 32(1)(b)).
	L4
)

var levelNames = [...]string{LevelNone: "none", L1: "L1", L2: "L2", L3: "L3", L4: "L4"}

// Levels lists L1 to L4, lowest first. The caller owns the slice.
func Levels() []Level { return []Level{L1, L2, L3, L4} }

// Valid reports whether l is one of L1 to L4.
func (l Level) Valid() bool { return L1 <= l && l <= L4 }

// String returns "L1" to "L4", "none" for LevelNone, and "Level(n)" for a value
// that is no level.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("Level(%d)", uint8(l))
}

// UnmarshalText accepts "L1" to "L4" and "1" to "4". Anything else, "none"
// included, is an error and leaves l as it was.
func (l *Level) UnmarshalText(text []byte) error {
	s := string(text)
	for _, v := range Levels() {
		if name := v.String(); s == name || s == name[1:] {
			*l = v
			return nil
		}
	}
	return fmt.Errorf("level %q: want L1 to L4", s)
}

// clamp returns the valid level nearest to l.
func (l Level) clamp() Level { return min(max(l, L1), L4) }
