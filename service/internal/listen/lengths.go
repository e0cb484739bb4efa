package listen

import (
	"bytes"
	"net/http"
	"strings"
	"sync/atomic"
)

// The name that lengths looks for, divided at its hyphen.
const (
	nameStart  = "content"
	nameEnd    = "length"
	nameLength = len(nameStart) + 1 + len(nameEnd)
)

// lengths counts how often the name Content-Length occurs in what a client has
// sent. http.Server deletes the header from a chunked request, so that a handler
// cannot see it.
type lengths struct {
	seen atomic.Int64
	tail [nameLength - 1]byte // end of what was read, which may be the start of a name
	kept int                  // number of bytes in tail
}

// look counts the names in p, and those that began in an earlier p.
func (l *lengths) look(p []byte) {
	var joined [2 * (nameLength - 1)]byte
	n := copy(joined[:], l.tail[:l.kept])
	n += copy(joined[n:], p[:min(len(p), nameLength-1)])
	l.seen.Add(names(joined[:n]) + names(p)) // neither half of joined has room for a name
	end := p
	if len(p) < nameLength-1 {
		end = joined[:n]
	}
	l.kept = copy(l.tail[:], end[max(0, len(end)-(nameLength-1)):])
}

// names returns how often the name occurs in p, in any case.
func names(p []byte) int64 {
	var count int64
	for at := 0; ; at++ {
		next := bytes.IndexByte(p[at:], '-')
		if next < 0 {
			return count
		}
		at += next
		if at >= len(nameStart) && len(p) > at+len(nameEnd) &&
			strings.EqualFold(string(p[at-len(nameStart):at]), nameStart) &&
			strings.EqualFold(string(p[at+1:at+1+len(nameEnd)]), nameEnd) {
			count++
		}
	}
}

// ambiguous reports whether a request may have had both Content-Length and
// Transfer-Encoding, which can be an attempt to smuggle another request past a
// proxy that reads the other of the two. RFC 9112, section 6.1, requires that the
// connection is closed after the response. A request in a body that looks like one
// with a Content-Length only costs the client its connection.
//
// http.Server ignores the Transfer-Encoding of HTTP/1.0, so every such request
// with a body counts. So does every chunked request over TLS, whose bytes are not
// visible here. HTTP/2 has frames instead of lengths.
func (c *connection) ambiguous(r *http.Request) bool {
	if c.encrypted && r.ProtoAtLeast(1, 1) {
		return r.ProtoMajor == 1 && len(r.TransferEncoding) > 0
	}
	if r.Header.Get("Content-Length") != "" {
		c.declared++
	}
	if !r.ProtoAtLeast(1, 1) {
		return r.ContentLength != 0
	}
	return len(r.TransferEncoding) > 0 && c.lengths.seen.Load() > int64(c.declared)
}
