package report

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const schemaFile = "../../docs/report.schema.json"

// TestSchema validates every report of the goldens against the published schema, and wants it to refuse what is none.
func TestSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	validate := func(doc string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		return schema.Validate(v)
	}
	for name, set := range sets(t) {
		set.Basis.Weights = []int{1, 2, 3, 4}
		if err := validate(written(t, set, (*Set).WriteJSON)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	story := written(t, sets(t)["story"], (*Set).WriteJSON)
	for _, change := range [][2]string{
		{`"agentleak.report/1"`, `"agentleak.report/2"`}, {`"level": 4`, `"level": 5`}, {`"privacy_score": `, `"privacy_score": -`},
		{`"channel": "tool_call"`, `"channel": "email"`}, {`"masked"`, `"musked"`}, {`"verdict": "`, `"verdict": "very `},
		{`"secret_id": "`, `"secret_id": "x`},
	} {
		broken := strings.Replace(story, change[0], change[1], 1)
		if broken == story || validate(broken) == nil {
			t.Errorf("%s for %s is taken", change[1], change[0])
		}
	}
}

// TestSchemaMembers wants the schema and the types that are written to have the same members, required but for those
// that are left out when empty.
func TestSchemaMembers(t *testing.T) {
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	type object struct {
		Required   []string                   `json:"required"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	var doc struct {
		object
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	part := func(raw json.RawMessage) (o object) {
		if err := json.Unmarshal(raw, &o); err != nil {
			t.Fatal(err)
		}
		return o
	}
	trace := part(doc.Defs["trace"])
	var leaks, policies struct{ Items json.RawMessage }
	if err := json.Unmarshal(doc.Properties["policies"], &policies); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(doc.Defs["leaks"], &leaks); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		v any
		o object
	}{
		{jsonSet{}, doc.object}, {jsonTool{}, part(doc.Properties["tool"])}, {jsonBasis{}, part(doc.Defs["basis"])}, {jsonNamed{}, part(policies.Items)},
		{jsonBaseline{}, part(doc.Properties["baseline"])}, {jsonLeak{}, part(leaks.Items)}, {jsonTrace{}, trace},
		{jsonProfile{}, part(doc.Defs["profile"])}, {jsonPolicy{}, part(trace.Properties["policy"])},
		{jsonFinding{}, part(doc.Defs["finding"])}, {jsonPath{}, part(doc.Defs["path"])}, {jsonStep{}, part(doc.Defs["step"])},
	} {
		typ := reflect.TypeOf(test.v)
		var required []string
		for i := range typ.NumField() {
			name, option, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if name == "" {
				name = typ.Field(i).Name
			}
			if test.o.Properties[name] == nil {
				t.Errorf("%s: the schema lacks %s", typ, name)
			}
			delete(test.o.Properties, name)
			if option != "omitempty" {
				required = append(required, name)
			}
		}
		for name := range test.o.Properties {
			t.Errorf("%s: the schema has %s, nothing writes it", typ, name)
		}
		slices.Sort(required)
		slices.Sort(test.o.Required)
		if !slices.Equal(required, test.o.Required) {
			t.Errorf("%s: required %v, written %v", typ, test.o.Required, required)
		}
	}
}
