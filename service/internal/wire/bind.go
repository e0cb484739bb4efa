package wire

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"

	"khatm/service/internal/capacity"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
)

// Maximum sizes of a request body, unless the route sets another.
const (
	defaultMaxBody = 4 << 20  // of a JSON body
	anyoneMaxBody  = 64 << 10 // of a JSON body from callers without credentials
	defaultMaxForm = 8 << 20
)

// bind decodes a request into the input of the route's handler. All problems of
// path, query, header and body are returned in one *fault.Error. The caller must
// always end the job, which began before large JSON was decoded or a whole
// invoice is read.
func (f *Frame) bind(r *http.Request, row Route) (what any, job *capacity.Job, err error) {
	p, err := planOf(row.in)
	if err != nil {
		return nil, nil, fmt.Errorf("plan %s %s: %w", row.Method, row.Path, err)
	}
	in := reflect.New(row.in)
	var c codec.Problems
	p.readParams(&c, r, in.Elem())
	switch {
	case p.body != nil:
		job, err = f.readBody(p, &c, r, row, in.Elem())
	case p.isForm():
		job, err = f.readForm(p, &c, r, row, in.Elem())
	case row.Whole:
		job, err = f.begin(r, &row, 0)
	}
	if err != nil {
		return nil, job, err
	}
	if !row.Strict {
		callOf(r).ignored = without(c.Ignored(), row.bodyRoot(), row.Ignores)
	}
	if problems := c.All(); len(problems) > 0 {
		return nil, job, fault.Wrong(problems...)
	}
	return in.Interface(), job, nil
}

func (f *Frame) readBody(p *plan, c *codec.Problems, r *http.Request, row Route, v reflect.Value) (*capacity.Job, error) {
	data, err := readAll(r, row.maxJSON())
	if err != nil {
		return nil, err
	}
	if len(data) == 0 && p.body.optional {
		data = []byte("{}") // so that defaults apply
	} else if err := mustBe(r, "application/json"); err != nil && len(data) > 0 {
		return nil, err
	}
	job, err := f.begin(r, &row, len(data))
	if err != nil {
		return nil, err
	}
	codec.Decode(c, data, codec.FieldAt(v, p.body.index), p.body.shape.Object, codec.Options{Root: row.Root, Strict: row.Strict, Gather: row.Gather})
	return job, nil
}

// begin begins the job of a call with JSON of the given size. It returns nil if the
// call needs no job.
func (f *Frame) begin(r *http.Request, row *Route, size int) (*capacity.Job, error) {
	memory := row.memory(size)
	if memory == 0 {
		return nil, nil //nolint:nilnil // a nil job can be ended
	}
	if row.Long || size > briefBody || memory > capacity.WholeInvoice {
		return f.Capacity.Process(r.Context(), memory)
	}
	return f.Capacity.ProcessBriefly(r.Context(), memory)
}

func (r *Route) maxJSON() int64 {
	if r.Access == Anyone {
		return cmp.Or(r.MaxBody, anyoneMaxBody)
	}
	return cmp.Or(r.MaxBody, defaultMaxBody)
}

// mustBe returns an error if the body is compressed or has another media type. A
// request without Content-Type is accepted.
func mustBe(r *http.Request, media string) error {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
		return fault.New(fault.CompressedBody, "The body must not be compressed.")
	}
	given := r.Header.Get("Content-Type")
	if given == "" || given == media {
		return nil
	}
	got, params, err := mime.ParseMediaType(given)
	charset := strings.ToLower(params["charset"])
	if err != nil || got != media || charset != "" && charset != "utf-8" {
		return fault.New(fault.WrongContentType, "The body must be %s in UTF-8.", media)
	}
	return nil
}

// errTooLarge is returned when a body is larger than allowed.
var errTooLarge = errors.New("body too large")

// bounded reads at most left bytes and returns errTooLarge if there are more.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.from.Read(p)
	if int64(n) > b.left {
		return int(b.left), errTooLarge
	}
	b.left -= int64(n)
	return n, err
}

func readAll(r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	// The announced length saves copies of a growing buffer. Of a long body only the
	// first part is allocated in advance: the announcement costs the client nothing.
	data := bytes.NewBuffer(make([]byte, 0, min(max(r.ContentLength, 0), 16<<10)+bytes.MinRead))
	if _, err := data.ReadFrom(&bounded{r.Body, limit}); err != nil {
		return nil, unreadable(err, limit)
	}
	return data.Bytes(), nil
}

func tooLarge(limit int64) error {
	return fault.New(fault.BodyTooLarge, "The body is larger than %d bytes.", limit)
}

// unreadable returns the error for a body that is too large or incomplete.
func unreadable(err error, limit int64) error {
	var outer *http.MaxBytesError
	switch {
	case errors.Is(err, errTooLarge):
		return tooLarge(limit)
	case errors.As(err, &outer):
		return tooLarge(outer.Limit)
	}
	e := fault.New(fault.IncompleteBody, "The body could not be read to its end.")
	e.Cause = err
	return e
}
