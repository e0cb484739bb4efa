package service_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/server"
)

// running is a house whose service runs as `khatm serve` runs it: with its own
// listener, and the bounds and times of that.
type running struct {
	*house
	address string // of the surfaces
	stop    context.CancelFunc
	ended   chan error // what Run returned
}

// runs starts one. It is stopped after the test, if the test did not.
func runs(t testing.TB, change func(*server.Config)) *running {
	t.Helper()
	h := open(t, func(c *server.Config) {
		c.Address, c.Operations = "127.0.0.1:0", ""
		if change != nil {
			change(c)
		}
	})
	ctx, stop := context.WithCancel(context.Background())
	r := &running{house: h, stop: stop, ended: make(chan error, 1)}
	ready := make(chan string, 1)
	go func() { r.ended <- h.service.Run(ctx, func(address string) { ready <- address }) }()
	select {
	case r.address = <-ready:
	case err := <-r.ended:
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		if err := <-r.ended; err != nil {
			t.Error(err)
		}
		r.ended <- nil
	})
	return r
}

// wait waits for the end of Run.
func (r *running) wait() error {
	err := <-r.ended
	r.ended <- err
	return err
}

// patience bounds what a test waits for.
const patience = 20 * time.Second

// dial opens a connection on which a test says what it likes.
func (r *running) dial() net.Conn {
	r.t.Helper()
	conn, err := net.Dial("tcp", r.address)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		r.t.Fatal(err)
	}
	return conn
}

// say sends bytes as they are and reads the answers until the connection ends.
// Lines of the request may be written with \n.
func (r *running) say(request string) []answer {
	r.t.Helper()
	conn := r.dial()
	head, body, _ := strings.Cut(request, "\n\n")
	// Sent beside the reading: an answer may come before all was said.
	go func() {
		_, _ = io.WriteString(conn, strings.ReplaceAll(head, "\n", "\r\n")+"\r\n\r\n"+body)
	}()
	method, _, _ := strings.Cut(request, " ")
	return r.hear(conn, method)
}

// hear reads answers to requests of a method until the connection ends.
func (r *running) hear(conn net.Conn, method string) []answer {
	r.t.Helper()
	var heard []answer
	reader := bufio.NewReader(conn)
	for {
		got, err := readAnswer(reader, method)
		if err != nil {
			return heard // the connection has ended
		}
		heard = append(heard, got)
		if got.header.Get("Connection") == "close" {
			return heard
		}
	}
}

var errNoAnswer = errors.New("no answer")

func readAnswer(from *bufio.Reader, method string) (answer, error) {
	response, err := http.ReadResponse(from, &http.Request{Method: method})
	if err != nil {
		return answer{}, errors.Join(errNoAnswer, err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	h := response.Header
	if response.Close {
		h.Set("Connection", "close")
	}
	return answer{response.StatusCode, h, string(body)}, err
}

// ask asks what those who run the service look at.
func (h *house) ask(path string) answer {
	w := httptest.NewRecorder()
	h.service.Operations().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return answer{w.Code, w.Header(), w.Body.String()}
}

// asRead gives headers as a client reads them: in Go's spelling, whatever the
// wire has.
func asRead(sent http.Header) http.Header {
	read := http.Header{}
	for name, values := range sent {
		read[http.CanonicalHeaderKey(name)] = values
	}
	return read
}
