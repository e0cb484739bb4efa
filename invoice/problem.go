package invoice

import (
	"fmt"
	"strconv"
	"strings"
)

// Problem is an error in one field. Path is a path in the JSON, such as
// "lines.0.item_net_price". Problems returned by [FromUBL] have a path in the
// XML, such as "/Invoice/cac:InvoiceLine[1]/cac:Price/cbc:BaseQuantity".
type Problem struct {
	Path, Message string
}

func (p Problem) String() string { return p.Path + ": " + p.Message }

// Problems is an error that lists all invalid fields, in the order of the
// fields.
type Problems []Problem

func (ps Problems) Error() string {
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = p.String()
	}
	return strings.Join(texts, "; ")
}

// err returns the problems as an error, or nil if there are none.
func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// maxProblems limits the length of the list.
const maxProblems = 100

func (ps *Problems) add(path, format string, args ...any) {
	switch {
	case len(*ps) < maxProblems:
		*ps = append(*ps, Problem{path, fmt.Sprintf(format, args...)})
	case len(*ps) == maxProblems:
		*ps = append(*ps, Problem{path, "and further problems that are not listed"})
	}
}

// at returns a path: at("lines", 3, "vat_rate") is "lines.3.vat_rate".
func at(list string, index int, field string) string {
	path := list + "." + strconv.Itoa(index)
	if field != "" {
		path += "." + field
	}
	return path
}
