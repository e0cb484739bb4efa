package codec

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"khatm/jsontree"
	"khatm/service/internal/fault"
)

// maxProblems is the maximum number of problems listed; the rest are counted.
const maxProblems = 100

// Problems collects the problems of an input.
type Problems struct {
	list    []fault.Problem
	more    int
	ignored []string // paths of unknown fields
}

// Add records a problem of the field at path. Only the first hundred are kept; the rest are counted.
func (c *Problems) Add(path string, p fault.Problem) {
	if len(c.list) == maxProblems {
		c.more++
		return
	}
	p.Path = path
	c.list = append(c.list, p)
}

// addAt is like Add for a position in a tree; it builds the path only if the
// problem is kept.
func (c *Problems) addAt(root string, way []jsontree.Step, p fault.Problem) {
	if len(c.list) == maxProblems {
		c.more++
		return
	}
	c.Add(pathOf(root, way), p)
}

// maxIgnored is the maximum number of unknown fields listed.
const maxIgnored = 20

// Ignore records an unknown field that is not a problem. Only the first twenty
// are kept.
func (c *Problems) Ignore(path string) {
	if len(c.ignored) < maxIgnored {
		c.ignored = append(c.ignored, path)
	}
}

// Ignored returns the paths of the unknown fields.
func (c *Problems) Ignored() []string { return c.ignored }

// All returns the problems, with a last entry that counts those that were not kept.
func (c *Problems) All() []fault.Problem {
	if c.more == 0 {
		return c.list
	}
	last := fault.Problem{Message: "and " + count(c.more, "further problem"), Code: fault.MoreProblems}
	return append(c.list, last)
}

// pathOf joins the steps of a path with dots. Names sent by the caller are
// shortened.
func pathOf(root string, way []jsontree.Step) string {
	var b strings.Builder
	b.WriteString(root)
	for _, s := range way {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		if s.Index >= 0 {
			b.WriteString(strconv.Itoa(s.Index))
			continue
		}
		b.WriteString(Shortened(s.Name))
	}
	return b.String()
}

// Shortened truncates a name sent by the caller for use in a message.
func Shortened(name string) string {
	const longest = 64
	name = strings.ToValidUTF8(name, "\ufffd")
	if len(name) <= longest {
		return name
	}
	end := longest
	for !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end] + "…"
}
