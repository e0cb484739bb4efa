package listen_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/listen"
	"khatm/service/internal/listen/listentest"
)

const (
	grace = 300 * time.Millisecond
	limit = 10 * time.Second
)

// serving is a running server.
type serving struct {
	*listen.Server
	t     *testing.T
	ended chan error // result of Serve
	log   *testtool.Buffer
}

// serve starts a server. Its handler responds with 200 and the method and length
// of the request.
func serve(t *testing.T, h http.HandlerFunc) *serving {
	t.Helper()
	r := &serving{t: t, ended: make(chan error, 1), log: &testtool.Buffer{}}
	s, err := listen.New(context.Background(), listen.Config{
		Address: "127.0.0.1:0", Grace: grace, Log: slog.New(slog.NewJSONHandler(r.log, nil)),
		HTTP: &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Server = s
	go func() { r.ended <- s.Serve() }()
	return r
}

func ok(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	_, _ = io.WriteString(w, "ok")
}

// stop stops the server and checks that it ended without an error.
func (r *serving) stop() {
	r.t.Helper()
	if err := errors.Join(r.Stop(limit), <-r.ended); err != nil {
		r.t.Error(err)
	}
}

// dial opens a raw connection.
func (r *serving) dial() (net.Conn, *bufio.Reader) {
	r.t.Helper()
	conn, err := net.Dial("tcp", r.Addr().String())
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(listentest.Patience)); err != nil {
		r.t.Fatal(err)
	}
	return conn, bufio.NewReader(conn)
}

func say(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
}

// Every request is answered, or its connection is refused when it is opened.
func TestStopUnderLoad(t *testing.T) {
	for range testtool.Scale(2, 5, 20) {
		for _, keep := range []bool{false, true} {
			r := serve(t, ok)
			r.stopUnderLoad(&listentest.Callers{Keep: keep}, 16)
		}
	}
}

// stopUnderLoad stops the server while callers make requests, and checks that each
// request is answered or refused.
func (r *serving) stopUnderLoad(callers *listentest.Callers, n int) {
	r.t.Helper()
	callers.Address, callers.Request = r.Addr().String(), "GET / HTTP/1.1\r\nHost: khatm"
	callers.Start(n)
	for callers.Answered.Load() < 12*int64(n) {
		time.Sleep(time.Millisecond)
	}
	r.stop()
	if lost := callers.Wait(); len(lost) > 0 {
		r.t.Errorf("with keep-alive %t, of %d requests, %d were neither answered nor refused, such as: %s", callers.Keep, callers.Answered.Load(), len(lost), lost[0])
	}
}

// A request that arrives while the server stops is answered, whatever the state of
// its connection was.
func TestStopAnswersWhatArrives(t *testing.T) {
	t.Parallel()
	const whole = "GET / HTTP/1.1\r\nHost: khatm\r\n\r\n"
	for name, parts := range map[string]struct{ before, after string }{
		"no byte on a new connection":        {"", whole},
		"half a header on a new connection":  {whole[:20], whole[20:]},
		"no byte on an idle connection":      {whole, whole},
		"half a header on a used connection": {whole + whole[:20], whole[20:]},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := serve(t, ok)
			conn, reader := r.dial()
			say(t, conn, parts.before)
			if len(parts.before) >= len(whole) {
				if got, err := listentest.ReadAnswer(reader, http.MethodGet); err != nil || got.Status != http.StatusOK {
					t.Fatalf("first response %d, %v; want 200", got.Status, err)
				}
			}
			other, _ := r.dial() // accepted after the first
			_ = other.Close()
			done := make(chan struct{})
			go func() { defer close(done); r.stop() }()
			time.Sleep(grace / 2) // while the server stops
			say(t, conn, parts.after)
			got, err := listentest.ReadAnswer(reader, http.MethodGet)
			if err != nil || got.Status != http.StatusOK || got.Header.Get("Connection") != "close" {
				t.Errorf("response %+v, %v; want 200 that closes the connection", got, err)
			}
			<-done
		})
	}
}

// An idle connection is closed, not reset, and does not delay the stop.
func TestStopClosesIdleConnections(t *testing.T) {
	t.Parallel()
	r := serve(t, ok)
	conn, reader := r.dial()
	say(t, conn, "GET / HTTP/1.1\r\nHost: khatm\r\n\r\n")
	if _, err := listentest.ReadAnswer(reader, http.MethodGet); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	r.stop()
	if took := time.Since(began); took > limit/2 {
		t.Errorf("the server stopped after %s", took)
	}
	if _, err := reader.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("the idle connection ended with %v, want EOF", err)
	}
}

func TestStopAbortsARequestThatTakesTooLong(t *testing.T) {
	t.Parallel()
	came, leave := make(chan struct{}), make(chan struct{})
	r := serve(t, func(http.ResponseWriter, *http.Request) { close(came); <-leave })
	conn, _ := r.dial()
	say(t, conn, "GET / HTTP/1.1\r\nHost: khatm\r\n\r\n")
	<-came
	if err := r.Stop(grace); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Stop returned %v, want that the time is over", err)
	}
	close(leave)
}

func TestAnnounceClosesConnectionsAfterTheirResponse(t *testing.T) {
	t.Parallel()
	r := serve(t, ok)
	defer r.stop()
	conn, reader := r.dial()
	for _, want := range []string{"", "close"} {
		say(t, conn, "GET / HTTP/1.1\r\nHost: khatm\r\n\r\n")
		got, err := listentest.ReadAnswer(reader, http.MethodGet)
		if err != nil || got.Status != http.StatusOK || got.Header.Get("Connection") != want {
			t.Fatalf("response %+v, %v; want 200 with Connection %q", got, err, want)
		}
		r.Announce()
	}
	other, reader := r.dial() // still accepted
	say(t, other, "GET / HTTP/1.1\r\nHost: khatm\r\n\r\n")
	if got, err := listentest.ReadAnswer(reader, http.MethodGet); err != nil || got.Status != http.StatusOK {
		t.Errorf("response on a new connection %+v, %v; want 200", got, err)
	}
}
