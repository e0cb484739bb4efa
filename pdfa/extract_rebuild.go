package pdfa

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// rebuild builds a cross-reference by searching the whole file for objects. Of
// several objects with the same number, the last one counts.
func (r *reader) rebuild() error {
	r.reset()
	// Searching is much faster than reading, so it counts as less work.
	if err := r.spend(len(r.data) / 8); err != nil {
		return err
	}
	for at := 0; ; {
		i := bytes.Index(r.data[at:], []byte("obj"))
		if i < 0 {
			break
		}
		at += i + len("obj")
		if start, number, ok := objectHead(r.data, at-len("obj")); ok {
			if err := r.found(number, start, at); err != nil {
				return err
			}
		}
	}
	if err := r.findTrailers(); err != nil {
		return err
	}
	if r.trailer.get("Root") == nil {
		return r.findCatalog()
	}
	return nil
}

// objectHead reads backwards from the word obj and returns the offset and the
// number of the object.
func objectHead(data []byte, at int) (start, number int, ok bool) {
	back := func(test func(byte) bool, most int) int {
		n := 0
		for at > 0 && n < most && test(data[at-1]) {
			at--
			n++
		}
		return n
	}
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	if back(isSpace, 8) == 0 || back(digit, 5) == 0 || back(isSpace, 8) == 0 {
		return 0, 0, false
	}
	end := at
	if back(digit, 9) == 0 {
		return 0, 0, false
	}
	for _, c := range data[at:end] {
		number = number*10 + int(c-'0')
	}
	return at, number, true
}

// found records an object. An object stream is unpacked at once, because later
// objects may replace the objects in it.
func (r *reader) found(number, start, after int) error {
	const window = 2048 // bytes that are searched for the type of an object
	if err := r.spend(64); err != nil {
		return err
	}
	delete(r.entries, number)
	delete(r.objects, number)
	delete(r.packed, number)
	if err := r.enter(number, entry{at: start}); err != nil {
		return err
	}
	head := r.data[after:min(len(r.data), after+window)]
	if end := bytes.Index(head, []byte("endobj")); end >= 0 {
		head = head[:end]
	}
	if err := r.spend(len(head) / 8); err != nil { // searched for the end of the object
		return err
	}
	if end := bytes.Index(head, []byte("stream")); end >= 0 {
		head = head[:end]
	}
	if err := r.spend(len(head) / 8); err != nil { // searched for its type
		return err
	}
	switch {
	case bytes.Contains(head, []byte("/ObjStm")):
		return r.unpack(number)
	case bytes.Contains(head, []byte("/XRef")):
		d, err := r.dict(pdfRef{number: number})
		r.adopt(d)
		return err
	case bytes.Contains(head, []byte("/Catalog")):
		d, err := r.dict(pdfRef{number: number})
		if d.get("Type") == pdfName("Catalog") {
			r.adopt(pdfDict{{"Root", pdfRef{number: number}}})
		}
		return err
	}
	return nil
}

// unpack records the objects of an object stream. It ignores a stream that cannot
// be read.
func (r *reader) unpack(stream int) error {
	s, err := r.objectStream(stream)
	if errors.Is(err, ErrMalformed) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, n := range s.order {
		if n == stream {
			continue
		}
		delete(r.entries, n)
		delete(r.objects, n)
		if err := r.enter(n, entry{true, stream}); err != nil {
			return err
		}
	}
	return nil
}

// adopt copies Root and Encrypt from a trailer. Later trailers override earlier
// ones.
func (r *reader) adopt(d pdfDict) {
	for _, key := range []pdfName{"Root", "Encrypt"} {
		if v := d.get(key); v != nil {
			r.trailer = append(r.trailer, pdfEntry{key, v})
		}
	}
}

// findTrailers reads the dictionaries after the word trailer.
func (r *reader) findTrailers() error {
	if err := r.spend(len(r.data) / 16); err != nil {
		return err
	}
	for at := 0; ; {
		i := bytes.Index(r.data[at:], []byte("trailer"))
		if i < 0 {
			return nil
		}
		at += i + len("trailer")
		l := &lexer{r: r, data: r.data, at: at}
		v, err := l.value()
		if err != nil && !errors.Is(err, ErrMalformed) {
			return err
		}
		if d, ok := v.(pdfDict); ok {
			r.adopt(d)
		}
	}
}

// findCatalog searches the object streams for the catalog and sets Root to it.
func (r *reader) findCatalog() error {
	for _, stream := range slices.Sorted(maps.Keys(r.packed)) {
		s := r.packed[stream]
		if s == nil {
			continue
		}
		for _, n := range s.order {
			d, err := r.dict(pdfRef{number: n})
			if err != nil {
				return err
			}
			if d.get("Type") == pdfName("Catalog") {
				r.adopt(pdfDict{{"Root", pdfRef{number: n}}})
				return nil
			}
		}
	}
	return fmt.Errorf("%w: no catalog", ErrMalformed)
}
