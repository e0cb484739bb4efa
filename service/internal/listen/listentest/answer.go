// Package listentest contains clients that use raw connections, for tests of
// HTTP servers.
package listentest

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"time"
)

// Patience is the maximum time a test waits for something.
const Patience = 60 * time.Second

// Answer is an HTTP response.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

var errNoAnswer = errors.New("no response")

// ReadAnswer reads one response from a connection.
func ReadAnswer(from *bufio.Reader, method string) (Answer, error) {
	response, err := http.ReadResponse(from, &http.Request{Method: method})
	if err != nil {
		return Answer{}, errors.Join(errNoAnswer, err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	h := response.Header
	if response.Close {
		h.Set("Connection", "close")
	}
	return Answer{response.StatusCode, h, string(body)}, err
}
