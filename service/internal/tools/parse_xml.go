package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"khatm/service/internal/fault"
	"khatm/ubl"
)

// Limits of what is parsed, in elements and attributes. An ordinary invoice of
// the maximum file size has about 90,000.
const (
	maxNodes   = 100_000
	largeNodes = 10_000    // a document with more is large
	largeBytes = 512 << 10 // a file with more is large
)

// found is an invoice found in a file.
type found struct {
	xml  []byte
	root *ubl.Node
	says *ubl.Invoice
	load load
}

// looksLikeXML reports whether data begins like XML. That includes encodings which
// only XML uses, so that the parser can report them as unsupported.
func looksLikeXML(data []byte) bool {
	for _, mark := range []string{"\xFE\xFF", "\xFF\xFE", "\x00<", "<\x00"} {
		if bytes.HasPrefix(data, []byte(mark)) {
			return true
		}
	}
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	return bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("<"))
}

// errTooMuch is the error for XML with too many nodes.
var errTooMuch = fmt.Errorf("it has more than %d elements and attributes", maxNodes)

// xml parses a document and reports whether it is an invoice.
func (p *parser) xml(ctx context.Context, data []byte) (one found, is bool, err error) {
	nodes := weigh(data)
	if nodes > maxNodes {
		return found{}, false, errTooMuch
	}
	if nodes > largeNodes || len(data) > largeBytes {
		if err := p.acquireLarge(ctx); err != nil {
			return found{}, false, err
		}
	}
	root, err := ubl.Parse(data)
	if err != nil {
		return found{}, false, err
	}
	if root.Name != "Invoice" {
		return found{}, false, nil
	}
	says, err := ubl.Bind(root)
	if err != nil {
		return found{}, false, err
	}
	return found{xml: data, root: root, says: says, load: loadOf(data, root)}, true, nil
}

// weigh returns an upper bound for the number of elements and attributes in XML,
// at a small fraction of the cost of parsing. An equals sign counts as an
// attribute only before a quote, because texts contain many others.
func weigh(data []byte) int {
	nodes := bytes.Count(data, []byte("<")) - bytes.Count(data, []byte("</"))
	for {
		at := bytes.IndexByte(data, '=')
		if at < 0 {
			return nodes
		}
		data = data[at+1:]
		if value := bytes.TrimLeft(data, " \t\r\n"); len(value) > 0 && (value[0] == '"' || value[0] == '\'') {
			nodes++
		}
	}
}

// unreadableXML returns the error for XML that cannot be parsed. Any other error
// is returned unchanged.
func unreadableXML(what string, err error) error {
	var wrong *ubl.SyntaxError
	if !errors.As(err, &wrong) && !errors.Is(err, errTooMuch) {
		return err
	}
	return refused(fault.UnreadableFile, what+" cannot be read: "+short(err.Error())+". Upload the file as it was issued")
}
