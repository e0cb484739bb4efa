package pdfa

import (
	"bytes"
	stdlzw "compress/lzw"
	"encoding/ascii85"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
	tifflzw "golang.org/x/image/tiff/lzw"
)

// maxFilters is the maximum number of filters of a stream. Real files have at
// most two.
const maxFilters = 6

// decode returns the decoded data of a stream. It returns ErrLimit if there are
// more than most bytes.
func (r *reader) decode(s *pdfStream, most int) ([]byte, error) {
	data, err := r.raw(s)
	if err != nil {
		return nil, err
	}
	filters, options, err := r.filters(s.dict)
	if err != nil {
		return nil, err
	}
	if data, err = r.undoAll(filters, options, data); err != nil {
		return nil, err
	}
	if len(data) > most {
		return nil, fmt.Errorf("%w: stream has %d bytes", ErrLimit, len(data))
	}
	if len(filters) == 0 { // do not return a part of the input
		return bytes.Clone(data), r.charge(len(data))
	}
	return data, nil
}

// filters returns the filters of a stream and their options.
func (r *reader) filters(d pdfDict) (filters, options []any, err error) {
	if filters, err = r.list(d.get("Filter")); err != nil {
		return nil, nil, err
	}
	parms := d.get("DecodeParms")
	if parms == nil {
		parms = d.get("DP")
	}
	if options, err = r.list(parms); err != nil {
		return nil, nil, err
	}
	if len(filters) > maxFilters {
		return nil, nil, fmt.Errorf("%w: stream has %d filters", ErrLimit, len(filters))
	}
	return filters, options, nil
}

// undoAll decodes data that was encoded with several filters.
func (r *reader) undoAll(filters, options []any, data []byte) ([]byte, error) {
	for i, f := range filters {
		f, err := r.resolve(f)
		if err != nil {
			return nil, err
		}
		var d pdfDict
		if i < len(options) {
			if d, err = r.dict(options[i]); err != nil {
				return nil, err
			}
		}
		if data, err = r.undo(f, d, data); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// list resolves a value and returns it as a list. A single value becomes a list
// of one.
func (r *reader) list(v any) ([]any, error) {
	v, err := r.resolve(v)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []any:
		return v, nil
	}
	return []any{v}, nil
}

// undo decodes data that was encoded with one filter.
func (r *reader) undo(filter any, options pdfDict, data []byte) ([]byte, error) {
	name, ok := filter.(pdfName)
	if !ok {
		return nil, fmt.Errorf("%w: %v is not a filter", ErrMalformed, filter)
	}
	switch name {
	case "FlateDecode", "Fl":
		return r.predicted(r.unflate(data))(options)
	case "LZWDecode", "LZW":
		return r.predicted(r.unlzw(data, options))(options)
	case "ASCIIHexDecode", "AHx":
		if end := bytes.IndexByte(data, '>'); end >= 0 {
			data = data[:end]
		}
		if err := r.charge(len(data)/2 + 1); err != nil {
			return nil, err
		}
		return decodeHex(data), nil
	case "ASCII85Decode", "A85":
		return r.unascii85(data)
	case "RunLengthDecode", "RL":
		return r.unrunlength(data)
	case "Crypt":
		if n := options.get("Name"); n == nil || n == pdfName("Identity") {
			return data, nil
		}
		return nil, ErrEncrypted
	}
	return nil, fmt.Errorf("%w: unknown filter %.40s", ErrMalformed, string(name))
}

// charge counts the output of a filter against the limits.
func (r *reader) charge(n int) error {
	if r.decoded += n; r.decoded > r.limits.Decoded {
		return fmt.Errorf("%w: too much decoded data", ErrLimit)
	}
	return r.spend(n / 8)
}

// inflater is a reusable decompressor.
type inflater struct {
	source bytes.Reader
	r      io.ReadCloser
}

func (i *inflater) open(data []byte) io.Reader {
	i.source.Reset(data)
	if i.r == nil {
		i.r = flate.NewReader(&i.source)
		return i.r
	}
	resetter, ok := i.r.(flate.Resetter)
	if !ok || resetter.Reset(&i.source, nil) != nil {
		i.r = flate.NewReader(&i.source)
	}
	return i.r
}

// unflate decompresses deflate data, with or without a zlib header. It does not
// verify the checksum.
func (r *reader) unflate(data []byte) ([]byte, error) {
	if len(data) >= 2 && data[0]&0x0F == 8 && (int(data[0])<<8|int(data[1]))%31 == 0 {
		data = data[2:]
	}
	return r.readAll(r.inflate.open(data))
}

// unlzw decompresses the two variants of LZW, which differ in when the code length
// increases.
func (r *reader) unlzw(data []byte, options pdfDict) ([]byte, error) {
	if early, ok := options.integer("EarlyChange"); ok && early == 0 {
		return r.readAll(stdlzw.NewReader(bytes.NewReader(data), stdlzw.MSB, 8))
	}
	return r.readAll(tifflzw.NewReader(bytes.NewReader(data), tifflzw.MSB, 8))
}

func (r *reader) unascii85(data []byte) ([]byte, error) {
	data = bytes.TrimPrefix(bytes.TrimLeft(data, "\r\n\t \x00\f"), []byte("<~"))
	if end := bytes.IndexByte(data, '~'); end >= 0 {
		data = data[:end]
	}
	return r.readAll(ascii85.NewDecoder(bytes.NewReader(data)))
}

// readAll reads to the end, within the limits. If the data is truncated, it returns
// what it could read, unless that is nothing.
func (r *reader) readAll(from io.Reader) ([]byte, error) {
	const piece = 32 << 10
	var pieces [][]byte
	total := 0
	for {
		p := make([]byte, min(piece<<min(len(pieces), 4), r.limits.Decoded-r.decoded+1))
		n, err := io.ReadFull(from, p)
		if over := r.charge(n); over != nil {
			return nil, over
		}
		total += n
		pieces = append(pieces, p[:n])
		if err == nil {
			continue
		}
		if total == 0 && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
		}
		if len(pieces) == 1 {
			return pieces[0], nil
		}
		return bytes.Join(pieces, nil), nil
	}
}

func (r *reader) unrunlength(data []byte) ([]byte, error) {
	const end = 128
	total := 0
	for i := 0; i < len(data) && data[i] != end; { // compute the length first
		if n := int(data[i]); n < end {
			total += n + 1
			i += n + 2
		} else {
			total += 257 - n
			i += 2
		}
	}
	if err := r.charge(total); err != nil {
		return nil, err
	}
	out := make([]byte, 0, total)
	for i := 0; i+1 < len(data) && data[i] != end; {
		n := int(data[i])
		if n < end {
			out = append(out, data[i+1:min(i+n+2, len(data))]...)
			i += n + 2
			continue
		}
		for range 257 - n {
			out = append(out, data[i+1])
		}
		i += 2
	}
	return out, nil
}
