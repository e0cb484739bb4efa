package wire

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds of a JSON text. An invoice of 4,000 lines holds some 50,000 values; the
// bound keeps what a body of many small values costs in memory near its size.
const (
	maxDepth  = 32
	maxValues = 200_000
)

// form is what a JSON value is written as.
type form uint8

const (
	formNull form = iota
	formFalse
	formTrue
	formNumber
	formString
	formArray
	formObject
)

// node is one value of a JSON text.
type node struct {
	key  string // the member's name, in an object
	text string // a string without its escapes, or a number as it was written
	next int32  // the index behind this value and all it holds
	size int32  // how many values it holds directly
	form form
}

// tree is a JSON text in one list: a value stands before those it holds. Unlike
// what encoding/json makes, it keeps numbers as written, the order of members,
// and names given twice.
type tree []node

// step is one part of a path: a member's name, or an index in a list.
type step struct {
	name  string
	index int // -1 where the name counts
}

// syntaxError says where a text stops being JSON.
type syntaxError struct {
	what         string
	line, column int
}

func (e *syntaxError) Error() string {
	return fmt.Sprintf("Invalid JSON: %s at line %d column %d", e.what, e.line, e.column)
}

// parser reads a JSON text once, from left to right.
type parser struct {
	text  string
	at    int
	depth int
	nodes tree
	path  []step
	twice func(path []step, name string) // told of each name given twice
}

// parse reads a whole JSON text. The error is a *syntaxError.
func parse(text string, twice func(path []step, name string)) (tree, error) {
	p := parser{text: text, twice: twice, nodes: make(tree, 0, min(len(text)/20+4, maxValues))}
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
	return &syntaxError{what, line, column}
}

// unexpected says what stands where something else should.
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

// peek gives the next byte, or 0 at the end; a 0 in the text fits nowhere either.
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
	p.nodes = append(p.nodes, node{key: key})
	err := p.content(self)
	p.nodes[self].next = int32(len(p.nodes))
	return err
}

func (p *parser) content(self int) (err error) {
	n := &p.nodes[self]
	switch c := p.peek(); {
	case c == '"':
		n.form = formString
		n.text, err = p.str()
	case c == '{':
		n.form = formObject
		return p.nested(self, '}', p.member)
	case c == '[':
		n.form = formArray
		return p.nested(self, ']', p.element)
	case c == '-' || c >= '0' && c <= '9':
		n.form = formNumber
		n.text, err = p.number()
	default:
		n.form, err = p.word()
	}
	return err
}

func (p *parser) word() (form, error) {
	rest := p.text[p.at:]
	switch {
	case strings.HasPrefix(rest, "null"):
		p.at += len("null")
		return formNull, nil
	case strings.HasPrefix(rest, "true"):
		p.at += len("true")
		return formTrue, nil
	case strings.HasPrefix(rest, "false"):
		p.at += len("false")
		return formFalse, nil
	}
	return formNull, p.unexpected("a value")
}

// nested reads what stands between brackets.
func (p *parser) nested(self int, closing byte, inner func(index int) error) error {
	if p.depth == maxDepth {
		return p.fail(p.at, fmt.Sprintf("nested deeper than %d", maxDepth))
	}
	p.depth++
	p.at++
	p.space()
	count := 0
	for ; p.peek() != closing; count++ {
		if count > 0 {
			if p.peek() != ',' {
				return p.unexpected("a comma or a closing bracket")
			}
			p.at++
			p.space()
		}
		if err := inner(count); err != nil {
			return err
		}
		p.space()
	}
	p.at++
	p.depth--
	p.nodes[self].size = int32(count)
	if closing == '}' {
		p.findTwice(self)
	}
	return nil
}

func (p *parser) element(index int) error {
	p.path = append(p.path, step{index: index})
	err := p.value("")
	p.path = p.path[:len(p.path)-1]
	return err
}

func (p *parser) member(int) error {
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
	p.path = append(p.path, step{key, -1})
	err = p.value(key)
	p.path = p.path[:len(p.path)-1]
	return err
}

// findTwice tells of names that an object gives more than once.
func (p *parser) findTwice(self int) {
	const few = 24 // up to here comparing each with each beats a map
	if size := int(p.nodes[self].size); size > few {
		count := make(map[string]int, size)
		for i := self + 1; i < len(p.nodes); i = int(p.nodes[i].next) {
			key := p.nodes[i].key
			if count[key]++; count[key] == 2 {
				p.twice(p.path, key)
			}
		}
		return
	}
	for i := self + 1; i < len(p.nodes); i = int(p.nodes[i].next) {
		earlier := 0
		for j := self + 1; j < i; j = int(p.nodes[j].next) {
			if p.nodes[j].key == p.nodes[i].key {
				earlier++
			}
		}
		if earlier == 1 {
			p.twice(p.path, p.nodes[i].key)
		}
	}
}
