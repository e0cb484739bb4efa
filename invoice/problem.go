package invoice

import (
	"fmt"
	"strconv"
	"strings"
)

// Problem is one thing that is wrong with facts, and where. Path is that of
// the JSON: "lines.0.item_net_price"; from [FromUBL] it is that of the XML:
// "/Invoice/cac:InvoiceLine[1]/cac:Price/cbc:BaseQuantity".
type Problem struct {
	Path, Message string
}

func (p Problem) String() string { return p.Path + ": " + p.Message }

// Problems is everything that is wrong with facts, in the order of the fields.
type Problems []Problem

func (ps Problems) Error() string {
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = p.String()
	}
	return strings.Join(texts, "; ")
}

// err returns the problems as an error, or nil when there are none.
func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// maxProblems is where the list stops: whoever has a hundred has one.
const maxProblems = 100

func (ps *Problems) add(path, format string, args ...any) {
	switch {
	case len(*ps) < maxProblems:
		*ps = append(*ps, Problem{path, fmt.Sprintf(format, args...)})
	case len(*ps) == maxProblems:
		*ps = append(*ps, Problem{path, "and more is wrong from here on"})
	}
}

// at joins a path: at("lines", 3, "vat_rate") is "lines.3.vat_rate".
func at(list string, index int, field string) string {
	path := list + "." + strconv.Itoa(index)
	if field != "" {
		path += "." + field
	}
	return path
}
