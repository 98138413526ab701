package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// secretNumber is the one that is sent as a number.
const secretNumber = "card as number"

// secretsOf makes invented values of level 4 for trace i, other ones for each. They are put together here so that no
// scanner of sources takes them for real.
func secretsOf(i int) map[string]string {
	word := func(n int, alphabet string) string { // n characters without a pattern
		x := uint64(i+1) * 0x9e3779b97f4a7c15
		b := make([]byte, n)
		for j := range b {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			b[j] = alphabet[x%uint64(len(alphabet))]
		}
		return string(b)
	}
	const digits, upper, lower = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
	claims := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"sub":"user-%d"}`, i))
	return map[string]string{
		"card":          spaced(card(6*i + 1)),
		secretNumber:    card(6*i + 2),
		"card in name":  card(6*i + 3),
		"card in event": card(6*i + 4),
		"card in bytes": card(6*i + 5),
		"ssn":           fmt.Sprintf("219-09-%04d", 9000+2*i),
		"ssn in a key":  fmt.Sprintf("219-09-%04d", 9001+2*i),
		"iban":          iban(12345698765400 + i),
		"aws key":       "AKIA" + word(16, upper+digits),
		"github token":  "gh" + "p_" + word(36, upper+lower+digits),
		"anthropic key": "sk-" + "ant-api03-" + word(93, upper+lower+digits) + "AA",
		"slack token":   "xox" + "b-" + word(12, digits) + "-" + word(24, upper+lower+digits),
		"jwt":           "eyJhbGciOiJIUzI1NiJ9." + claims + "." + word(43, upper+lower+digits),
		"private key":   word(64, upper+lower+digits), // a line of it
		"db password":   "Tr0ub4dor" + word(8, lower+digits),
		"password":      "hunter2-" + word(8, lower+digits) + "!",
		"diagnosis":     []string{"hypertension", "type 2 diabetes", "epilepsy", "multiple sclerosis", "hepatitis B", "bipolar disorder", "asthma"}[i%7],
	}
}

// card is a number of 16 digits with the prefix of a test card and a check digit.
func card(n int) string {
	number := fmt.Sprintf("411111%09d", 104729*n)
	sum := 0
	for i, c := range number {
		d := int(c - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return fmt.Sprintf("%s%d", number, (10-sum%10)%10)
}

func spaced(card string) string {
	return strings.Join([]string{card[:4], card[4:8], card[8:12], card[12:]}, " ")
}

// iban is a British account number with its check digits.
func iban(account int) string {
	// WEST, the account, GB and 00 with letters as numbers from 10 on.
	n, _ := new(big.Int).SetString(fmt.Sprintf("32142829%014d161100", account), 10)
	check := 98 - new(big.Int).Mod(n, big.NewInt(97)).Int64()
	return fmt.Sprintf("GB%02dWEST%014d", check, account)
}

// An agent makes the spans of one trace.
type agent func(ctx context.Context, tracer trace.Tracer, secrets map[string]string)

// export runs an agent whose spans the SDK sends to each endpoint, a few at a time. What resource and scope hold comes
// from origin.
func export(t *testing.T, secrets, origin map[string]string, run agent, endpoints ...string) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	opts := []sdktrace.TracerProviderOption{sdktrace.WithResource(resource.NewSchemaless(
		attribute.String("service.name", "agents"), attribute.String("deploy.note", "cloned with "+origin["github token"]),
	))}
	for _, endpoint := range endpoints {
		exporter, err := otlptracegrpc.New(ctx, otlptracegrpc.WithEndpoint(endpoint), otlptracegrpc.WithInsecure())
		if err != nil {
			t.Error(err)
			return
		}
		opts = append(opts, sdktrace.WithBatcher(exporter, sdktrace.WithMaxExportBatchSize(2)))
	}
	provider := sdktrace.NewTracerProvider(opts...)
	run(ctx, provider.Tracer("e2e", trace.WithInstrumentationAttributes(attribute.String("configured.with", origin["anthropic key"]))), secrets)
	if err := provider.Shutdown(ctx); err != nil {
		t.Error(err)
	}
}

// What there is of the traces.
const (
	spansOfRun     = 5
	spansOfRefund  = 2
	nameWithSecret = "charge card "
	refundAgent    = "invoke_agent refund_agent"
	refundTool     = "execute_tool charge"
)

// agentRun has a secret in each part of a span that can hold one.
func agentRun(ctx context.Context, tracer trace.Tracer, s map[string]string) {
	ctx, root := tracer.Start(ctx, "invoke_agent clerk", trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "invoke_agent"),
		attribute.String("gen_ai.agent.name", "clerk"),
		messages("gen_ai.input.messages", "user", "Card "+s["card"]+", and my doctor says "+s["diagnosis"]),
		messages("gen_ai.output.messages", "assistant", "Noted: diagnosis "+s["diagnosis"]),
	))
	defer root.End()

	func() {
		_, chat := tracer.Start(ctx, "chat gpt-4o", trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
			attribute.String("gen_ai.operation.name", "chat"),
			messages("gen_ai.input.messages", "user", "Card "+s["card"]),
			attribute.StringSlice("http.request.header", []string{"accept: */*", "authorization: Bearer " + s["jwt"]}),
			attribute.ByteSlice("raw.body", []byte(`{"pan":"`+s["card in bytes"]+`"}`)),
			attribute.Int64("charge.pan", number(s[secretNumber])),
		))
		defer chat.End()
		chat.AddEvent("retry after "+s["card in event"], trace.WithAttributes(attribute.String("exception.message", "no account "+s["iban"])))
	}()

	toolCtx, tool := tracer.Start(ctx, "execute_tool lookup", trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "execute_tool"),
		attribute.String("gen_ai.tool.name", "lookup"),
		attribute.String("gen_ai.tool.call.arguments", text(map[string]any{"card": s["card"], "diagnosis": s["diagnosis"], "n": 1.50})),
		attribute.String("gen_ai.tool.call.result", text(map[string]any{"body": text(map[string]any{"row": text(map[string]any{"ssn": s["ssn"]})})})),
		attribute.String("seen."+s["ssn in a key"], "yes"),
		attribute.Map("db.settings", attribute.String("host", "db.example.com"), attribute.String("password", s["password"])),
	))
	defer tool.End()

	func() {
		_, get := tracer.Start(toolCtx, nameWithSecret+s["card in name"], trace.WithSpanKind(trace.SpanKindClient),
			trace.WithLinks(trace.Link{SpanContext: root.SpanContext(), Attributes: []attribute.KeyValue{attribute.String("posted.with", s["slack token"])}}))
		defer get.End()
		get.SetStatus(codes.Error, "denied for key "+s["aws key"])
	}()
	_, query := tracer.Start(toolCtx, "SELECT customers", trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("db.connection_string", "postgres://app:"+s["db password"]+"@db.example.com:5432/prod"),
		attribute.String("tls.key", "-----BEGIN PRIVATE KEY-----\n"+s["private key"]+"\n-----END PRIVATE KEY-----\n"),
	))
	query.End()
}

// refund is the trace whose score checkRefund knows. No secret is in its resource or scope.
func refund(ctx context.Context, tracer trace.Tracer, s map[string]string) {
	ctx, root := tracer.Start(ctx, refundAgent, trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "invoke_agent"),
		attribute.String("gen_ai.agent.name", "refund_agent"),
		messages("gen_ai.input.messages", "user", "Refund card "+s["card"]+" and mail casey.test@example.com"),
		messages("gen_ai.output.messages", "assistant", "Done, casey.test@example.com has the receipt."),
	))
	defer root.End()
	_, tool := tracer.Start(ctx, refundTool, trace.WithAttributes(
		attribute.String("gen_ai.operation.name", "execute_tool"),
		attribute.String("gen_ai.tool.name", "charge"),
		attribute.String("gen_ai.tool.call.arguments", text(map[string]any{"card": s["card"], "amount": -12.50})),
		attribute.String("gen_ai.tool.call.result", text(map[string]any{"ok": true, "holder": map[string]any{"ssn": s["ssn"]}})),
	))
	tool.End()
}

// messages is an attribute with one message as the GenAI conventions write it.
func messages(key, role, content string) attribute.KeyValue {
	return attribute.String(key, text([]any{map[string]any{
		"role": role, "parts": []any{map[string]any{"type": "text", "content": content}},
	}}))
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func number(s string) (n int64) {
	fmt.Sscan(s, &n)
	return n
}
