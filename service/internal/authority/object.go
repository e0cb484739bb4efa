package authority

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"khatm/service/internal/ledger"
)

// object is a JSON object whose fields are decoded on demand. A nil object is
// empty.
type object map[string]json.RawMessage

// readObject parses a body as a JSON object. If it is not one, the form says
// what it is.
func readObject(body []byte) (object, form) {
	text := strings.TrimSpace(strings.TrimPrefix(string(body), "\uFEFF"))
	if text == "" {
		return nil, blank
	}
	// A JSON object inside a string, as sent by gateways that encode twice.
	if inner := ""; text[0] == '"' && json.Unmarshal([]byte(text), &inner) == nil {
		if inner = strings.TrimSpace(inner); strings.HasPrefix(inner, "{") {
			text = inner
		}
	}
	var o object
	switch err := json.Unmarshal([]byte(text), &o); {
	case err == nil && o != nil:
		return o, other
	case json.Valid([]byte(text)):
		return nil, other
	case text[0] == '{' || text[0] == '[' || text[0] == '"':
		return nil, broken
	}
	return nil, page
}

func (o object) hasAny(names ...string) bool {
	for _, name := range names {
		if _, there := o[name]; there {
			return true
		}
	}
	return false
}

func (o object) object(name string) object {
	var inner object
	if json.Unmarshal(o[name], &inner) != nil {
		return nil
	}
	return inner
}

// text returns a string field, or the digits of a number field.
func (o object) text(name string) string { return textOf(o[name]) }

func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return strings.TrimSpace(text)
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil {
		return number.String()
	}
	return ""
}

// messages reads the messages of all named fields: a list, a single message, or
// plain strings. Empty messages are left out.
func (o object) messages(names ...string) []ledger.Message {
	var found []ledger.Message
	for _, name := range names {
		var list []json.RawMessage
		if json.Unmarshal(o[name], &list) != nil && o[name] != nil {
			list = []json.RawMessage{o[name]}
		}
		for _, raw := range list {
			if m := messageOf(raw); m.Code != "" || m.Message != "" {
				found = append(found, m)
			}
		}
	}
	return found
}

func messageOf(raw json.RawMessage) ledger.Message {
	var m object
	if json.Unmarshal(raw, &m) != nil {
		return ledger.Message{Message: textOf(raw)}
	}
	return ledger.Message{Type: m.text("type"), Code: m.text("code"), Category: m.text("category"), Message: m.text("message"), Status: m.text("status")}
}

// document decodes a base64 document, or returns nil if there is none.
func (o object) document(name string) []byte {
	text := strings.Join(strings.Fields(o.text(name)), "")
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(data) == 0 {
		return nil
	}
	return data
}
