package pdfa

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// reader reads the objects of a PDF on demand and counts the cost against the
// limits.
type reader struct {
	ctx    context.Context //nolint:containedctx // it lives for one call
	limits Limits
	data   []byte

	work, values, decoded int
	inflate               inflater

	entries map[int]entry
	objects map[int]any
	busy    map[int]bool
	packed  map[int]*objectStream
	trailer pdfDict
	broken  bool // whether something was not where the cross-reference says
}

// entry is the position of an object: an offset, or an object stream.
type entry struct {
	packed bool
	at     int // offset, or number of the object stream
}

// objectStream is a decoded object stream.
type objectStream struct {
	data   []byte
	places map[int]int // object number to offset
	order  []int
}

// reset resets the cross-reference, but not the counters of the limits.
func (r *reader) reset() {
	r.entries, r.objects, r.busy = map[int]entry{}, map[int]any{}, map[int]bool{}
	r.packed, r.trailer = map[int]*objectStream{}, nil
}

// spend counts bytes that are read.
func (r *reader) spend(n int) error {
	before := r.work
	r.work += n
	if r.work > r.limits.Work {
		return fmt.Errorf("%w: too much work", ErrLimit)
	}
	if before>>16 != r.work>>16 {
		if err := r.ctx.Err(); err != nil {
			return fmt.Errorf("extract files: %w", err)
		}
	}
	return nil
}

// keep counts values that are kept in memory.
func (r *reader) keep(n int) error {
	if r.values += n; r.values > r.limits.Values {
		return fmt.Errorf("%w: too many values", ErrLimit)
	}
	return nil
}

// resolve follows references to a value. A missing object is null.
func (r *reader) resolve(v any) (any, error) {
	const longest = 16
	for range longest {
		ref, ok := v.(pdfRef)
		if !ok {
			return v, nil
		}
		var err error
		if v, err = r.object(ref.number); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%w: circular references", ErrMalformed)
}

// dict resolves a value that should be a dictionary or a stream, and returns the
// dictionary. It returns an empty dictionary for other values.
func (r *reader) dict(v any) (pdfDict, error) {
	v, err := r.resolve(v)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case pdfDict:
		return v, r.spend(len(v))
	case *pdfStream:
		return v.dict, r.spend(len(v.dict))
	}
	return nil, nil //nolint:nilnil // an empty dictionary
}

// array resolves a value that should be an array. It returns nil for other
// values.
func (r *reader) array(v any) ([]any, error) {
	v, err := r.resolve(v)
	if err != nil {
		return nil, err
	}
	all, _ := v.([]any)
	return all, r.spend(len(all))
}

// object reads the object with the given number. A malformed object is read as
// null and sets broken; only exceeded limits are errors.
func (r *reader) object(number int) (any, error) {
	if v, ok := r.objects[number]; ok {
		return v, nil
	}
	e, ok := r.entries[number]
	if !ok || r.busy[number] {
		return nil, nil //nolint:nilnil // a missing object is null
	}
	r.busy[number] = true
	defer delete(r.busy, number)
	var v any
	var err error
	if e.packed {
		v, err = r.packedObject(e.at, number)
	} else {
		var found int
		if found, v, err = r.objectAt(e.at); err == nil && found != number {
			err = fmt.Errorf("%w: object %d where %d should be", ErrMalformed, found, number)
		}
	}
	if errors.Is(err, ErrMalformed) {
		v, err, r.broken = nil, nil, true
	}
	if err != nil {
		return nil, err
	}
	r.objects[number] = v
	return v, nil
}

// objectAt reads the object at an offset and returns its number and its value.
func (r *reader) objectAt(at int) (number int, v any, err error) {
	if at < 0 || at >= len(r.data) {
		return 0, nil, fmt.Errorf("%w: object outside the file", ErrMalformed)
	}
	l := &lexer{r: r, data: r.data, at: at}
	var head [3]any
	for i := range head {
		if head[i], err = l.token(); err != nil {
			return 0, nil, err
		}
	}
	number, ok := head[0].(int)
	if !ok || head[2] != keyword("obj") {
		return 0, nil, fmt.Errorf("%w: no object at %d", ErrMalformed, at)
	}
	if v, err = l.value(); err != nil {
		return number, nil, err
	}
	d, ok := v.(pdfDict)
	if !ok {
		return number, v, nil
	}
	if err := l.skip(); err != nil {
		return number, nil, err
	}
	if !bytes.HasPrefix(l.data[l.at:], []byte("stream")) {
		return number, d, nil
	}
	l.at += len("stream")
	if l.at < len(l.data) && l.data[l.at] == '\r' {
		l.at++
	}
	if l.at < len(l.data) && l.data[l.at] == '\n' {
		l.at++
	}
	return number, &pdfStream{d, l.at}, nil
}

// raw returns the encoded data of a stream. It uses the given length only if the
// stream ends there.
func (r *reader) raw(s *pdfStream) ([]byte, error) {
	length, err := r.resolve(s.dict.get("Length"))
	if err != nil {
		return nil, err
	}
	rest := r.data[s.at:]
	if n, ok := length.(int); ok && n >= 0 && n <= len(rest) {
		after := bytes.TrimLeft(rest[n:min(len(rest), n+20)], "\r\n\t \x00")
		if bytes.HasPrefix(after, []byte("endstream")) || bytes.HasPrefix(after, []byte("endobj")) {
			return rest[:n], nil
		}
	}
	end := bytes.Index(rest, []byte("endstream"))
	if end < 0 {
		end = len(rest)
	}
	if err := r.spend(end / 16); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(bytes.TrimSuffix(rest[:end], []byte("\n")), []byte("\r")), nil
}
