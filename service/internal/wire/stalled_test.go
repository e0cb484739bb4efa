package wire_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// exchange sends raw bytes to a server with the given handler, calls then with the
// connection, and returns the response.
func exchange(t *testing.T, h http.Handler, request string, then func(*net.TCPConn)) servicetest.Answer {
	t.Helper()
	s := httptest.NewServer(h)
	defer s.Close() // waits for the handler
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(servicetest.Patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	then(conn.(*net.TCPConn)) //nolint:forcetypeassert // of the network tcp
	got, err := servicetest.ReadAnswer(bufio.NewReader(conn), http.MethodPost)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A client whose body stalls while the server reads the rest of it, after it
// refused the request, is connected: it gets the refusal, which is logged as such.
func TestStalledBodyOfARefusedRequest(t *testing.T) {
	t.Parallel()
	f := frame(mishap("stay", func() (*said, error) { return nil, fault.New(fault.DatabaseUnavailable, "busy") }))
	h := server.Paced(300*time.Millisecond, time.Hour, f)
	got := exchange(t, h, "POST /v1/stay/ HTTP/1.1\r\nHost: khatm\r\nContent-Length: 8\r\n\r\nxxx", func(*net.TCPConn) {})
	if got.Status != http.StatusServiceUnavailable || !strings.Contains(got.Body, "database_unavailable") || got.Header.Get("Connection") != "close" {
		t.Errorf("response %d %v %s, want 503 database_unavailable that closes the connection", got.Status, got.Header, got.Body)
	}
	if logged := f.only(t); logged.Status != http.StatusServiceUnavailable || logged.Level != "ERROR" {
		t.Errorf("log line = %+v, want level ERROR and status 503", logged)
	}
}

// A client that has closed its side of the connection, and still reads, gets a
// documented status.
func TestHalfClosedClientGetsADocumentedStatus(t *testing.T) {
	t.Parallel()
	closed := make(chan struct{})
	f := frame(mishap("stay", func() (*said, error) { return nil, fault.New(fault.DatabaseUnavailable, "busy") }))
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-closed
		<-r.Context().Done()
		f.ServeHTTP(w, r)
	})
	got := exchange(t, h, "POST /v1/stay/ HTTP/1.1\r\nHost: khatm\r\n\r\n", func(conn *net.TCPConn) {
		if err := conn.CloseWrite(); err != nil {
			t.Error(err)
		}
		close(closed)
	})
	if got.Status != http.StatusInternalServerError && got.Status != http.StatusServiceUnavailable {
		t.Errorf("response %d %s, want a documented status", got.Status, got.Body)
	}
}
