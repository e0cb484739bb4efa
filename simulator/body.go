package simulator

import (
	"bytes"
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

// largeBody is from where on a body counts as large: a document of some hundred
// lines is smaller. What is judged takes many times its size, so only a few
// large ones are read at a time; the others wait.
const largeBody = 1 << 20

// readBody reads a body that is neither too long nor too slow. Compressed ones
// are not taken, so none can be larger than it looks.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, *answer) {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, refusedByGateway(http.StatusUnsupportedMediaType, "Content-Encoding is not supported")
	}
	if r.ContentLength > maxBody {
		return nil, closing(http.StatusRequestEntityTooLarge, "The request is too large")
	}
	var buffer bytes.Buffer
	if r.ContentLength > 0 {
		buffer.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	_, err := buffer.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody))
	var long *http.MaxBytesError
	switch {
	case err == nil:
		return buffer.Bytes(), nil
	case errors.As(err, &long):
		return nil, closing(http.StatusRequestEntityTooLarge, "The request is too large")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, closing(http.StatusRequestTimeout, "The request was not received in time")
	}
	return nil, refusedByGateway(http.StatusBadRequest, "The request ended early")
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
	begun      bool
}

func (b *timedBody) Read(p []byte) (int, error) {
	if !b.begun {
		b.begun = true
		_ = b.connection.SetReadDeadline(time.Now().Add(b.patience)) // a recorder of a test has none
	}
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.connection.SetReadDeadline(time.Time{}) // as above
	}
	return n, err
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
