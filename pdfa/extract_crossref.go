package pdfa

import (
	"bytes"
	"fmt"
)

// Limits of the cross-reference.
const (
	maxSections = 256
	tail        = 2048 // bytes at the end that are searched for startxref
)

// readCrossReference reads all sections of the cross-reference, the newest
// first.
func (r *reader) readCrossReference() error {
	from := max(0, len(r.data)-tail)
	i := bytes.LastIndex(r.data[from:], []byte("startxref"))
	if i < 0 {
		return fmt.Errorf("%w: no startxref", ErrMalformed)
	}
	l := &lexer{r: r, data: r.data, at: from + i + len("startxref")}
	t, err := l.token()
	if err != nil {
		return err
	}
	at, ok := t.(int)
	if !ok {
		return fmt.Errorf("%w: invalid startxref %v", ErrMalformed, t)
	}
	todo := []int{at}
	seen := map[int]bool{}
	for len(todo) > 0 {
		at, todo = todo[0], todo[1:]
		if seen[at] {
			continue
		}
		if seen[at] = true; len(seen) > maxSections {
			return fmt.Errorf("%w: too many cross-reference sections", ErrLimit)
		}
		further, err := r.section(at)
		if err != nil {
			return err
		}
		todo = append(todo, further...)
	}
	return nil
}

// section reads one section, which is a table or a stream, and returns the offsets
// of further sections: the stream that belongs to a table, then the previous
// section.
func (r *reader) section(at int) ([]int, error) {
	if at < 0 || at >= len(r.data) {
		return nil, fmt.Errorf("%w: cross-reference section outside the file", ErrMalformed)
	}
	l := &lexer{r: r, data: r.data, at: at}
	if err := l.skip(); err != nil {
		return nil, err
	}
	var d pdfDict
	var err error
	if bytes.HasPrefix(l.data[l.at:], []byte("xref")) {
		l.at += len("xref")
		d, err = r.table(l)
	} else {
		d, err = r.crossStream(at)
	}
	if err != nil {
		return nil, err
	}
	for _, e := range d {
		if r.trailer.get(e.key) == nil && len(r.trailer) < maxWord {
			r.trailer = append(r.trailer, e)
		}
	}
	var further []int
	for _, key := range []pdfName{"XRefStm", "Prev"} {
		if n, ok := d.integer(key); ok {
			further = append(further, n)
		}
	}
	return further, nil
}

// enter records the position of an object, unless a newer section has recorded
// one.
func (r *reader) enter(number int, e entry) error {
	if _, ok := r.entries[number]; ok {
		return nil
	}
	if len(r.entries) >= r.limits.Objects {
		return fmt.Errorf("%w: too many objects", ErrLimit)
	}
	r.entries[number] = e
	return nil
}

// table reads a table up to its trailer.
func (r *reader) table(l *lexer) (pdfDict, error) {
	for {
		t, err := l.token()
		if err != nil {
			return nil, err
		}
		if t == keyword("trailer") {
			v, err := l.value()
			if err != nil {
				return nil, err
			}
			d, ok := v.(pdfDict)
			if !ok {
				return nil, fmt.Errorf("%w: trailer without dictionary", ErrMalformed)
			}
			return d, nil
		}
		first, ok := t.(int)
		if t, err = l.token(); err != nil {
			return nil, err
		}
		count, ok2 := t.(int)
		if !ok || !ok2 || first < 0 || count < 0 {
			return nil, fmt.Errorf("%w: invalid cross-reference table", ErrMalformed)
		}
		for i := range count {
			if err := r.row(l, first+i); err != nil {
				return nil, err
			}
		}
	}
}

func (r *reader) row(l *lexer, number int) error {
	var cells [3]any
	for i := range cells {
		var err error
		if cells[i], err = l.token(); err != nil {
			return err
		}
	}
	at, ok := cells[0].(int)
	switch {
	case !ok:
		return fmt.Errorf("%w: invalid cross-reference row of object %d", ErrMalformed, number)
	case cells[2] == keyword("n"):
		return r.enter(number, entry{at: at})
	case cells[2] != keyword("f"):
		return fmt.Errorf("%w: invalid cross-reference row of object %d", ErrMalformed, number)
	}
	return nil
}
