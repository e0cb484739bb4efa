// Package qr encodes and decodes the QR code of a Saudi tax invoice, renders it as
// a matrix of modules, and reads it from images.
//
// The text of the code is the base64 encoding of a list of fields, each of them
// a tag byte, a length byte and a value (TLV). [Content] holds the nine fields
// that the tax authority defines; [Content.Encode] writes them and [Read] reads
// them. [Decode] reads any list of fields. [NewSymbol] returns the printable
// symbol, and [Scan] reads the text of a symbol in an image. The package does not
// verify hashes, signatures or amounts.
package qr

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// maxText limits the input of Decode. It is far above the authority's limit of
// 1,000 characters, so that Decode can also show codes that are too long.
const maxText = 64 << 10

// Field is one field of a code.
type Field struct {
	Tag   byte
	Value []byte
}

// Decode returns the fields of a code in their order.
//
// The text must be padded standard base64 without white space. A length is a
// single byte from 0 to 255: 0x81 means 129, because the authority's format has
// no long form as BER does.
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
	// encoding/base64 ignores line breaks.
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
