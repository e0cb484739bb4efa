package pdfa

import "fmt"

// predicted undoes the predictor of Flate or LZW data, if there is one.
func (r *reader) predicted(data []byte, err error) func(pdfDict) ([]byte, error) {
	return func(options pdfDict) ([]byte, error) {
		if err != nil {
			return nil, err
		}
		predictor, ok := options.integer("Predictor")
		if !ok || predictor <= 1 {
			return data, nil
		}
		if err := r.spend(len(data) / 4); err != nil {
			return nil, err
		}
		row, step, err := rowMeasures(options, len(data))
		if err != nil {
			return nil, err
		}
		if predictor == 2 {
			return undoTIFF(data, row, step, options)
		}
		return undoPNG(data, row, step)
	}
}

// rowMeasures returns the number of bytes of a row and of a pixel.
func rowMeasures(options pdfDict, length int) (row, step int, err error) {
	measure := func(key pdfName, otherwise, most int) int {
		n, ok := options.integer(key)
		if !ok {
			return otherwise
		}
		if n < 1 || n > most {
			err = fmt.Errorf("%w: %s of a predictor is %d", ErrMalformed, key, n)
			return 1
		}
		return n
	}
	columns := measure("Columns", 1, max(1, 8*length))
	colors := measure("Colors", 1, 32)
	bits := measure("BitsPerComponent", 8, 16)
	row = min((columns*colors*bits+7)/8, max(1, length)) // no row is longer than the data
	return row, max(1, colors*bits/8), err
}

// undoPNG undoes the PNG predictors in place. Each row loses its first byte, which
// is the type of its predictor.
func undoPNG(data []byte, row, step int) ([]byte, error) {
	out := 0
	above := make([]byte, row)
	for at := 0; at+1 < len(data); at += row + 1 {
		kind := data[at]
		from := data[at+1 : min(at+1+row, len(data))]
		to := data[out : out+len(from)]
		for i, v := range from {
			var left, corner byte
			if i >= step {
				left, corner = to[i-step], above[i-step]
			}
			switch kind {
			case 0:
			case 1:
				v += left
			case 2:
				v += above[i]
			case 3:
				v += byte((int(left) + int(above[i])) / 2)
			case 4:
				v += paeth(left, above[i], corner)
			default:
				return nil, fmt.Errorf("%w: unknown PNG predictor %d", ErrMalformed, kind)
			}
			to[i] = v
		}
		copy(above, to)
		out += len(from)
	}
	return data[:out], nil
}

func paeth(a, b, c byte) byte {
	distance := func(x byte) int {
		d := int(a) + int(b) - int(c) - int(x)
		return max(d, -d)
	}
	switch {
	case distance(a) <= distance(b) && distance(a) <= distance(c):
		return a
	case distance(b) <= distance(c):
		return b
	}
	return c
}

// undoTIFF undoes the TIFF predictor. It supports components of 8 bits only.
func undoTIFF(data []byte, row, step int, options pdfDict) ([]byte, error) {
	if bits, ok := options.integer("BitsPerComponent"); ok && bits != 8 {
		return nil, fmt.Errorf("%w: predictor 2 with %d bits", ErrMalformed, bits)
	}
	for at := 0; at < len(data); at += row {
		line := data[at:min(at+row, len(data))]
		for i := step; i < len(line); i++ {
			line[i] += line[i-step]
		}
	}
	return data, nil
}
