package wire

import (
	"net/http"

	"khatm/service/internal/capacity"
	"khatm/service/internal/fault"
)

const (
	// smallBody is the size of a JSON body that is processed without a claim for
	// computing. Most are much smaller, and take less than a millisecond.
	smallBody = 16 << 10
	// briefBody is the size of a JSON body that is processed in about ten milliseconds.
	briefBody = 128 << 10
	// bodyMemory is how many bytes of memory a byte of a JSON body needs, as a
	// tree, as an invoice and as a document.
	bodyMemory = 16
	// smallAnswer is the size of a response that is not counted.
	smallAnswer = 64 << 10
	// leastBuffer is claimed at least for every call, so that a caller that does not read
	// its responses waits before it gets more of them.
	leastBuffer = 4 << 10
)

// buffer waits until the bodies of a call fit into memory: that of the request
// now, that of the response later. The claim is held until the response was sent.
func (f *Frame) buffer(r *http.Request, row *Route) (*capacity.Claim, error) {
	if f.Capacity == nil {
		return nil, nil //nolint:nilnil // a nil claim can be released
	}
	claim, err := f.Capacity.Buffers.Acquire(r.Context(), max(leastBuffer, row.bodyBytes(r)))
	if capacity.IsBusy(err) && row.isForm() {
		return nil, capacity.Busy(fault.UploadsBusy, "Too many files are being uploaded at the moment. Try again shortly.")
	}
	return claim, err
}

// bodyBytes returns how much memory the body of a request may need: its
// Content-Length, or the route's maximum if that is unknown. It is 0 for requests
// without a body and for bodies that are too large, which are not read at all.
func (r *Route) bodyBytes(of *http.Request) int64 {
	p, err := planOf(r.in)
	if err != nil || p.body == nil && !p.isForm() {
		return 0
	}
	limit := r.maxJSON()
	if p.isForm() {
		limit = r.maxForm()
	}
	switch {
	case of.ContentLength > limit:
		return 0
	case of.ContentLength < 0:
		return limit
	}
	return of.ContentLength
}

func (r *Route) isForm() bool {
	p, err := planOf(r.in)
	return err == nil && p.isForm()
}

// memory returns how much memory is needed to process a call with a JSON body of
// the given size, or 0 if it is not limited.
func (r *Route) memory(size int) int64 {
	switch {
	case r.Memory != nil:
		return r.Memory(size)
	case r.Whole:
		return max(capacity.WholeInvoice, bodyMemory*int64(size))
	case size <= smallBody:
		return 0
	}
	return bodyMemory * int64(size)
}
