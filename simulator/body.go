package simulator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// maxBody is the maximum size of a request body. The real limit is not
// published.
const maxBody = 10 << 20

// errBusy is returned when the memory for a body does not become free in time.
var errBusy = errors.New("too many request bodies in memory")

// readBody reads the request body within the limits of size and time. It
// refuses compressed bodies, so a small body cannot expand to a large one.
func (s *Simulator) readBody(c *call, w http.ResponseWriter, r *http.Request) ([]byte, *answer) {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		c.refuse("", why{fmt.Sprintf("the body is compressed (%.20q)", coding), "Content-Encoding", "Send the body without Content-Encoding."})
		return nil, refusedByGateway(http.StatusUnsupportedMediaType, "Content-Encoding is not supported")
	}
	body, err := []byte(nil), error(&http.MaxBytesError{Limit: maxBody})
	if r.ContentLength <= maxBody {
		body, err = s.collect(r.Context(), c, http.MaxBytesReader(w, r.Body, maxBody), int(r.ContentLength))
	}
	if err == nil {
		return body, nil
	}
	return nil, refusedBody(c, err)
}

// refusedBody returns the answer for a body that could not be received.
func refusedBody(c *call, err error) *answer {
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		c.refuse("", why{fmt.Sprintf("the body has more than %d bytes", maxBody), "body", "Send one document per request; the real limit is not published."})
		return closing(http.StatusRequestEntityTooLarge, "The request is too large")
	case errors.Is(err, errBusy):
		c.refuse("", why{"too many large requests are being received at once", "body", "Send the request again, or fewer at once."})
		return closing(http.StatusServiceUnavailable, "Too many requests are being received")
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.refuse("", why{"the body was not received in time", "body", "Send the whole body without pauses."})
		return closing(http.StatusRequestTimeout, "The request was not received in time")
	}
	c.refuse("", why{"the body ended before its announced length", "Content-Length", "Send as many bytes as Content-Length announces."})
	return refusedByGateway(http.StatusBadRequest, "The request ended early")
}

// collect reads a body into a buffer that grows with the bytes received, not
// with the announced length. A length of -1 means unknown.
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

// nextSize returns the next buffer size: at least one share, then twice the
// current size, but no more than the announced length plus one byte, which
// detects the end of the body.
func nextSize(size, length int) int {
	next := max(2*size, share)
	if length >= size {
		return min(next, length+1)
	}
	return min(next, maxBody+1)
}

// makeRoom reserves memory for the body, waiting at most cfg.Patience. The time
// waited is added to the client's read deadline.
func (s *Simulator) makeRoom(ctx context.Context, c *call, size int) error {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Patience)
	defer cancel()
	waited, err := c.reservation.grow(ctx, size)
	if err != nil {
		return errors.Join(errBusy, err)
	}
	c.arrival.allow(waited)
	return nil
}

// closing returns an error answer that also closes the connection, because the
// rest of the body is not read.
func closing(status int, more string) *answer {
	a := refusedByGateway(status, more)
	a.header = map[string]string{"Connection": "close"}
	return a
}

// timedBody sets a read deadline on the body. The deadline is removed at the
// end of the body: if the connection timed out while the answer is prepared, it
// would look as if the client had disconnected.
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
		_ = b.connection.SetReadDeadline(time.Time{}) // fails for a test's recorder, which has no deadlines
	}
	return n, err
}

// allow extends the read deadline.
func (b *timedBody) allow(more time.Duration) {
	b.until = b.until.Add(more)
	_ = b.connection.SetReadDeadline(b.until) // fails as in Read
}

// readObject reads string fields of a JSON object by their exact names and
// ignores other fields. null becomes "", and a number becomes its digits,
// because some clients send the request ID as a number.
func readObject(body []byte, texts map[string]*string) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('{') {
		return errors.Join(errors.New("body is not a JSON object"), err)
	}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string) // a key is a string, or Token returned an error
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
			return errors.New("field is not a string or a number")
		}
	}
	if _, err := decoder.Token(); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("unexpected data after the JSON object")
	}
	return nil
}
