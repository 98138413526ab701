package mapping

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentleak/otelcol-agentleak/internal/wire"
)

// filled is a T in which no field is zero, so that a field that the codec forgets is seen.
func filled[T any](t *testing.T) (x T) {
	v := reflect.ValueOf(&x).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Array:
			f.Index(i % f.Len()).SetUint(uint64(i + 1))
		case reflect.Uint8, reflect.Uint16, reflect.Uint64:
			f.SetUint(uint64(i + 1))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.String:
			f.SetString("name")
		case reflect.Slice:
			f.Set(reflect.ValueOf(hashes{uint64(i), 1 << 60}))
		case reflect.Map:
			f.Set(reflect.ValueOf(map[uint64]uint64{1: 2, 3: 4}))
		default:
			t.Fatalf("field %s: teach this test, and the codec, its kind", v.Type().Field(i).Name)
		}
	}
	return x
}

func TestCodecKeepsAll(t *testing.T) {
	info := filled[SpanInfo](t)
	var s, back Skeleton
	s.Add(&info)
	s.Add(&SpanInfo{ID: info.Parent, Seen: true})
	data := s.Append(nil)
	r := wire.NewReader(data)
	if back.Read(r); r.Done() != nil {
		t.Fatal(r.Err())
	}
	if d := cmp.Diff(s.spans, back.spans); d != "" || s.size != back.size {
		t.Errorf("sizes %d and %d, -written +read\n%s", s.size, back.size, d)
	}
	place := filled[Place](t)
	r = wire.NewReader(place.Append(nil))
	if got := ReadPlace(r); got != place || r.Done() != nil {
		t.Errorf("wrote %+v, read %+v: %v", place, got, r.Err())
	}
	for i := range data {
		if r := wire.NewReader(data[:i]); true {
			var cut Skeleton
			if cut.Read(r); r.Done() == nil {
				t.Errorf("cut to %d bytes and nobody minds", i)
			}
		}
	}
}
