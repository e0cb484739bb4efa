package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"khatm/ubl"
)

// Bounds of what is parsed, in elements and attributes. A file of the largest
// size that holds an invoice, and nothing to make work, has about 90,000.
const (
	maxNodes   = 100_000
	largeNodes = 10_000    // from where on a document is large
	largeBytes = 512 << 10 // or a file
)

// found is an invoice in a file: its bytes, and what they say.
type found struct {
	xml  []byte
	root *ubl.Node
	says *ubl.Invoice
	load load
}

// looksLikeXML: mark-up, or an encoding that only XML has a reason for; the
// reader then says that it is not read.
func looksLikeXML(data []byte) bool {
	for _, mark := range []string{"\xFE\xFF", "\xFF\xFE", "\x00<", "<\x00"} {
		if bytes.HasPrefix(data, []byte(mark)) {
			return true
		}
	}
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	return bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("<"))
}

// errTooMuch is for XML that would make a tree beyond the bound.
var errTooMuch = fmt.Errorf("it has more than %d elements and attributes", maxNodes)

// xml reads a document, and says whether it is an invoice.
func (p *parser) xml(ctx context.Context, data []byte) (one found, is bool, err error) {
	nodes := weigh(data)
	if nodes > maxNodes {
		return found{}, false, errTooMuch
	}
	if nodes > largeNodes || len(data) > largeBytes {
		if err := p.grow(ctx); err != nil {
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

// weigh is how many elements and attributes XML has at most, by a glance that
// costs nothing beside the tree. An equals sign makes an attribute only where a
// quote follows: texts are full of the others.
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

// unreadableXML refuses XML for what the reader says of it. Whatever else went
// wrong is not the caller's.
func unreadableXML(what string, err error) error {
	var wrong *ubl.SyntaxError
	if !errors.As(err, &wrong) && !errors.Is(err, errTooMuch) {
		return err
	}
	return refused(what + " cannot be read: " + short(err.Error()) + ". Upload the file as it was issued")
}
