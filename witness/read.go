package witness

import (
	"bytes"
	"fmt"

	"github.com/beevik/etree"
	xrv "github.com/mattermost/xml-roundtrip-validator"
)

// Limits of a document, which bound memory and time for any input. An invoice of
// 4,000 lines has about 150,000 elements at depth 5.
const (
	maxBytes      = 16 << 20
	maxDepth      = 64
	maxElements   = 200_000
	maxAttributes = 64        // of one element
	maxPrefixes   = 64        // namespace declarations in scope
	maxComments   = 1_000     // of the document
	maxTag        = 64 << 10  // bytes from < to >
	maxNested     = 3_000_000 // elements and attributes, each counted once per level
	maxHeld       = 1_000_000 // elements and attributes, see load
)

// Unreadable is the error for bytes that cannot be read as a document.
type Unreadable struct {
	Line   int // counted from 1; 0 for the document as a whole
	Column int // in bytes
	Reason string
}

func (u *Unreadable) Error() string {
	if u.Line == 0 {
		return "document: " + u.Reason
	}
	return fmt.Sprintf("line %d, column %d: %s", u.Line, u.Column, u.Reason)
}

// unreadableAt returns an error at a byte offset.
func unreadableAt(document []byte, offset int, format string, args ...any) *Unreadable {
	before := document[:min(offset, len(document))]
	return &Unreadable{
		Line:   1 + bytes.Count(before, []byte{'\n'}),
		Column: len(before) - bytes.LastIndexByte(before, '\n'),
		Reason: fmt.Sprintf(format, args...),
	}
}

// read returns the root of a document that passed all syntax checks. It does not
// use the parser of the tree library, which silently accepts two roots, repeated
// attributes, undeclared prefixes and wrong encodings.
//
// broken reports whether an attribute value contains a line break or a tab, which
// parsers replace by a blank.
func read(document []byte) (root *etree.Element, broken bool, err error) {
	if len(document) > maxBytes {
		return nil, false, &Unreadable{Reason: fmt.Sprintf("has %d bytes, more than %d", len(document), maxBytes)}
	}
	document = bytes.TrimPrefix(document, []byte("\xEF\xBB\xBF"))
	if len(bytes.TrimSpace(document)) == 0 {
		return nil, false, &Unreadable{Reason: "is empty"}
	}
	for _, check := range []func([]byte) error{scanCharacters, scanReferences, scanMarkup} {
		if err := check(document); err != nil {
			return nil, false, err
		}
	}
	document, broken = spaced(document)
	root, err = readTokens(document)
	if err != nil {
		return nil, false, err
	}
	if !plain(document) {
		if err := xrv.Validate(bytes.NewReader(document)); err != nil {
			return nil, false, &Unreadable{Reason: "changes when it is parsed and written again: " + err.Error()}
		}
	}
	return root, broken, nil
}
