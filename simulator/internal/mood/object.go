package mood

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// object is the top level of a JSON object: its members in their original
// order, including repeated ones, with each value unchanged byte for byte.
type object []member

type member struct {
	key   string
	value json.RawMessage
}

// parseObject parses the top level of a JSON object. It returns false if raw is
// anything other than exactly one JSON object.
func parseObject(raw []byte) (object, bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	o := object{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, false
		}
		key, ok := t.(string)
		var value json.RawMessage
		if !ok || dec.Decode(&value) != nil {
			return nil, false
		}
		o = append(o, member{key, value})
	}
	return o, closes(dec)
}

// parseList parses the top level of a JSON list. It returns false if raw is
// anything other than exactly one JSON list.
func parseList(raw []byte) ([]json.RawMessage, bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return nil, false
	}
	list := []json.RawMessage{}
	for dec.More() {
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return nil, false
		}
		list = append(list, value)
	}
	return list, closes(dec)
}

func closes(dec *json.Decoder) bool {
	if _, err := dec.Token(); err != nil {
		return false
	}
	_, err := dec.Token()
	return errors.Is(err, io.EOF)
}

func (o object) get(key string) (json.RawMessage, bool) {
	for _, m := range o {
		if m.key == key {
			return m.value, true
		}
	}
	return nil, false
}

func (o object) set(key string, value json.RawMessage) {
	for i := range o {
		if o[i].key == key {
			o[i].value = value
			return
		}
	}
}

func (o object) encode() json.RawMessage {
	out := bytes.NewBufferString("{")
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := enc.Encode(m.key); err != nil {
			panic(err) // encoding a string cannot fail
		}
		out.Truncate(out.Len() - 1) // the encoder adds a line break
		out.WriteByte(':')
		out.Write(m.value)
	}
	out.WriteByte('}')
	return out.Bytes()
}

func encodeList(list []json.RawMessage) json.RawMessage {
	out := bytes.NewBufferString("[")
	for i, v := range list {
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(v)
	}
	out.WriteByte(']')
	return out.Bytes()
}
