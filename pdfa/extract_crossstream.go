package pdfa

import "fmt"

// crossStream reads a section that is a cross-reference stream.
func (r *reader) crossStream(at int) (pdfDict, error) {
	_, v, err := r.objectAt(at)
	if err != nil {
		return nil, err
	}
	s, ok := v.(*pdfStream)
	if !ok || s.dict.get("Type") != pdfName("XRef") {
		return nil, fmt.Errorf("%w: no cross-reference at %d", ErrMalformed, at)
	}
	widths, err := fieldWidths(s.dict)
	if err != nil {
		return nil, err
	}
	data, err := r.decode(s, r.limits.Decoded)
	if err != nil {
		return nil, err
	}
	index, ok := s.dict.get("Index").([]any)
	if !ok {
		size, _ := s.dict.integer("Size")
		index = []any{0, size}
	}
	for i := 0; i+1 < len(index); i += 2 {
		first, ok := index[i].(int)
		count, ok2 := index[i+1].(int)
		if !ok || !ok2 || first < 0 || count < 0 {
			return nil, fmt.Errorf("%w: invalid index of a cross-reference stream", ErrMalformed)
		}
		if data, err = r.rows(data, widths, first, count); err != nil {
			return nil, err
		}
	}
	return s.dict, nil
}

// fieldWidths returns the widths in bytes of the three fields of a row.
func fieldWidths(d pdfDict) (w [3]int, err error) {
	all, _ := d.get("W").([]any)
	total := 0
	for i := range w {
		n, ok := 0, false
		if len(all) == len(w) {
			n, ok = all[i].(int)
		}
		if !ok || n < 0 || n > 7 {
			return w, fmt.Errorf("%w: invalid widths of a cross-reference stream", ErrMalformed)
		}
		w[i] = n
		total += n
	}
	if total == 0 {
		return w, fmt.Errorf("%w: cross-reference rows of width 0", ErrMalformed)
	}
	return w, nil
}

// rows reads count rows and returns the remaining data.
func (r *reader) rows(data []byte, w [3]int, first, count int) ([]byte, error) {
	length := w[0] + w[1] + w[2]
	count = min(count, len(data)/length)
	if err := r.spend(count * length); err != nil {
		return nil, err
	}
	for i := range count {
		fields := [3]int{1, 0, 0} // the type defaults to 1
		at := 0
		for f, width := range w {
			if width > 0 {
				fields[f] = 0
			}
			for range width {
				fields[f] = fields[f]<<8 | int(data[at])
				at++
			}
		}
		data = data[length:]
		if fields[0] != 1 && fields[0] != 2 {
			continue
		}
		if err := r.enter(first+i, entry{fields[0] == 2, fields[1]}); err != nil {
			return nil, err
		}
	}
	return data, nil
}
