package service

import (
	"context"
	"fmt"
	"net/http"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
)

// openTraces connects to an OpenTelemetry collector, if one was named. Spans
// carry operation and status, never a header, a query or a body.
func openTraces(ctx context.Context, endpoint string) (*trace.TracerProvider, error) {
	if endpoint == "" {
		return nil, nil //nolint:nilnil // no endpoint: no traces
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint))
	if err != nil {
		return nil, fmt.Errorf("connect to the trace collector: %w", err)
	}
	return trace.NewTracerProvider(
		trace.WithBatcher(exporter),
		trace.WithResource(resource.NewSchemaless(semconv.ServiceName("khatm"))),
	), nil
}

// handler is the frame, with spans around it if there is a collector.
func (s *Service) handler() http.Handler {
	if s.traces == nil {
		return s.frame
	}
	return otelhttp.NewHandler(s.frame, "http", otelhttp.WithTracerProvider(s.traces))
}
