package wire

import (
	"net/http"
	"slices"
	"strings"

	"khatm/service/internal/codec"
)

// success describes the successful response of a route.
func (d *document) success(row *Route, status int) pairs {
	answer, _ := replyOf(row.out)
	headers := pairs{}
	for i := range answer.header {
		f := &answer.header[i]
		schema := d.Of(&f.Shape, codec.InAnswer)
		one := pairs{{"required", f.Required && !f.Shape.Null}, {"schema", schema}}
		if f.Doc != "" {
			one = pairs{{"description", f.Doc}}.With("required", f.Required && !f.Shape.Null).With("schema", schema)
		}
		headers = headers.With(f.Header, one)
	}
	if answer.file != nil {
		headers = append(headers, refer("Content-Disposition")...)
	}
	if row.Cache > 0 {
		headers = append(headers, refer("Cache-Control", "ETag")...)
	}
	if p, err := planOf(row.in); err == nil && row.namesIgnored(p) {
		headers = append(headers, refer(ignoredHeader)...)
	}
	if row.Uncount {
		headers = append(headers, refer("X-Khatm-Environment", "X-Request-ID")...)
	} else {
		headers = append(headers, row.Access.counted()...)
	}
	p := pairs{{"description", http.StatusText(status)}, {"headers", headers}}
	if status == http.StatusNoContent {
		return p
	}
	content := pairs{}
	if answer.isJSON() {
		content = pairs{{"application/json", pairs{{"schema", d.Of(&answer.shape, codec.InAnswer)}}}}
	}
	if answer.events {
		content = d.events(answer)
	}
	for _, media := range answer.media {
		if media == "application/json" {
			content = content.With(media, pairs{{"schema", pairs{}}})
			continue
		}
		schema := binary(media)
		if strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "/xml") {
			schema = pairs{{"type", "string"}, {"contentMediaType", media}}
		}
		content = content.With(media, pairs{{"schema", schema}})
	}
	return p.With("content", content)
}

// namesIgnored reports whether responses list the unknown fields of the body.
func (r *Route) namesIgnored(p *plan) bool {
	return !r.Strict && (p.body != nil || p.isForm())
}

// binary returns the schema of a file with one of the media types, separated by
// commas. OpenAPI 3.1 describes a file by its media type; generators of clients
// look for the format too, which is all that 3.0 has.
func binary(media string) pairs {
	if media == "" || strings.Contains(media, ",") {
		media = "application/octet-stream"
	}
	return pairs{{"type", "string"}, {"format", "binary"}, {"contentMediaType", media}}
}

var onEveryAnswer = []string{"X-Khatm-Environment", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-ID"}

// onPublicAnswers are the headers about the day of an address and the month of an
// organisation on the free plan.
var onPublicAnswers = []string{"X-RateLimit-Limit-Day", "X-RateLimit-Remaining-Day", "X-RateLimit-Reset-Day", "X-RateLimit-Limit-Month", "X-RateLimit-Remaining-Month", "X-RateLimit-Reset-Month"}

// counted returns the headers of every counted response of a route.
func (a Access) counted() pairs {
	if a == Public {
		return refer(slices.Concat(onEveryAnswer, onPublicAnswers)...)
	}
	return refer(onEveryAnswer...)
}

// refer returns references to shared headers.
func refer(names ...string) pairs {
	var p pairs
	for _, name := range names {
		p = p.With(name, pairs{{"$ref", "#/components/headers/" + name}})
	}
	return p
}

func sharedHeaders() pairs {
	header := func(kind, words string) pairs {
		return pairs{{"description", words}, {"schema", pairs{{"type", kind}}}}
	}
	return pairs{
		{"Cache-Control", header("string", "How long the response may be cached, such as `private, max-age=3600`.")},
		{"Content-Disposition", header("string", "Whether to save or display the file, and its name, such as `attachment; filename=invoice.pdf`. Absent if the response is not a file.")},
		{"ETag", header("string", "Version of the response. Send it in `If-None-Match` to get 304 if nothing has changed.")},
		{"Retry-After", header("integer", "Seconds to wait before a retry.")},
		{"X-Khatm-Environment", header("string", "Environment of the tax authority that the documents of this installation are sent to: `production`, `simulation`, `sandbox` or `simulator`, the local simulator; `unset` if it is not chosen yet.")},
		{"X-Khatm-Ignored", header("string", "Fields of the body that the operation does not know and has ignored, separated by commas; at most 20. Absent if there are none.")},
		{"X-RateLimit-Limit", header("integer", "Number of calls allowed in a window.")},
		{"X-RateLimit-Limit-Day", header("integer", "Number of calls of the public tools that an IP address may make in a day. Only in responses to callers without a session.")},
		{"X-RateLimit-Limit-Month", header("integer", "Number of calls of the public tools that an organisation on the free plan may make in a month. Only in responses to its members.")},
		{"X-RateLimit-Remaining", header("integer", "Number of calls left in the current window.")},
		{"X-RateLimit-Remaining-Day", header("integer", "Number of these calls left today.")},
		{"X-RateLimit-Remaining-Month", header("integer", "Number of these calls left in this month.")},
		{"X-RateLimit-Reset", header("integer", "Length of the window in seconds. In a 429 response, seconds until the window ends.")},
		{"X-RateLimit-Reset-Day", header("integer", "Seconds until the day ends, at midnight in Riyadh.")},
		{"X-RateLimit-Reset-Month", header("integer", "Seconds until the month ends, as in `GET /api/usage/current/`.")},
		{"X-Request-ID", header("string", "Id of this request. Quote it when you report a problem.")},
	}
}
