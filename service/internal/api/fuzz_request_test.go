package api_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"khatm/service/internal/servicetest"
)

// fuzzTarget is an operation to call with random requests.
type fuzzTarget struct {
	base         string // empty for the API for keys
	method, path string
	params       []servicetest.Record // from the OpenAPI document
	body         servicetest.Record   // schema of the JSON or form
	form         bool
}

// fuzzTargets returns the operations of the OpenAPI document and the hidden
// routes.
func fuzzTargets(h *servicetest.Instance, document servicetest.Record) []fuzzTarget {
	var all []fuzzTarget
	found := servicetest.Operations(document)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		method, path, _ := strings.Cut(name, " ")
		operation, _ := servicetest.Resolved(document, found[name], 0).(servicetest.Record)
		p := fuzzTarget{method: method, path: path}
		params, _ := operation["parameters"].([]any)
		for _, one := range params {
			param, _ := one.(servicetest.Record)
			p.params = append(p.params, param)
		}
		body, _ := operation["requestBody"].(servicetest.Record)
		content, _ := body["content"].(servicetest.Record)
		for media, value := range content {
			inner, _ := value.(servicetest.Record)
			p.body, _ = inner["schema"].(servicetest.Record)
			p.form = media == "multipart/form-data"
		}
		all = append(all, p)
		if p.body != nil {
			all = append(all, p, p) // three times in all, because bodies have more to get wrong
		}
		if responses, _ := operation["responses"].(servicetest.Record); responses["202"] != nil {
			all = append(all, slices.Repeat([]fuzzTarget{p}, 9)...) // few random invoices are accepted
		}
	}
	for _, row := range h.Service.KeyRows() {
		if row.Hidden {
			all = append(all, fuzzTarget{method: row.Method, path: row.Path})
		}
	}
	return all
}

// fuzzRequest is a random request.
type fuzzRequest struct {
	method string
	path   string // escaped, including the base
	query  url.Values
	raw    string // a malformed query
	header http.Header
	body   []byte
}

// request returns a random request that matches the OpenAPI document, sometimes
// with a small defect.
func (d randomSource) request(p fuzzTarget, near *fuzzState) fuzzRequest {
	s := fuzzRequest{method: p.method, path: cmp.Or(p.base, "/v1") + p.path, query: url.Values{}, header: http.Header{}}
	s.header.Set("Authorization", "Bearer "+near.key(d))
	ids := []string{"{buyer_id}", near.id(d, near.buyers), "{item_id}", near.id(d, near.items), "{invoice_id}", near.id(d, near.invoices), "{number}", fmt.Sprint(d.IntN(4))}
	for _, param := range slices.Sorted(maps.Keys(near.app)) {
		ids = append(ids, "{"+param+"}", near.id(d, near.app[param]))
	}
	s.path = strings.NewReplacer(ids...).Replace(s.path)
	for _, param := range p.params {
		if param["in"] == "query" && d.in(2) {
			schema, _ := param["schema"].(servicetest.Record)
			name, _ := param["name"].(string)
			s.query.Set(name, fmt.Sprint(d.value(schema)))
			if name == "cursor" && !d.in(3) {
				s.query.Set(name, near.cursor)
			}
		}
		if param["in"] == "header" && d.in(4) {
			name, _ := param["name"].(string)
			s.header.Set(name, one(d, []string{"ticket-1", "ticket-2", "~", "", "two words", "تذكرة", strings.Repeat("k", 100), strings.Repeat("k", 101)}))
		}
	}
	switch {
	case p.body == nil && d.in(20):
		s.header.Set("If-None-Match", "*")
	case p.body == nil:
	case p.form:
		d.fill(&s, p.body, near)
	default:
		s.header.Set("Content-Type", "application/json")
		s.body = d.json(d.value(p.body), near)
	}
	return s
}

// json encodes a value with known ids, and sometimes spoils it.
func (d randomSource) json(value any, near *fuzzState) []byte {
	if o, is := value.(servicetest.Record); is {
		near.classify(d, o)
		if inner, is := o["invoice"].(servicetest.Record); is {
			near.classify(d, inner)
		}
	}
	for d.in(3) {
		value = d.spoil(value)
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // generated values can always be encoded
	}
	if d.in(12) {
		text = d.mutate(text)
	}
	if d.in(60) {
		text = append([]byte(`{"item_name":"x","buyer_name":7,`), bytes.TrimPrefix(text, []byte("{"))...)
	}
	return text
}

// fill sets the body to a form with JSON, files that may be pictures, and
// unknown parts.
func (d randomSource) fill(s *fuzzRequest, schema servicetest.Record, near *fuzzState) {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	if err := w.SetBoundary(fmt.Sprintf("%016x", d.Uint64())); err != nil { // reproducible
		panic(err)
	}
	add := func(disposition string, content []byte) {
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {disposition}})
		if err == nil {
			_, err = part.Write(content)
		}
		if err != nil {
			panic(err) // writing to a buffer does not fail
		}
	}
	fields, _ := schema["properties"].(servicetest.Record)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		field, _ := fields[name].(servicetest.Record)
		disposition := fmt.Sprintf(`form-data; name=%q`, name)
		switch {
		case d.in(40): // left out
		case field["type"] == "object":
			add(disposition, d.json(d.value(field), near))
		case d.in(3):
			for range 1 + d.IntN(2) {
				add(disposition+one(d, []string{"", `; filename="a.png"`, `; filename=""`, `; filename="../../x"`, `; filename*=UTF-8''%ff`}), near.file(d))
			}
		}
	}
	for d.in(10) {
		add(one(d, []string{`form-data; name="more"`, `form-data`, `form-data; name=""`, `attachment`, `form-data; name="file"; filename="b"`, "form-data; name=\"\xff\""}), near.file(d))
	}
	s.header.Set("Content-Type", w.FormDataContentType())
	if !d.in(40) { // sometimes left unterminated
		if err := w.Close(); err != nil {
			panic(err)
		}
	}
	s.body = body.Bytes()
}
