package servicetest

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/listen/listentest"
	"khatm/service/internal/server"
)

// Running is an instance that runs as with `khatm serve`: with its own listener
// and its limits and timeouts.
type Running struct {
	*Instance
	Address string // of the API
	Stop    context.CancelFunc
	Ended   chan error // result of Run
}

// Run starts a service. It is stopped after the test at the latest.
func Run(t testing.TB, change func(*server.Config)) *Running {
	t.Helper()
	h := Open(t, func(c *server.Config) {
		c.Address, c.Operations = "127.0.0.1:0", ""
		if change != nil {
			change(c)
		}
	})
	ctx, stop := context.WithCancel(context.Background())
	r := &Running{Instance: h, Stop: stop, Ended: make(chan error, 1)}
	ready := make(chan string, 1)
	go func() { r.Ended <- h.Service.Run(ctx, func(address string) { ready <- address }) }()
	select {
	case r.Address = <-ready:
	case err := <-r.Ended:
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		if err := <-r.Ended; err != nil {
			t.Error(err)
		}
		r.Ended <- nil
	})
	return r
}

// Wait waits for Run to return.
func (r *Running) Wait() error {
	err := <-r.Ended
	r.Ended <- err
	return err
}

// Patience is the maximum time a test waits for something.
const Patience = listentest.Patience

// Dial opens a raw connection.
func (r *Running) Dial() net.Conn {
	r.TB.Helper()
	conn, err := net.Dial("tcp", r.Address)
	if err != nil {
		r.TB.Fatal(err)
	}
	r.TB.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(Patience)); err != nil {
		r.TB.Fatal(err)
	}
	return conn
}

// Say sends a raw request and returns the responses until the connection ends.
// Header lines may end with \n.
func (r *Running) Say(request string) []Answer {
	r.TB.Helper()
	conn := r.Dial()
	head, body, _ := strings.Cut(request, "\n\n")
	// Send concurrently: the response may arrive before the request is
	// complete.
	go func() {
		_, _ = io.WriteString(conn, strings.ReplaceAll(head, "\n", "\r\n")+"\r\n\r\n"+body)
	}()
	method, _, _ := strings.Cut(request, " ")
	return r.Hear(conn, method)
}

// Hear returns the responses to requests with the given method until the
// connection ends.
func (r *Running) Hear(conn net.Conn, method string) []Answer {
	r.TB.Helper()
	var heard []Answer
	reader := bufio.NewReader(conn)
	for {
		got, err := ReadAnswer(reader, method)
		if err != nil {
			return heard // the connection has ended
		}
		heard = append(heard, got)
		if got.Header.Get("Connection") == "close" {
			return heard
		}
	}
}

// ReadAnswer reads one response from a connection.
func ReadAnswer(from *bufio.Reader, method string) (Answer, error) {
	a, err := listentest.ReadAnswer(from, method)
	return Answer(a), err
}

// Ask calls an endpoint of the operations handler.
func (h *Instance) Ask(path string) Answer {
	w := httptest.NewRecorder()
	h.Service.Operations().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return Answer{w.Code, w.Header(), w.Body.String()}
}

// AsRead returns headers with canonical names, as a Go client reads them.
func AsRead(sent http.Header) http.Header {
	read := http.Header{}
	for name, values := range sent {
		read[http.CanonicalHeaderKey(name)] = values
	}
	return read
}
