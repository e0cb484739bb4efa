// Package qr writes and reads the code that the tax authority puts on an
// invoice, and draws it.
//
// The code is a list of fields, each a tag byte, a length byte and the value,
// the whole in base64. [Content] has the nine fields by name; [Decode] reads
// any such list, whoever made it. [Symbol] is the square to be printed. The
// package knows neither invoices nor keys: where the values come from, and
// whether they are true, is for others to say.
package qr

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// maxText bounds what Decode reads. The authority's own limit is 1,000
// characters; a code of 64 KiB fits on no paper.
const maxText = 64 << 10

// Field is one entry of a code.
type Field struct {
	Tag   byte
	Value []byte
}

// Decode reads the fields of a code in the order they stand.
//
// The text must be padded standard base64 without white space. A length is one
// plain byte, 0 to 255: the published format knows no other, so 0x81 is read
// as 129 and never as the long form of BER.
func Decode(text string) ([]Field, error) {
	data, err := decodeBase64(text)
	if err != nil {
		return nil, err
	}
	var fields []Field
	for at := 0; at < len(data); {
		tag, rest := data[at], data[at+1:]
		if len(rest) == 0 {
			return nil, fmt.Errorf("tag %d at byte %d has no length", tag, at)
		}
		length := int(rest[0])
		rest = rest[1:]
		if len(rest) < length {
			return nil, fmt.Errorf("tag %d at byte %d is cut off: %d of %d bytes", tag, at, len(rest), length)
		}
		fields = append(fields, Field{Tag: tag, Value: rest[:length:length]})
		at += 2 + length
	}
	return fields, nil
}

func decodeBase64(text string) ([]byte, error) {
	if text == "" {
		return nil, errors.New("the code is empty")
	}
	if len(text) > maxText {
		return nil, fmt.Errorf("the code has %d characters, and at most %d are read", len(text), maxText)
	}
	// The decoder of the standard library skips line ends in silence.
	if i := strings.IndexAny(text, " \t\r\n"); i >= 0 {
		return nil, fmt.Errorf("the code has white space at character %d", i+1)
	}
	if i := strings.IndexAny(text, "-_"); i >= 0 {
		return nil, fmt.Errorf("the code has %q at character %d: this is the URL form of base64, not the standard one", text[i], i+1)
	}
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err == nil {
		return data, nil
	}
	if _, unpadded := base64.RawStdEncoding.Strict().DecodeString(text); unpadded == nil {
		return nil, fmt.Errorf("the code has %d characters: the padding of its base64 is missing", len(text))
	}
	return nil, fmt.Errorf("the code is not base64: %w", err)
}
