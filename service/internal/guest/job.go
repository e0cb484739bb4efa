package guest

import (
	"bytes"
	"io"
	"net/http"

	"khatm/service/internal/capacity"
)

// received reads the form of a request before it calls page, so that nothing waits
// for a client that sends it slowly. An error is returned when page reads the body.
func (p *Pages) received(page http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
		r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(data), failing{err}))
		page(w, r)
	}
}

// failing returns an error from Read, or io.EOF if it is nil.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}

// guarded runs a page as a job, which ends before the response is sent.
func (p *Pages) guarded(page http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		buffer, err := p.buffer(r)
		if err != nil {
			p.refuse(w, r, err)
			return
		}
		defer buffer.Release()
		answer := &kept{ResponseWriter: w, status: http.StatusOK}
		if err := p.run(page, answer, r, buffer); err != nil {
			p.refuse(w, r, err)
			return
		}
		w.WriteHeader(answer.status)
		_, _ = w.Write(answer.body.Bytes())
	}
}

// buffer waits until a response may be kept in memory.
func (p *Pages) buffer(r *http.Request) (*capacity.Claim, error) {
	if p.Capacity == nil {
		return nil, nil //nolint:nilnil // a nil claim can be released
	}
	return p.Capacity.Buffers.Acquire(r.Context(), leastBuffer)
}

// leastBuffer is the number of bytes that are claimed for a response before its size
// is known.
const leastBuffer = 4 << 10

// run runs a page as a job.
func (p *Pages) run(page http.HandlerFunc, answer *kept, r *http.Request, buffer *capacity.Claim) error {
	job, err := p.Capacity.ProcessBriefly(r.Context(), capacity.WholeInvoice)
	if err != nil {
		return err
	}
	defer job.End()
	page(answer, r.WithContext(job.Context(r.Context())))
	buffer.Grow(int64(answer.body.Len()))
	return nil
}

// kept keeps a response. Its headers are set at once.
type kept struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader implements [http.ResponseWriter].
func (k *kept) WriteHeader(status int) { k.status = status }

// Write implements [http.ResponseWriter].
func (k *kept) Write(p []byte) (int, error) { return k.body.Write(p) }
