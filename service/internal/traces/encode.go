package traces

import (
	"math"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"google.golang.org/protobuf/encoding/protowire"
)

// Flags of a span above those of W3C.
const (
	flagParentKnown  = 0x100 // whether the parent is remote is known
	flagParentRemote = 0x200
)

// encode returns the protocol buffer ExportTraceServiceRequest for spans of one
// resource. The numbers are those of the fields in opentelemetry-proto.
func encode(spans []sdk.ReadOnlySpan) []byte {
	var scopes []instrumentation.Scope
	byScope := map[instrumentation.Scope][]byte{}
	for _, s := range spans {
		scope := s.InstrumentationScope()
		if _, known := byScope[scope]; !known {
			scopes = append(scopes, scope)
		}
		byScope[scope] = message(byScope[scope], 2, encodeSpan(s)) // ScopeSpans.spans
	}
	source := spans[0].Resource()
	resourceSpans := message(nil, 1, attributes(nil, 1, source.Attributes())) // resource
	for _, scope := range scopes {
		head := text(text(nil, 1, scope.Name), 2, scope.Version)
		head = attributes(head, 3, scope.Attributes.ToSlice())
		scopeSpans := append(message(nil, 1, head), byScope[scope]...)
		scopeSpans = text(scopeSpans, 3, scope.SchemaURL)
		resourceSpans = message(resourceSpans, 2, scopeSpans)
	}
	resourceSpans = text(resourceSpans, 3, source.SchemaURL())
	return message(nil, 1, resourceSpans)
}

func encodeSpan(s sdk.ReadOnlySpan) []byte {
	own, parent := s.SpanContext(), s.Parent()
	traceID, spanID := own.TraceID(), own.SpanID()
	b := message(nil, 1, traceID[:])
	b = message(b, 2, spanID[:])
	b = text(b, 3, own.TraceState().String())
	if id := parent.SpanID(); id.IsValid() {
		b = message(b, 4, id[:])
	}
	b = text(b, 5, s.Name())
	b = number(b, 6, kind(s.SpanKind()))
	b = instant(b, 7, s.StartTime())
	b = instant(b, 8, s.EndTime())
	b = attributes(b, 9, s.Attributes())
	b = number(b, 10, count(s.DroppedAttributes()))
	for _, e := range s.Events() {
		event := text(instant(nil, 1, e.Time), 2, e.Name)
		event = attributes(event, 3, e.Attributes)
		b = message(b, 11, number(event, 4, count(e.DroppedAttributeCount)))
	}
	b = number(b, 12, count(s.DroppedEvents()))
	for _, l := range s.Links() {
		traceID, spanID := l.SpanContext.TraceID(), l.SpanContext.SpanID()
		link := message(message(nil, 1, traceID[:]), 2, spanID[:])
		link = attributes(link, 4, l.Attributes)
		link = number(link, 5, count(l.DroppedAttributeCount))
		b = message(b, 13, fixed32(link, 6, flags(l.SpanContext.TraceFlags(), l.SpanContext)))
	}
	b = number(b, 14, count(s.DroppedLinks()))
	status := number(text(nil, 2, s.Status().Description), 3, statusCode(s.Status().Code))
	b = message(b, 15, status)
	return fixed32(b, 16, flags(own.TraceFlags(), parent))
}

func flags(own trace.TraceFlags, parent trace.SpanContext) uint32 {
	f := uint32(own) | flagParentKnown
	if parent.IsRemote() {
		f |= flagParentRemote
	}
	return f
}

func kind(k trace.SpanKind) uint64 {
	switch k {
	case trace.SpanKindInternal:
		return 1
	case trace.SpanKindServer:
		return 2
	case trace.SpanKindClient:
		return 3
	case trace.SpanKindProducer:
		return 4
	case trace.SpanKindConsumer:
		return 5
	}
	return 0
}

func statusCode(c codes.Code) uint64 {
	switch c {
	case codes.Ok:
		return 1
	case codes.Error:
		return 2
	}
	return 0
}

func count(n int) uint64 { return uint64(min(max(0, n), math.MaxUint32)) }

// attributes appends repeated KeyValue messages. A value that is a list is encoded as
// its text.
func attributes(b []byte, field protowire.Number, list []attribute.KeyValue) []byte {
	for _, kv := range list {
		var value []byte
		switch v := kv.Value; v.Type() {
		case attribute.BOOL:
			value = protowire.AppendTag(value, 2, protowire.VarintType)
			value = protowire.AppendVarint(value, protowire.EncodeBool(v.AsBool()))
		case attribute.INT64:
			value = protowire.AppendTag(value, 3, protowire.VarintType)
			value = protowire.AppendVarint(value, uint64(v.AsInt64())) //nolint:gosec // two's complement is the encoding
		case attribute.FLOAT64:
			value = protowire.AppendTag(value, 4, protowire.Fixed64Type)
			value = protowire.AppendFixed64(value, math.Float64bits(v.AsFloat64()))
		default:
			value = protowire.AppendTag(value, 1, protowire.BytesType)
			value = protowire.AppendString(value, v.String())
		}
		b = message(b, field, message(text(nil, 1, string(kv.Key)), 2, value))
	}
	return b
}

// message appends a message or bytes.
func message(b []byte, field protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), content)
}

// text appends a string that is not empty.
func text(b []byte, field protowire.Number, content string) []byte {
	if content == "" {
		return b
	}
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), content)
}

// number appends a number that is not zero.
func number(b []byte, field protowire.Number, n uint64) []byte {
	if n == 0 {
		return b
	}
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), n)
}

func fixed32(b []byte, field protowire.Number, n uint32) []byte {
	return protowire.AppendFixed32(protowire.AppendTag(b, field, protowire.Fixed32Type), n)
}

// instant appends a time in nanoseconds since 1970.
func instant(b []byte, field protowire.Number, t time.Time) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(b, field, protowire.Fixed64Type), uint64(max(0, t.UnixNano()))) //nolint:gosec // not negative
}
