package simulator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// maxBody is the longest request that is read. The real limit is not published.
const maxBody = 10 << 20

// errBusy says that there was no room for a body in time.
var errBusy = errors.New("too many bodies are read at once")

// readBody reads a body that is neither too long nor too slow. Compressed ones
// are not taken, so none can be larger than it looks.
func (s *Simulator) readBody(c *call, w http.ResponseWriter, r *http.Request) ([]byte, *answer) {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, refusedByGateway(http.StatusUnsupportedMediaType, "Content-Encoding is not supported")
	}
	if r.ContentLength > maxBody {
		return nil, closing(http.StatusRequestEntityTooLarge, "The request is too large")
	}
	body, err := s.collect(r.Context(), c, http.MaxBytesReader(w, r.Body, maxBody), int(r.ContentLength))
	var long *http.MaxBytesError
	switch {
	case err == nil:
		return body, nil
	case errors.As(err, &long):
		return nil, closing(http.StatusRequestEntityTooLarge, "The request is too large")
	case errors.Is(err, errBusy):
		return nil, closing(http.StatusServiceUnavailable, "Too many requests are being received")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, closing(http.StatusRequestTimeout, "The request was not received in time")
	}
	return nil, refusedByGateway(http.StatusBadRequest, "The request ended early")
}

// collect reads a body into a buffer that grows with what arrived, not with
// what was announced. The length is -1 when it is not known.
func (s *Simulator) collect(ctx context.Context, c *call, from io.Reader, length int) ([]byte, error) {
	buffer := make([]byte, 0, firstBuffer)
	for {
		if len(buffer) == cap(buffer) {
			size := nextSize(cap(buffer), length)
			if err := s.makeRoom(ctx, c, size); err != nil {
				return nil, err
			}
			grown := make([]byte, len(buffer), size)
			copy(grown, buffer)
			buffer = grown
		}
		n, err := from.Read(buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		switch {
		case errors.Is(err, io.EOF):
			return buffer, nil
		case err != nil:
			return nil, err
		}
	}
}

// nextSize is a share, then twice what there is, but no more than is to come,
// with a byte of room in which the end is seen.
func nextSize(size, length int) int {
	next := max(2*size, share)
	if length >= size {
		return min(next, length+1)
	}
	return min(next, maxBody+1)
}

// makeRoom waits for room as long as for a body. The sender is not to blame
// for the wait and gets the time back.
func (s *Simulator) makeRoom(ctx context.Context, c *call, size int) error {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Patience)
	defer cancel()
	waited, err := c.ticket.grow(ctx, size)
	if err != nil {
		return errors.Join(errBusy, err)
	}
	c.arrival.allow(waited)
	return nil
}

// closing refuses a request of which the rest is not read.
func closing(status int, more string) *answer {
	a := refusedByGateway(status, more)
	a.header = map[string]string{"Connection": "close"}
	return a
}

// timedBody is a body that must arrive in time, whoever reads it. The time
// ends with the body, because a connection that times out while an answer is
// made looks like a client that left.
type timedBody struct {
	io.ReadCloser
	connection *http.ResponseController
	patience   time.Duration
	until      time.Time // zero before the first read
}

func (b *timedBody) Read(p []byte) (int, error) {
	if b.until.IsZero() {
		b.until = time.Now()
		b.allow(b.patience)
	}
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.connection.SetReadDeadline(time.Time{}) // a recorder of a test has none
	}
	return n, err
}

// allow gives the sender more time.
func (b *timedBody) allow(more time.Duration) {
	b.until = b.until.Add(more)
	_ = b.connection.SetReadDeadline(b.until) // as above
}

// readObject reads texts out of a JSON object, by their exact names. Other
// fields are passed over, null is an empty text, and a number is its digits,
// as some clients send the request ID.
func readObject(body []byte, texts map[string]*string) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('{') {
		return errors.Join(errors.New("the body is not a JSON object"), err)
	}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string) // what stands there is a text, or an error
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		at, wanted := texts[name]
		switch {
		case !wanted:
		case value[0] == '"' || value[0] == 'n':
			if err := json.Unmarshal(value, at); err != nil {
				return err
			}
		case value[0] == '-' || value[0] >= '0' && value[0] <= '9':
			*at = string(value)
		default:
			return errors.New("a field is not a text")
		}
	}
	if _, err := decoder.Token(); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something stands behind the JSON object")
	}
	return nil
}
