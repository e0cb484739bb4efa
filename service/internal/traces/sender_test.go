package traces_test

import (
	"compress/gzip"
	"context"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"khatm/service/internal/traces"
)

// receiver is a collector that keeps the requests and answers with the given statuses,
// then with 200.
type receiver struct {
	mu       sync.Mutex
	requests []*http.Request
	bodies   [][]byte
	statuses []int
}

func (c *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var body io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		zipped, err := gzip.NewReader(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		body = zipped
	}
	text, err := io.ReadAll(body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.requests, c.bodies = append(c.requests, r), append(c.bodies, text)
	if len(c.statuses) > 0 {
		w.WriteHeader(c.statuses[0])
		c.statuses = c.statuses[1:]
		_, _ = io.WriteString(w, "the reason")
	}
}

// environment returns a function that returns variables, like os.Getenv.
func environment(variables map[string]string) func(string) string {
	return func(name string) string { return variables[name] }
}

// record makes spans of all kinds and exports them together.
func record(t *testing.T, exporter sdk.SpanExporter) {
	t.Helper()
	provider := sdk.NewTracerProvider(
		sdk.WithBatcher(exporter),
		sdk.WithIDGenerator(&counter{}),
		sdk.WithRawSpanLimits(sdk.SpanLimits{AttributeCountLimit: 6, EventCountLimit: 2, LinkCountLimit: 1, AttributeValueLengthLimit: -1, AttributePerEventCountLimit: 1, AttributePerLinkCountLimit: 1}),
		sdk.WithResource(resource.NewWithAttributes("https://example.com/resource", attribute.String("service.name", "khatm"))),
	)
	at := time.Date(2026, 11, 19, 7, 0, 0, 123456789, time.UTC)
	state, err := trace.ParseTraceState("vendor=value")
	if err != nil {
		t.Fatal(err)
	}
	remote := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{9}, SpanID: trace.SpanID{8}, TraceFlags: trace.FlagsSampled, TraceState: state, Remote: true})
	for _, tracer := range []trace.Tracer{
		provider.Tracer("khatm", trace.WithInstrumentationVersion("1.2"), trace.WithSchemaURL("https://example.com/scope"), trace.WithInstrumentationAttributes(attribute.Bool("scope", true))),
		provider.Tracer("other"),
	} {
		ctx := trace.ContextWithSpanContext(t.Context(), remote)
		for kind := trace.SpanKindUnspecified; kind <= trace.SpanKindConsumer; kind++ {
			var span trace.Span
			ctx, span = tracer.Start(ctx, "request", trace.WithSpanKind(kind), trace.WithTimestamp(at),
				trace.WithLinks(trace.Link{SpanContext: remote, Attributes: []attribute.KeyValue{attribute.Int("n", 1), attribute.Int("m", 2)}}, trace.Link{SpanContext: remote}))
			span.SetAttributes(
				attribute.String("text", "فاتورة"), attribute.String("", ""), attribute.Int("negative", -1), attribute.Int("status", 200),
				attribute.Bool("yes", true), attribute.Float64("share", 0.25), attribute.Bool("dropped", false),
			)
			for i := range 3 {
				span.AddEvent("event", trace.WithTimestamp(at), trace.WithAttributes(attribute.Int("n", i), attribute.Bool("no", false)))
			}
			span.SetStatus(codes.Code(uint32(kind)%3), "the reason") //nolint:gosec // small
			span.End(trace.WithTimestamp(at.Add(time.Second)))
		}
	}
	_, root := provider.Tracer("other").Start(t.Context(), "root", trace.WithNewRoot(), trace.WithTimestamp(at))
	root.End(trace.WithTimestamp(at))
	if err := provider.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// counter returns the same IDs in each run.
type counter struct{ n byte }

func (c *counter) NewIDs(context.Context) (trace.TraceID, trace.SpanID) {
	c.n++
	return trace.TraceID{c.n, 1}, trace.SpanID{c.n, 2}
}

func (c *counter) NewSpanID(context.Context, trace.TraceID) trace.SpanID {
	c.n++
	return trace.SpanID{c.n, 3}
}

// TestSameAsTheExporterOfOpenTelemetry sends the same spans with both.
func TestSameAsTheExporterOfOpenTelemetry(t *testing.T) {
	t.Parallel()
	received := func(open func(url string) (sdk.SpanExporter, error)) (*http.Request, *collector.ExportTraceServiceRequest) {
		var kept receiver
		server := httptest.NewServer(&kept)
		defer server.Close()
		exporter, err := open(server.URL + "/v1/traces")
		if err != nil {
			t.Fatal(err)
		}
		record(t, exporter)
		if len(kept.bodies) != 1 {
			t.Fatalf("%d requests, want 1", len(kept.bodies))
		}
		var request collector.ExportTraceServiceRequest
		if err := proto.Unmarshal(kept.bodies[0], &request); err != nil {
			t.Fatal(err)
		}
		return kept.requests[0], &request
	}
	theirs, want := received(func(url string) (sdk.SpanExporter, error) {
		return otlptracehttp.New(t.Context(), otlptracehttp.WithEndpointURL(url))
	})
	ours, got := received(func(url string) (sdk.SpanExporter, error) { return traces.New(url, environment(nil)) })
	if d := cmp.Diff(want, got, protocmp.Transform()); d != "" {
		t.Errorf("the spans differ (-theirs +ours):\n%s", d)
	}
	if ours.Method != theirs.Method || ours.URL.String() != theirs.URL.String() || ours.Header.Get("Content-Type") != theirs.Header.Get("Content-Type") {
		t.Errorf("sent with %s %s (%s), want %s %s (%s)", ours.Method, ours.URL, ours.Header.Get("Content-Type"), theirs.Method, theirs.URL, theirs.Header.Get("Content-Type"))
	}
}

