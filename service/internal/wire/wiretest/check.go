package wiretest

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Check verifies a response against the document: the operation and status must
// exist, promised headers must be present, and the body must match its schema.
func (c *Contract) Check(r *http.Request, status int, header http.Header, body []byte) error {
	path, op := c.find(r)
	if op == nil {
		return fmt.Errorf("the document has no %s %s: add a wire.Route for it to the Rows of its surface", r.Method, r.URL.Path)
	}
	where := fmt.Sprintf("%s %s (the wire.Route with the name %s) returned %d", r.Method, path, op.OperationID, status)
	ref := op.Responses.Value(strconv.Itoa(status))
	if ref == nil {
		return fmt.Errorf("%s, which is not in the document; declare the status in that route or do not return it: %.200s", where, body)
	}
	for name, promised := range ref.Value.Headers {
		if err := checkHeader(name, promised.Value, header.Values(name)); err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
	}
	if err := checkBody(ref.Value.Content, header.Get("Content-Type"), body); err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	return nil
}

// find returns the operation of a request. As in a router, a path without
// parameters is preferred.
func (c *Contract) find(r *http.Request) (string, *openapi3.Operation) {
	path, below := strings.CutPrefix(r.URL.Path, c.base)
	if !below {
		return "", nil
	}
	for _, template := range c.order {
		if matches(template, path) {
			if op := c.judge.Paths.Value(template).GetOperation(r.Method); op != nil {
				return template, op
			}
		}
	}
	return "", nil
}

func matches(template, path string) bool {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] != got[i] && !(strings.HasPrefix(want[i], "{") && got[i] != "") {
			return false
		}
	}
	return true
}

func checkHeader(name string, promised *openapi3.Header, given []string) error {
	if len(given) == 0 {
		if promised.Required {
			return fmt.Errorf("header %s is missing", name)
		}
		return nil
	}
	var value any = given[0]
	if promised.Schema.Value.Type.Is("integer") {
		n, err := strconv.ParseInt(given[0], 10, 64)
		if err != nil {
			return fmt.Errorf("header %s: %q is not an integer", name, given[0])
		}
		value = float64(n)
	}
	return visit(promised.Schema, value)
}

func checkBody(promised openapi3.Content, given string, body []byte) error {
	if len(promised) == 0 {
		if len(body) > 0 {
			return fmt.Errorf("the document promises no body, got %.100s", body)
		}
		return nil
	}
	media, _, err := mime.ParseMediaType(given)
	if err != nil {
		return fmt.Errorf("content type %q: %w", given, err)
	}
	content := promised[media]
	if content == nil {
		return fmt.Errorf("content type %s is not in the document", media)
	}
	if media == "text/event-stream" {
		return checkEvents(content.Schema, body)
	}
	if media != "application/json" || content.Schema == nil {
		return nil
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return fmt.Errorf("body is not JSON: %w: %.200s", err, body)
	}
	return visit(content.Schema, value)
}

// checkEvents checks the data of each event of a stream that has no type, and that
// the data of the others is JSON.
func checkEvents(promised *openapi3.SchemaRef, body []byte) error {
	for block := range strings.SplitSeq(string(body), "\n\n") {
		kind, data := "", ""
		for line := range strings.SplitSeq(block, "\n") {
			switch name, value, _ := strings.Cut(line, ": "); name {
			case "event":
				kind = value
			case "data":
				data += value
			}
		}
		if data == "" {
			continue // a comment, or the part that was sent when the connection ended
		}
		var value any
		if err := json.Unmarshal([]byte(data), &value); err != nil {
			return fmt.Errorf("data of an event is not JSON: %w: %.200s", err, data)
		}
		if kind != "" {
			continue
		}
		if err := visit(promised, value); err != nil {
			return err
		}
	}
	return nil
}

// visitOptions are the options of visit. openapi3 validates dates by itself, but
// not UUIDs.
var visitOptions = []openapi3.SchemaValidationOption{
	openapi3.VisitAsResponse(), openapi3.EnableFormatValidation(),
	openapi3.WithStringFormatValidator("uuid", openapi3.NewRegexpFormatValidator(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)),
}

// visit checks a value against a schema.
func visit(s *openapi3.SchemaRef, value any) error {
	return s.Value.VisitJSON(value, visitOptions...)
}
