package wire

import (
	"net/http"
)

// success describes the answer of a row.
func (d *document) success(row *Route, status int) pairs {
	answer, _ := replyOf(row.out)
	headers := pairs{}
	for i := range answer.header {
		f := &answer.header[i]
		schema := d.schemaOf(&f.shape, inAnswer)
		one := pairs{{"required", f.required && !f.shape.null}, {"schema", schema}}
		if f.doc != "" {
			one = pairs{{"description", f.doc}}.with("required", f.required && !f.shape.null).with("schema", schema)
		}
		headers = headers.with(f.header, one)
	}
	if row.Cache > 0 {
		headers = append(headers, refer("Cache-Control", "ETag")...)
	}
	if !row.Uncount {
		headers = append(headers, refer(onEveryAnswer...)...)
	}
	p := pairs{{"description", http.StatusText(status)}, {"headers", headers}}
	if status == http.StatusNoContent {
		return p
	}
	content := pairs{}
	if answer.isJSON() {
		content = pairs{{"application/json", pairs{{"schema", d.schemaOf(&answer.shape, inAnswer)}}}}
	}
	for _, media := range answer.media {
		if media == "application/json" {
			content = content.with(media, pairs{{"schema", pairs{}}})
			continue
		}
		content = content.with(media, pairs{{"schema", pairs{{"type", "string"}, {"format", "binary"}}}})
	}
	return p.with("content", content)
}

var onEveryAnswer = []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-ID"}

// refer names headers that are described once for all.
func refer(names ...string) pairs {
	var p pairs
	for _, name := range names {
		p = p.with(name, pairs{{"$ref", "#/components/headers/" + name}})
	}
	return p
}

func sharedHeaders() pairs {
	header := func(kind, words string) pairs {
		return pairs{{"description", words}, {"schema", pairs{{"type", kind}}}}
	}
	return pairs{
		{"Cache-Control", header("string", "How long the answer stays as it is.")},
		{"ETag", header("string", "The version of the answer.")},
		{"Retry-After", header("integer", "Seconds until another try can succeed.")},
		{"X-RateLimit-Limit", header("integer", "Calls allowed in a window.")},
		{"X-RateLimit-Remaining", header("integer", "Calls left in this window.")},
		{"X-RateLimit-Reset", header("integer", "The length of a window in seconds; on a 429, the seconds left of this one.")},
		{"X-Request-ID", header("string", "The id of this call, for questions about it.")},
	}
}
