package pdfa

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// Errors returned by [Extract] and [ReadPages].
var (
	// ErrMalformed means that the data is not a PDF or cannot be repaired.
	ErrMalformed = errors.New("malformed PDF")
	// ErrEncrypted means that the PDF is encrypted, even if with an empty password.
	ErrEncrypted = errors.New("encrypted PDF")
	// ErrLimit means that reading the PDF would exceed the [Limits].
	ErrLimit = errors.New("PDF exceeds the limits")
)

// Limits bound the resources of one call of [Extract] or [ReadPages]. A zero field
// means the value of [DefaultLimits].
type Limits struct {
	Input   int // bytes of the PDF
	Decoded int // bytes of output of all filters together
	File    int // bytes of one embedded file
	Files   int // number of embedded files
	Objects int // entries of the cross-reference
	Values  int // values kept in memory
	Work    int // bytes read, including those read repeatedly
	Depth   int // nesting depth
	Pages   int // pages that are read
	Pixels  int // pixels of all images together
}

// DefaultLimits returns limits that keep a call of [Extract] or [ReadPages] below
// 64 MiB and a fifth of a second.
func DefaultLimits() Limits {
	return Limits{
		Input: 32 << 20, Decoded: 16 << 20, File: 8 << 20, Files: 32, Objects: 150_000, Values: 200_000, Work: 12 << 20, Depth: 40,
		Pages: 20, Pixels: 4 << 20,
	}
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	for _, f := range []struct {
		given *int
		value int
	}{
		{&l.Input, d.Input}, {&l.Decoded, d.Decoded}, {&l.File, d.File}, {&l.Files, d.Files},
		{&l.Objects, d.Objects}, {&l.Values, d.Values}, {&l.Work, d.Work}, {&l.Depth, d.Depth},
		{&l.Pages, d.Pages}, {&l.Pixels, d.Pixels},
	} {
		if *f.given == 0 {
			*f.given = f.value
		}
	}
	return l
}

// Extract returns the files embedded in a PDF: those of the name tree, the
// associated files of the catalog and of pages, and those attached by annotations.
// A PDF without embedded files is not an error. Extract does not rely on unchecked
// information in the PDF and reads damaged files as far as possible.
func Extract(ctx context.Context, data []byte, limits Limits) ([]File, error) {
	r, err := open(ctx, data, limits)
	if err != nil {
		return nil, err
	}
	files, err := r.extract()
	if err != nil && !errors.Is(err, ErrMalformed) {
		return nil, err
	}
	if err == nil && (len(files) > 0 || !r.broken) {
		return files, nil
	}
	// The cross-reference, or something it refers to, is wrong.
	if rebuilt := r.rebuild(); rebuilt != nil {
		if err == nil && errors.Is(rebuilt, ErrMalformed) {
			return files, nil // the first attempt was readable and found no files
		}
		return nil, rebuilt
	}
	return r.walk()
}

// open returns a reader of a PDF, which has not read anything but the header.
func open(ctx context.Context, data []byte, limits Limits) (*reader, error) {
	r := &reader{ctx: ctx, limits: limits.orDefault()}
	if len(data) > r.limits.Input {
		return nil, fmt.Errorf("%w: file has %d bytes, at most %d are allowed", ErrLimit, len(data), r.limits.Input)
	}
	start := bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-"))
	if start < 0 {
		return nil, fmt.Errorf("%w: no header", ErrMalformed)
	}
	r.data = data[start:] // offsets are relative to the header
	r.reset()
	return r, nil
}

// extract returns the embedded files that are found with the cross-reference of
// the PDF.
func (r *reader) extract() ([]File, error) {
	if err := r.readCrossReference(); err != nil {
		return nil, err
	}
	return r.walk()
}
