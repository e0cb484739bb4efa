package pdfa

import (
	"bytes"
	"context"
	"errors"
	"fmt"
)

// What can be wrong with a PDF that files are to be got out of.
var (
	// ErrMalformed is for data that is no PDF, or one that cannot be mended.
	ErrMalformed = errors.New("malformed PDF")
	// ErrEncrypted is for a PDF that asks for a key, be it an empty one.
	ErrEncrypted = errors.New("encrypted PDF")
	// ErrLimit is for a PDF that asks for more work or memory than it is given.
	ErrLimit = errors.New("PDF beyond the limits")
)

// Limits bound what one call of Extract may use. A zero field stands for the
// value of DefaultLimits.
type Limits struct {
	Input   int // bytes of the PDF
	Decoded int // bytes that all filters together put out
	File    int // bytes of one embedded file
	Files   int // embedded files
	Objects int // entries of the cross-reference
	Values  int // values kept in memory
	Work    int // bytes looked at, those looked at again included
	Depth   int // of nesting
}

// DefaultLimits keep a call below 64 MiB and a fifth of a second.
func DefaultLimits() Limits {
	return Limits{Input: 32 << 20, Decoded: 16 << 20, File: 8 << 20, Files: 32, Objects: 150_000, Values: 200_000, Work: 12 << 20, Depth: 40}
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits()
	for _, f := range []struct {
		given *int
		value int
	}{
		{&l.Input, d.Input}, {&l.Decoded, d.Decoded}, {&l.File, d.File}, {&l.Files, d.Files},
		{&l.Objects, d.Objects}, {&l.Values, d.Values}, {&l.Work, d.Work}, {&l.Depth, d.Depth},
	} {
		if *f.given == 0 {
			*f.given = f.value
		}
	}
	return l
}

// Extract gives the files embedded in a PDF: those that the catalog names or is
// associated with, those of pages, and those attached by an annotation. A PDF
// without any has none and no error. What the file says of itself is believed
// only where it can be checked; a broken one is read as well as it can be.
func Extract(ctx context.Context, data []byte, limits Limits) ([]File, error) {
	r := &reader{ctx: ctx, limits: limits.orDefault()}
	if len(data) > r.limits.Input {
		return nil, fmt.Errorf("%w: %d bytes", ErrLimit, len(data))
	}
	start := bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-"))
	if start < 0 {
		return nil, fmt.Errorf("%w: no header", ErrMalformed)
	}
	r.data = data[start:] // offsets are counted from the header
	r.forget()
	files, err := r.extract()
	if err != nil && !errors.Is(err, ErrMalformed) {
		return nil, err
	}
	if err == nil && (len(files) > 0 || !r.broken) {
		return files, nil
	}
	// The cross-reference lies, or something it leads to does.
	if rebuilt := r.rebuild(); rebuilt != nil {
		if err == nil && errors.Is(rebuilt, ErrMalformed) {
			return files, nil // it was readable as it stood, and has no files
		}
		return nil, rebuilt
	}
	return r.walk()
}

// extract reads the file by its own cross-reference.
func (r *reader) extract() ([]File, error) {
	if err := r.readCrossReference(); err != nil {
		return nil, err
	}
	return r.walk()
}
