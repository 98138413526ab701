package cli

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/agentleak/otelcol-agentleak/internal/agentrisk"
)

// eventKey begins the attributes that an event of an AgentLeak trace becomes; package mapping reads them.
const eventKey = "agentleak.event."

// appendTraces reads the list of {"traces": [...]}.
func appendTraces(docs []document, raw json.RawMessage) ([]document, error) {
	var list []map[string]json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil, errors.New("traces: want a list of AgentLeak traces")
	}
	for i, members := range list {
		_, id := members["run_id"]
		_, events := members["events"]
		if !id && !events {
			return nil, fmt.Errorf("traces[%d]: want run_id or events", i)
		}
		d, err := agentLeakTrace(members)
		if err != nil {
			return nil, fmt.Errorf("traces[%d]: %w", i, err)
		}
		docs = append(docs, d)
	}
	return docs, nil
}

// agentLeakTrace makes spans of an AgentLeak trace: one for each event, in order, all of one trace, whose id is left
// to the caller. As the reference has it, one bad event refuses the whole trace; sources, targets and
// metadata are no content. Members that the format does not know are passed over.
func agentLeakTrace(members map[string]json.RawMessage) (document, error) {
	d := document{traces: ptrace.NewTraces(), run: &runInfo{}}
	var agent string
	var events []json.RawMessage
	err := errors.Join(
		text(members, "run_id", &d.run.id),
		text(members, "agent_name", &agent),
	)
	if err != nil {
		return d, err
	}
	if raw, ok := members["events"]; ok {
		if raw[0] != '[' || json.Unmarshal(raw, &events) != nil {
			return d, errors.New("events: want a list")
		}
	}
	spans := d.traces.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans()
	spans.EnsureCapacity(len(events))
	for i, raw := range events {
		if err := event(spans.AppendEmpty(), raw, agent); err != nil {
			return d, fmt.Errorf("events[%d]%w", i, err)
		}
		s := spans.At(i)
		var id pcommon.SpanID
		binary.BigEndian.PutUint64(id[:], uint64(i+1))
		s.SetSpanID(id)
		// There are no times, only an order.
		s.SetStartTimestamp(pcommon.Timestamp(i + 1))
		s.SetEndTimestamp(pcommon.Timestamp(i + 1))
	}
	return d, nil
}

// event fills a span. Errors continue the path of the event.
func event(s ptrace.Span, raw json.RawMessage, agent string) error {
	var members map[string]json.RawMessage
	if raw[0] != '{' || json.Unmarshal(raw, &members) != nil {
		return errors.New(": want an object")
	}
	var name, id, target string
	source := agent
	err := errors.Join(
		text(members, "channel", &name),
		text(members, "event_id", &id),
		text(members, "source", &source),
		text(members, "target", &target),
	)
	if err != nil {
		return fmt.Errorf(".%w", err)
	}
	if raw, ok := members["metadata"]; ok && raw[0] != '{' {
		return errors.New(".metadata: want an object")
	}
	var channel agentrisk.Channel
	if channel.UnmarshalText([]byte(name)) != nil {
		return fmt.Errorf(".channel: want one of %v", agentrisk.Channels())
	}
	s.SetName(channel.String())
	attrs := s.Attributes()
	for _, a := range []struct{ key, value string }{
		{"gen_ai.agent.name", source}, {eventKey + "source", source}, {eventKey + "target", target},
	} {
		if a.value != "" {
			attrs.PutStr(a.key, a.value)
		}
	}
	raw, ok := members["content"]
	if !ok {
		return nil
	}
	var content string
	switch raw[0] {
	case '"':
		err = text(members, "content", &content)
	case '{', '[':
		var b bytes.Buffer
		err = json.Compact(&b, raw)
		content = b.String()
	default:
		return errors.New(".content: want a text, an object or a list")
	}
	if err != nil {
		return errors.New(".content: not valid JSON")
	}
	attrs.PutStr(eventKey+channel.String(), content)
	return nil
}

// text reads an optional member that must be a string where it is given.
func text(members map[string]json.RawMessage, key string, into *string) error {
	raw, ok := members[key]
	if !ok {
		return nil
	}
	if raw[0] != '"' || json.Unmarshal(raw, into) != nil {
		return fmt.Errorf("%s: want a string", key)
	}
	return nil
}
