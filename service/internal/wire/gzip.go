package wire

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// leastPacked is the size from which a JSON body is compressed. Below it the time
// to compress is not worth the bytes saved.
const leastPacked = 8 << 10

// packer compresses a body. Its writer needs much memory and is used again.
type packer struct {
	out bytes.Buffer
	zip *gzip.Writer
}

var packers = sync.Pool{New: func() any {
	zip, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is valid
	}
	return &packer{zip: zip}
}}

// newPacker returns an empty packer. It must be released.
func newPacker() *packer {
	p, _ := packers.Get().(*packer) // the pool holds no other type
	p.out.Reset()
	p.zip.Reset(&p.out)
	return p
}

// maxKept is the size up to which a buffer is used for another response.
const maxKept = 256 << 10

func (p *packer) release() {
	if p.out.Cap() <= maxKept {
		packers.Put(p)
	}
}

// packed returns a body in compressed form.
func packed(body []byte) ([]byte, error) {
	p := newPacker()
	defer p.release()
	if _, err := p.zip.Write(body); err != nil {
		return nil, err
	}
	if err := p.zip.Close(); err != nil {
		return nil, err
	}
	return bytes.Clone(p.out.Bytes()), nil
}

// AcceptsGzip reports whether the sender of a request accepts gzip and does not
// prefer uncompressed responses (RFC 9110, section 12.5.3).
func AcceptsGzip(h http.Header) bool {
	gzip, other, identity := -1.0, -1.0, -1.0
	for _, field := range h.Values("Accept-Encoding") {
		for one := range strings.SplitSeq(field, ",") {
			coding, parameters, _ := strings.Cut(one, ";")
			q := weightOf(parameters)
			switch strings.ToLower(strings.TrimSpace(coding)) {
			case "gzip", "x-gzip":
				gzip = q
			case "identity":
				identity = q
			case "*":
				other = q
			}
		}
	}
	if gzip < 0 {
		gzip = other
	}
	return gzip > 0 && gzip >= identity
}

// weightOf returns the value of the parameter q: 1 if it is absent, and 0 if it is
// invalid.
func weightOf(parameters string) float64 {
	for one := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(one, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return 0
		}
		return q
	}
	return 1
}
