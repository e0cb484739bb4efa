package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"khatm/simulator/recording"
)

// Difference is one difference between a recorded response and that of the
// simulator.
type Difference struct {
	What      string `json:"what"`            // status, content type, header, body, field, type, value, message or answer
	Field     string `json:"field,omitempty"` // path in the body, or name of the header
	Recorded  string `json:"recorded"`
	Simulator string `json:"simulator"`
}

// absent is shown for a field or message that one side does not have.
const absent = "absent"

// comparedHeaders are the headers whose presence is compared.
var comparedHeaders = []string{"Allow", "Location", "Retry-After"}

// comparedValues are the fields whose values belong to the protocol. The values
// of all other fields are data and are not compared.
var comparedValues = []string{
	"category", "clearanceStatus", "code", "dispositionMessage", "error", "errorCategory", "errorCode", "httpCode",
	"qrBuyertStatus", "qrSellertStatus", "reportingStatus", "status", "tokenType", "type",
}

// compare returns the differences between a recorded response and an answer.
func compare(recorded *recording.Message, status int, header http.Header, body []byte) []Difference {
	var c comparison
	c.differ("status", "", fmt.Sprint(recorded.Status), fmt.Sprint(status))
	c.differ("content type", "", mediaType(recorded.Header), mediaType(header))
	for _, name := range comparedHeaders {
		c.differ("header", name, presence(recorded.Header, name), presence(header, name))
	}
	if recorded.Cut == "" {
		stored, err := recorded.Body()
		if err != nil {
			c.differ("body", "", "cannot be decoded: "+err.Error(), kindOf(body))
		} else {
			c.bodies(stored, body)
		}
	}
	return c.found
}

// mediaType returns the type of a body without parameters such as the charset.
func mediaType(h http.Header) string {
	text := h.Get("Content-Type")
	if text == "" {
		return absent
	}
	kind, _, err := mime.ParseMediaType(text)
	if err != nil {
		return text
	}
	return kind
}

func presence(h http.Header, name string) string {
	if h.Get(name) == "" {
		return absent
	}
	return "present"
}

type comparison struct{ found []Difference }

func (c *comparison) differ(what, field, recorded, simulator string) {
	if recorded != simulator {
		c.found = append(c.found, Difference{what, field, recorded, simulator})
	}
}

// bodies compares two bodies: as JSON if both are, otherwise only their kinds.
func (c *comparison) bodies(recorded, simulator []byte) {
	c.differ("body", "", kindOf(recorded), kindOf(simulator))
	a, errA := decode(recorded)
	b, errB := decode(simulator)
	if errA == nil && errB == nil {
		c.values("", a, b)
	}
}

// kindOf returns empty, JSON, HTML or text.
func kindOf(body []byte) string {
	trimmed := bytes.TrimSpace(body)
	if len(trimmed) == 0 {
		return "empty"
	}
	if _, err := decode(body); err == nil {
		return "JSON"
	}
	if bytes.HasPrefix(bytes.ToLower(trimmed), []byte("<!doctype html")) || bytes.HasPrefix(bytes.ToLower(trimmed), []byte("<html")) {
		return "HTML"
	}
	return "text"
}

func decode(body []byte) (value any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if decoder.More() {
		return nil, fmt.Errorf("more than one JSON value")
	}
	return value, nil
}

// values compares two JSON values at a path.
func (c *comparison) values(at string, a, b any) {
	if typeOf(a) != typeOf(b) {
		c.differ("type", at, typeOf(a), typeOf(b))
		return
	}
	switch a := a.(type) {
	case map[string]any:
		b, _ := b.(map[string]any) // of the same type
		c.objects(at, a, b)
	case []any:
		b, _ := b.([]any) // of the same type
		c.lists(at, a, b)
	default:
		name := at[strings.LastIndexByte(at, '.')+1:]
		if slices.Contains(comparedValues, name) {
			c.differ("value", at, fmt.Sprint(a), fmt.Sprint(b))
		}
	}
}

func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		return "number"
	case string:
		return "string"
	case []any:
		return "list"
	}
	return "object"
}

func (c *comparison) objects(at string, a, b map[string]any) {
	names := slices.Collect(maps.Keys(a))
	for name := range b {
		if _, both := a[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		inA, okA := a[name]
		inB, okB := b[name]
		path := strings.TrimPrefix(at+"."+name, ".")
		switch {
		case !okB:
			c.differ("field", path, typeOf(inA), absent)
		case !okA:
			c.differ("field", path, absent, typeOf(inB))
		default:
			c.values(path, inA, inB)
		}
	}
}

// lists compares two lists. Messages with the same code are compared with each
// other, in any order; elements without a code are compared by position.
func (c *comparison) lists(at string, a, b []any) {
	byCode := map[string][]any{}
	for i, element := range b {
		code := codeOf(element, i)
		byCode[code] = append(byCode[code], element)
	}
	for i, element := range a {
		code := codeOf(element, i)
		same := byCode[code]
		if len(same) == 0 {
			c.differ("message", at, code, absent)
			continue
		}
		byCode[code] = same[1:]
		c.values(at+"["+code+"]", element, same[0])
	}
	for _, code := range slices.Sorted(maps.Keys(byCode)) {
		for range byCode[code] {
			c.differ("message", at, absent, code)
		}
	}
}

func codeOf(element any, position int) string {
	object, _ := element.(map[string]any)
	if code, ok := object["code"].(string); ok && code != "" {
		return code
	}
	return fmt.Sprint(position)
}
