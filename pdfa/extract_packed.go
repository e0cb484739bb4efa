package pdfa

import "fmt"

// packedObject reads an object from an object stream.
func (r *reader) packedObject(stream, number int) (any, error) {
	s, err := r.objectStream(stream)
	if err != nil {
		return nil, err
	}
	at, ok := s.places[number]
	if !ok {
		return nil, fmt.Errorf("%w: object %d is not in stream %d", ErrMalformed, number, stream)
	}
	l := &lexer{r: r, data: s.data, at: at}
	return l.value()
}

// objectStream decodes an object stream and caches it.
func (r *reader) objectStream(number int) (*objectStream, error) {
	if s, ok := r.packed[number]; ok {
		if s == nil {
			return nil, fmt.Errorf("%w: invalid object stream %d", ErrMalformed, number)
		}
		return s, nil
	}
	r.packed[number] = nil // until it is read, and if it cannot be read
	if r.entries[number].packed {
		return nil, fmt.Errorf("%w: object stream in another object stream", ErrMalformed)
	}
	v, err := r.object(number)
	if err != nil {
		return nil, err
	}
	raw, ok := v.(*pdfStream)
	if !ok {
		return nil, fmt.Errorf("%w: invalid object stream %d", ErrMalformed, number)
	}
	data, err := r.decode(raw, r.limits.Decoded)
	if err != nil {
		return nil, err
	}
	s, err := r.readPlaces(raw.dict, data)
	if err != nil {
		return nil, err
	}
	r.packed[number] = s
	return s, nil
}

// readPlaces reads the table at the beginning of an object stream, as far as it is
// valid.
func (r *reader) readPlaces(d pdfDict, data []byte) (*objectStream, error) {
	count, ok := d.integer("N")
	first, ok2 := d.integer("First")
	if !ok || !ok2 || count < 0 || first < 0 || first > len(data) {
		return nil, fmt.Errorf("%w: object stream without N or First", ErrMalformed)
	}
	s := &objectStream{data: data, places: map[int]int{}}
	l := &lexer{r: r, data: data[:first]}
	for range count {
		if err := l.skip(); err != nil {
			return nil, err
		}
		if l.at >= len(l.data) {
			break
		}
		a, err := l.token()
		if err != nil {
			return nil, err
		}
		b, err := l.token()
		if err != nil {
			return nil, err
		}
		number, ok := a.(int)
		at, ok2 := b.(int)
		if !ok || !ok2 {
			break
		}
		if at < 0 || at >= len(data)-first {
			continue
		}
		if err := r.keep(1); err != nil {
			return nil, err
		}
		s.places[number] = first + at
		s.order = append(s.order, number)
	}
	return s, nil
}
