package witness

import (
	"bytes"
	"fmt"

	"github.com/beevik/etree"
	xrv "github.com/mattermost/xml-roundtrip-validator"
)

// Bounds of a document, so that memory and time stay bounded whatever is sent.
// An invoice of 4,000 lines has about 150,000 elements at depth 5.
const (
	maxBytes      = 16 << 20
	maxDepth      = 64
	maxElements   = 200_000
	maxAttributes = 64        // of one element
	maxPrefixes   = 64        // namespace declarations in scope
	maxComments   = 1_000     // the canonicaliser removes each by moving all that follows
	maxTag        = 64 << 10  // bytes from < to >
	maxNested     = 3_000_000 // elements and attributes, each counted once a level
	maxHeld       = 1_000_000 // what the canonicaliser holds at once, see load
)

// Unreadable says why bytes are no document that can be judged, and where.
type Unreadable struct {
	Line   int // 1 is the first; 0 when the whole document is meant
	Column int // in bytes
	Reason string
}

func (u *Unreadable) Error() string {
	if u.Line == 0 {
		return "document: " + u.Reason
	}
	return fmt.Sprintf("line %d, column %d: %s", u.Line, u.Column, u.Reason)
}

// unreadableAt places a reason at a byte offset.
func unreadableAt(document []byte, offset int, format string, args ...any) *Unreadable {
	before := document[:min(offset, len(document))]
	return &Unreadable{
		Line:   1 + bytes.Count(before, []byte{'\n'}),
		Column: len(before) - bytes.LastIndexByte(before, '\n'),
		Reason: fmt.Sprintf(format, args...),
	}
}

// read returns the root of a document that passed every check of form. The tree
// library's own reader is not asked: it takes two roots, doubled attributes,
// undeclared prefixes and false encodings without a word.
func read(document []byte) (*etree.Element, error) {
	if len(document) > maxBytes {
		return nil, &Unreadable{Reason: fmt.Sprintf("has %d bytes, more than %d", len(document), maxBytes)}
	}
	document = bytes.TrimPrefix(document, []byte("\xEF\xBB\xBF"))
	if len(bytes.TrimSpace(document)) == 0 {
		return nil, &Unreadable{Reason: "is empty"}
	}
	for _, check := range []func([]byte) error{scanCharacters, scanReferences, scanMarkup} {
		if err := check(document); err != nil {
			return nil, err
		}
	}
	root, err := readTokens(document)
	if err != nil {
		return nil, err
	}
	if !plain(document) {
		if err := xrv.Validate(bytes.NewReader(document)); err != nil {
			return nil, &Unreadable{Reason: "does not survive being read and written: " + err.Error()}
		}
	}
	return root, nil
}