// spans returns one span.
func spans(t *testing.T) []sdk.ReadOnlySpan {
	t.Helper()
	var kept []sdk.ReadOnlySpan
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exporterFunc(func(s []sdk.ReadOnlySpan) { kept = append(kept, s...) })))
	_, span := provider.Tracer("khatm").Start(t.Context(), "request")
	span.End()
	return kept
}

type exporterFunc func([]sdk.ReadOnlySpan)

func (f exporterFunc) ExportSpans(_ context.Context, s []sdk.ReadOnlySpan) error { f(s); return nil }
func (exporterFunc) Shutdown(context.Context) error                              { return nil }

func TestSettingsOfTheEnvironment(t *testing.T) {
	t.Parallel()
	var kept receiver
	server := httptest.NewTLSServer(&kept)
	defer server.Close()
	file := filepath.Join(t.TempDir(), "collector.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := traces.New(server.URL+"/prefix/v1/traces", environment(map[string]string{
		"OTEL_EXPORTER_OTLP_HEADERS":            "Authorization=other",
		"OTEL_EXPORTER_OTLP_TRACES_HEADERS":     "Authorization=Bearer%20token, X-Tenant = a",
		"OTEL_EXPORTER_OTLP_TRACES_COMPRESSION": "gzip",
		"OTEL_EXPORTER_OTLP_TIMEOUT":            "60000",
		"OTEL_EXPORTER_OTLP_CERTIFICATE":        file,
	}))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ExportSpans(t.Context(), spans(t)); err != nil {
		t.Fatal(err)
	}
	r := kept.requests[0]
	if r.URL.Path != "/prefix/v1/traces" || r.Header.Get("Authorization") != "Bearer token" || r.Header.Get("X-Tenant") != "a" || r.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("sent to %s with %v", r.URL, r.Header)
	}
	var request collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(kept.bodies[0], &request); err != nil || len(request.GetResourceSpans()) != 1 {
		t.Errorf("sent %v (%v), want spans of one resource", &request, err)
	}
}

func TestWrongSettings(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, endpoint, variable, value, want string }{
		{"no scheme", "127.0.0.1:4318", "", "", "endpoint"},
		{"no host", "http:///v1/traces", "", "", "want a URL such as http://127.0.0.1:4318"},
		{"another scheme", "grpc://127.0.0.1:4317", "", "", "want a URL such as http://127.0.0.1:4318"},
		{"a header without a value", "http://a", "OTEL_EXPORTER_OTLP_HEADERS", "secret", "want name=value"},
		{"a header that is not encoded", "http://a", "OTEL_EXPORTER_OTLP_HEADERS", "a=secret%", "not encoded"},
		{"a timeout with a unit", "http://a", "OTEL_EXPORTER_OTLP_TIMEOUT", "10s", "number of milliseconds"},
		{"an unknown compression", "http://a", "OTEL_EXPORTER_OTLP_COMPRESSION", "zstd", "gzip or none"},
		{"a missing certificate", "http://a", "OTEL_EXPORTER_OTLP_CERTIFICATE", "nowhere.pem", "nowhere.pem"},
		{"a missing key", "http://a", "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", "nowhere.pem", "nowhere.pem"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := traces.New(c.endpoint, environment(map[string]string{c.variable: c.value}))
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("error %v, want one that contains %q", err, c.want)
			}
		})
	}
}

func TestFailuresThatPass(t *testing.T) {
	t.Parallel()
	kept := receiver{statuses: []int{http.StatusServiceUnavailable}}
	server := httptest.NewServer(&kept)
	defer server.Close()
	s, err := traces.New(server.URL, environment(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.ExportSpans(t.Context(), spans(t)); err != nil {
		t.Error(err)
	}
	if len(kept.bodies) != 2 || kept.requests[1].URL.Path != "/v1/traces" {
		t.Errorf("%d requests, the last to %s; want 2 to /v1/traces", len(kept.bodies), kept.requests[len(kept.requests)-1].URL)
	}
}

func TestFailuresThatStay(t *testing.T) {
	t.Parallel()
	kept := receiver{statuses: []int{http.StatusBadRequest}}
	server := httptest.NewServer(&kept)
	defer server.Close()
	s, err := traces.New(server.URL, environment(nil))
	if err != nil {
		t.Fatal(err)
	}
	err = s.ExportSpans(t.Context(), spans(t))
	if err == nil || !strings.Contains(err.Error(), "the reason") || len(kept.bodies) != 1 {
		t.Errorf("error %v after %d requests, want the reason after 1", err, len(kept.bodies))
	}
	if err := s.ExportSpans(t.Context(), nil); err != nil || len(kept.bodies) != 1 {
		t.Errorf("without spans: error %v, %d requests; want none", err, len(kept.bodies)-1)
	}
}

// TestShutdownEndsARequest checks that a collector that does not answer delays no
// shutdown.
func TestShutdownEndsARequest(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		close(arrived)
		<-r.Context().Done()
	}))
	defer server.Close()
	s, err := traces.New(server.URL, environment(nil))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.ExportSpans(context.WithoutCancel(t.Context()), spans(t)) }()
	<-arrived
	if err := s.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}
