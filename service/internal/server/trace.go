package server

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"khatm/service/internal/traces"
	"khatm/service/internal/wire"
)

// openTraces connects to an OpenTelemetry collector, if endpoint is set.
func openTraces(endpoint string) (*sdk.TracerProvider, error) {
	if endpoint == "" {
		return nil, nil //nolint:nilnil // no endpoint: no traces
	}
	sender, err := traces.New(endpoint, os.Getenv)
	if err != nil {
		return nil, fmt.Errorf("trace collector: %w", err)
	}
	return sdk.NewTracerProvider(
		sdk.WithBatcher(sender),
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "khatm"))),
	), nil
}

// traced adds a span to each request, if tracing is enabled. The span has the
// operation and status, but no header, path, query or body, because any of these
// may contain secrets of the caller.
func (s *Server) traced(next http.Handler) http.Handler {
	if s.traces == nil {
		return next
	}
	tracer := s.traces.Tracer("khatm")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := tracer.Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// observe counts a response and names its span.
func (s *Server) observe(ctx context.Context, o wire.Observation) {
	s.metrics.observe(o)
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	span.SetName(operationOf(o))
	span.SetAttributes(
		attribute.String("http.request.method", o.Method),
		attribute.Int("http.response.status_code", o.Status),
	)
}
