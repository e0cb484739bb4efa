package recording

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// maxBody is how much of a body is stored.
const maxBody = 4 << 20

// capture keeps the beginning of a body while it passes through.
type capture struct {
	mu    sync.Mutex // the transport may still read the request when the response arrives
	kept  []byte
	total int64
}

func (c *capture) add(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total += int64(len(p))
	c.kept = append(c.kept, p[:min(len(p), maxBody-len(c.kept))]...)
}

// content returns what was kept, decompressed, and why it is not the whole body.
func (c *capture) content(coding string) (body []byte, total int64, cut string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	body = bytes.Clone(c.kept)
	if c.total > int64(len(body)) {
		cut = fmt.Sprintf("longer than %d bytes", maxBody)
	}
	switch strings.ToLower(coding) {
	case "", "identity":
		return body, c.total, cut
	case "gzip":
		body, cut = unzip(body, cut)
		return body, c.total, cut
	}
	return nil, c.total, fmt.Sprintf("compressed with %.20q", coding)
}

func unzip(body []byte, cut string) ([]byte, string) {
	reader, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, "not valid gzip"
	}
	plain, err := io.ReadAll(io.LimitReader(reader, maxBody+1))
	switch {
	case len(plain) > maxBody:
		return plain[:maxBody], fmt.Sprintf("longer than %d bytes", maxBody)
	case err != nil && cut == "":
		cut = "not valid gzip"
	}
	return plain, cut
}

// capturedBody is a request body that is captured.
type capturedBody struct {
	io.ReadCloser
	to *capture
}

func (b *capturedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.to.add(p[:n])
	return n, err
}

// capturedResponse is a ResponseWriter that captures the response.
type capturedResponse struct {
	http.ResponseWriter
	status int // 0 until the final status is sent
	header http.Header
	body   capture
}

// WriteHeader captures the first final status and the header.
func (w *capturedResponse) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status, w.header = status, w.Header().Clone()
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write captures a part of the body.
func (w *capturedResponse) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	n, err := w.ResponseWriter.Write(p)
	w.body.add(p[:n])
	return n, err
}

// Unwrap returns the underlying writer, for http.ResponseController.
func (w *capturedResponse) Unwrap() http.ResponseWriter { return w.ResponseWriter }
