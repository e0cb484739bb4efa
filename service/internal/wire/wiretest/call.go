package wiretest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
)

// Call is a request made from the document. It has no credentials.
type Call struct {
	Operation string // operation id
	Method    string
	URL       string // path and query, including the base path
	Header    http.Header
	Body      []byte
}

// Request returns the call as an HTTP request. Host is the scheme and host of the
// server, such as "http://127.0.0.1:8080".
func (c Call) Request(host string) (*http.Request, error) {
	r, err := http.NewRequest(c.Method, host+c.URL, bytes.NewReader(c.Body))
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", c.Operation, err)
	}
	r.Header = c.Header.Clone()
	return r, nil
}

// callBuilder builds a call.
type callBuilder struct {
	contract *Contract
	op       operation
	params   map[string]string // by place and name, such as "query page"
	media    string
	body     any            // JSON body
	parts    map[string]any // parts of a form
	raw      []byte         // raw body, for invalid JSON
}

// newCall starts a call that the document allows, with required parameters and
// fields only.
func (c *Contract) newCall(op operation) (*callBuilder, error) {
	cb := &callBuilder{contract: c, op: op, params: map[string]string{}}
	for _, value := range list(op.object["parameters"]) {
		p := c.resolve(value)
		if p["required"] != true {
			continue
		}
		sample, err := c.sample(p["schema"])
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", op.name, p["name"], err)
		}
		cb.params[text(p["in"])+" "+text(p["name"])] = asText(sample)
	}
	for media, content := range object(object(op.object["requestBody"])["content"]) {
		cb.media = media
		sample, err := c.sample(object(content)["schema"])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op.name, err)
		}
		if media == "multipart/form-data" {
			cb.parts = object(sample)
		} else {
			cb.body = sample
		}
	}
	return cb, nil
}

// asText returns a value in the form used in parameters.
func asText(value any) string {
	if values, is := value.([]any); is {
		var all []string
		for _, one := range values {
			all = append(all, asText(one))
		}
		return strings.Join(all, ",")
	}
	return fmt.Sprint(value)
}

func (cb *callBuilder) call() (Call, error) {
	call := Call{Operation: cb.op.name, Method: cb.op.method, Header: http.Header{}}
	path, query := cb.op.path, url.Values{}
	for key, value := range cb.params {
		place, name, _ := strings.Cut(key, " ")
		switch place {
		case "path":
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
		case "query":
			query.Set(name, value)
		case "header":
			call.Header.Set(name, value)
		}
	}
	call.URL = cb.contract.base + path
	if len(query) > 0 {
		call.URL += "?" + query.Encode()
	}
	if cb.media == "" {
		return call, nil
	}
	call.Header.Set("Content-Type", cb.media)
	var err error
	switch {
	case cb.raw != nil:
		call.Body = cb.raw
	case cb.parts != nil:
		call.Body, err = cb.form(call.Header)
	default:
		call.Body, err = json.Marshal(cb.body)
	}
	return call, err
}

// form encodes the parts of a form and sets its Content-Type. A string is sent as a
// file.
func (cb *callBuilder) form(header http.Header) ([]byte, error) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(cb.parts)) {
		disposition := fmt.Sprintf("form-data; name=%q", name)
		content := []byte(text(cb.parts[name]))
		if _, isFile := cb.parts[name].(string); isFile {
			disposition += `; filename="file"`
		} else {
			var err error
			if content, err = json.Marshal(cb.parts[name]); err != nil {
				return nil, err
			}
		}
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {disposition}})
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(content); err != nil {
			return nil, err
		}
	}
	header.Set("Content-Type", w.FormDataContentType())
	err := w.Close()
	return b.Bytes(), err
}
