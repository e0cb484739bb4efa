package wire

import (
	"cmp"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"reflect"

	"khatm/service/internal/capacity"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
)

// Limits of a form.
const (
	maxParts      = 64
	maxPartHeader = 8 << 10
	maxJSONPart   = 1 << 20
)

// formReader reads the parts of one form.
type formReader struct {
	*codec.Problems
	plan   *plan
	row    Route
	limit  int64
	claims int64 // Content-Length of the form; -1 if unknown
	into   reflect.Value
	json   map[string][]byte // JSON parts by name
	single map[string]bool   // names of single files already read
}

func (r *Route) maxForm() int64 { return cmp.Or(r.MaxBody, defaultMaxForm) }

// readForm reads a multipart form part by part. Nothing is written to disk. The
// returned job began before the JSON parts were decoded, like that of a JSON body.
func (f *Frame) readForm(p *plan, c *codec.Problems, r *http.Request, row Route, v reflect.Value) (*capacity.Job, error) {
	form := formReader{c, p, row, row.maxForm(), r.ContentLength, v, map[string][]byte{}, map[string]bool{}}
	if err := form.read(r); err != nil {
		return nil, err
	}
	size := 0
	for _, data := range form.json {
		size += len(data)
	}
	job, err := f.begin(r, &row, size)
	if err != nil {
		return nil, err
	}
	form.decodeParts()
	return job, nil
}

// read reads the whole form.
func (f *formReader) read(r *http.Request) error {
	if r.ContentLength > f.limit {
		return f.tooLarge()
	}
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "multipart/form-data" || params["boundary"] == "" {
		return fault.New(fault.WrongContentType, "The body must be multipart/form-data.")
	}
	body := &bounded{r.Body, f.limit}
	if err := f.readParts(multipart.NewReader(body, params["boundary"])); err != nil {
		return err
	}
	// The server notices that a client has disconnected only after the body was read to its end.
	if _, err := io.Copy(io.Discard, body); err != nil {
		return f.broken(err)
	}
	return nil
}

func (f *formReader) readParts(parts *multipart.Reader) error {
	for n := 0; ; n++ {
		one, err := parts.NextPart()
		if err == io.EOF { // compare directly: the error of an incomplete form wraps io.EOF
			return nil
		}
		if err != nil {
			return f.broken(err)
		}
		if n == maxParts {
			return fault.New(fault.FormTooComplex, "The form has more than %d parts.", maxParts)
		}
		if sizeOf(one.Header) > maxPartHeader {
			return fault.New(fault.FormTooComplex, "The header of a part is larger than %d bytes.", maxPartHeader)
		}
		if err := f.readPart(one); err != nil {
			return err
		}
	}
}

// broken returns the error for a form that is too large or malformed.
func (f *formReader) broken(err error) error {
	var outer *http.MaxBytesError
	switch {
	case errors.Is(err, errTooLarge):
		return f.tooLarge()
	case errors.As(err, &outer):
		return unreadable(err, f.limit)
	}
	e := fault.New(fault.IncompleteBody, "The body is not a complete multipart form.")
	e.Cause = err
	return e
}

func sizeOf(header map[string][]string) int {
	size := 0
	for name, values := range header {
		size += len(name)
		for _, v := range values {
			size += len(v)
		}
	}
	return size
}

func (f *formReader) readPart(one *multipart.Part) error {
	name := one.FormName()
	for i := range f.plan.parts {
		if f.plan.parts[i].name == name {
			return f.keepJSON(name, one)
		}
	}
	if wanted := f.plan.fileFor(name, one.FileName() != ""); wanted != nil {
		return f.keepFile(wanted, name, fileName(one.FileName()), one)
	}
	if f.row.Strict {
		f.Add(codec.Shortened(name), codec.ExtraInput)
	} else {
		f.Ignore(codec.Shortened(name))
	}
	return nil
}

// fileFor returns the field for a part: the one with its name, or else the one for
// any file, or nil.
func (p *plan) fileFor(name string, isFile bool) *filePart {
	var found *filePart
	for i := range p.files {
		switch one := &p.files[i]; {
		case one.name == name:
			return one
		case one.name == "*" && isFile:
			found = one
		}
	}
	return found
}

func (f *formReader) keepJSON(name string, one io.Reader) error {
	if _, seen := f.json[name]; seen {
		f.Add(name, codec.KeyTwice)
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(one, maxJSONPart+1))
	if err != nil {
		return f.broken(err)
	}
	if len(data) > maxJSONPart {
		return fault.New(fault.BodyTooLarge, "The part %s is larger than %d bytes.", name, maxJSONPart)
	}
	f.json[name] = data
	return nil
}

// decodeParts decodes the JSON after all parts were read, and reports missing
// parts.
func (f *formReader) decodeParts() {
	for i := range f.plan.parts {
		one := &f.plan.parts[i]
		data, given := f.json[one.name]
		if !given && one.optional {
			data = []byte("{}")
		}
		codec.Decode(f.Problems, data, codec.FieldAt(f.into, one.index), one.shape.Object, codec.Options{Root: one.name, Strict: f.row.Strict})
	}
	for i := range f.plan.files {
		one := &f.plan.files[i]
		if one.required && codec.FieldAt(f.into, one.index).IsZero() {
			f.Add(one.name, codec.FieldRequired)
		}
	}
}
