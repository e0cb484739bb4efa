package codec

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"khatm/jsontree"
	"khatm/service/internal/fault"
)

// maxProblems bounds how many problems are told; the rest are counted.
const maxProblems = 100

// Problems gathers what is wrong with an input.
type Problems struct {
	list []fault.Problem
	more int
}

// Add notes a problem. Only the first hundred are kept; the rest are counted.
func (c *Problems) Add(path, message string) {
	if len(c.list) == maxProblems {
		c.more++
		return
	}
	c.list = append(c.list, fault.Problem{Path: path, Message: message})
}

// addAt is Add for a place in a tree; its path is put together only if it is told.
func (c *Problems) addAt(root string, way []jsontree.Step, message string) {
	if len(c.list) == maxProblems {
		c.more++
		return
	}
	c.Add(pathOf(root, way), message)
}

// All lists them, with a last line for those left out.
func (c *Problems) All() []fault.Problem {
	if c.more == 0 {
		return c.list
	}
	last := fault.Problem{Message: "and " + count(c.more, "further problem")}
	return append(c.list, last)
}

// pathOf writes a path with dots. Names of a caller's own making are cut short.
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

// Shortened cuts a name of a caller's own making for a message.
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
