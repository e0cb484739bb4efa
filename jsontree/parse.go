package jsontree

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of a JSON text. An invoice of 4,000 lines has about 50,000 values. The
// limit bounds the memory that a text of many small values needs.
const (
	maxDepth  = 32
	maxValues = 200_000
)

// parser reads a JSON text once, from left to right.
type parser struct {
	text      string
	at        int
	nodes     Tree
	open      []container                    // the arrays and objects around the current value
	path      []Step                         // memory for the path of a duplicate
	duplicate func(path []Step, name string) // called for each duplicate name
}

// container is an array or object that is being parsed.
type container struct {
	node  int32 // index in the tree
	count int32 // number of complete children
}

// Parse parses a complete JSON text of at most 200,000 values, nested at most
// 32 levels deep. It calls duplicate once for each member name that occurs more than
// once in an object. The path is that of the object and is valid only during the
// call. The error is a [*SyntaxError].
func Parse(text string, duplicate func(path []Step, name string)) (Tree, error) {
	p := parser{
		text: text, duplicate: duplicate,
		nodes: make(Tree, 0, min(len(text)/20+4, maxValues)),
		open:  make([]container, 0, maxDepth),
	}
	if at := invalidUTF8(text); at >= 0 {
		return nil, p.fail(at, "not UTF-8")
	}
	if strings.HasPrefix(text, "\ufeff") {
		return nil, p.fail(0, "a byte order mark")
	}
	p.space()
	if err := p.value(""); err != nil {
		return nil, err
	}
	p.space()
	if p.at < len(p.text) {
		return nil, p.fail(p.at, "trailing characters")
	}
	return p.nodes, nil
}

// invalidUTF8 returns the index of the first invalid byte, or -1.
func invalidUTF8(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd") {
			return i
		}
	}
	return -1
}

func (p *parser) fail(at int, what string) error {
	before := p.text[:at]
	line := 1 + strings.Count(before, "\n")
	column := 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return &SyntaxError{what, line, column}
}

// unexpected returns the error for a missing token at the current position.
func (p *parser) unexpected(wanted string) error {
	if p.at >= len(p.text) {
		return p.fail(p.at, "unexpected end, expected "+wanted)
	}
	return p.fail(p.at, "expected "+wanted)
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

// peek returns the next byte, or 0 at the end. A zero byte in the text is never
// valid, so the two need not be told apart.
func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) value(key string) error {
	if len(p.nodes) >= maxValues {
		return p.fail(p.at, fmt.Sprintf("more than %d values", maxValues))
	}
	self := len(p.nodes)
	p.nodes = append(p.nodes, Node{Key: key})
	err := p.content(self)
	p.nodes[self].Next = int32(len(p.nodes))
	return err
}

func (p *parser) content(self int) (err error) {
	n := &p.nodes[self]
	switch c := p.peek(); {
	case c == '"':
		n.Kind = String
		n.Text, err = p.str()
	case c == '{':
		n.Kind = Object
		return p.nested(self, '}')
	case c == '[':
		n.Kind = Array
		return p.nested(self, ']')
	case c == '-' || c >= '0' && c <= '9':
		n.Kind = Number
		n.Text, err = p.number()
	default:
		n.Kind, err = p.word()
	}
	return err
}

func (p *parser) word() (Kind, error) {
	rest := p.text[p.at:]
	switch {
	case strings.HasPrefix(rest, "null"):
		p.at += len("null")
		return Null, nil
	case strings.HasPrefix(rest, "true"):
		p.at += len("true")
		return True, nil
	case strings.HasPrefix(rest, "false"):
		p.at += len("false")
		return False, nil
	}
	return Null, p.unexpected("a value")
}

// nested parses the content of an array or an object.
func (p *parser) nested(self int, closing byte) error {
	if len(p.open) == maxDepth {
		return p.fail(p.at, fmt.Sprintf("nested deeper than %d", maxDepth))
	}
	depth := len(p.open)
	p.open = append(p.open, container{node: int32(self)})
	p.at++
	p.space()
	for p.peek() != closing {
		if p.open[depth].count > 0 {
			if p.peek() != ',' {
				return p.unexpected("a comma or a closing bracket")
			}
			p.at++
			p.space()
		}
		if err := p.child(closing == '}'); err != nil {
			return err
		}
		p.open[depth].count++
		p.space()
	}
	p.at++
	p.nodes[self].Size = p.open[depth].count
	if closing == '}' {
		p.reportDuplicates(self)
	}
	p.open = p.open[:depth]
	return nil
}

// child parses an element of an array, or a member of an object with its name.
func (p *parser) child(named bool) error {
	if !named {
		return p.value("")
	}
	if p.peek() != '"' {
		return p.unexpected("a name in double quotes")
	}
	key, err := p.str()
	if err != nil {
		return err
	}
	p.space()
	if p.peek() != ':' {
		return p.unexpected("a colon")
	}
	p.at++
	p.space()
	return p.value(key)
}

// pathOfOpen returns the path of the innermost array or object that is being parsed.
func (p *parser) pathOfOpen() []Step {
	p.path = p.path[:0]
	for i := 1; i < len(p.open); i++ {
		outer, inner := p.open[i-1], p.open[i]
		if p.nodes[outer.node].Kind == Array {
			p.path = append(p.path, Step{Index: int(outer.count)})
		} else {
			p.path = append(p.path, Member(p.nodes[inner.node].Key))
		}
	}
	return p.path
}

// reportDuplicates reports the duplicate names of an object.
func (p *parser) reportDuplicates(self int) {
	const few = 24 // up to this size, comparing all pairs is faster than a map
	if size := int(p.nodes[self].Size); size > few {
		count := make(map[string]int, size)
		for i := self + 1; i < len(p.nodes); i = int(p.nodes[i].Next) {
			key := p.nodes[i].Key
			if count[key]++; count[key] == 2 {
				p.duplicate(p.pathOfOpen(), key)
			}
		}
		return
	}
	for i := self + 1; i < len(p.nodes); i = int(p.nodes[i].Next) {
		earlier := 0
		for j := self + 1; j < i; j = int(p.nodes[j].Next) {
			if p.nodes[j].Key == p.nodes[i].Key {
				earlier++
			}
		}
		if earlier == 1 {
			p.duplicate(p.pathOfOpen(), p.nodes[i].Key)
		}
	}
}
