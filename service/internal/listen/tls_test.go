package listen_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/listen"
	"khatm/service/internal/listen/listentest"
)

// serveTLS starts a server like serve, with TLS, and returns the settings of its
// clients.
func serveTLS(t *testing.T, h http.HandlerFunc) (*serving, *tls.Config) {
	t.Helper()
	ca := testtool.NewCA(t)
	r := &serving{t: t, ended: make(chan error, 1), log: &testtool.Buffer{}}
	s, err := listen.New(context.Background(), listen.Config{
		Address: "127.0.0.1:0", Grace: grace, Log: slog.New(slog.NewJSONHandler(r.log, nil)),
		HTTP: &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, TLSConfig: ca.Server("127.0.0.1")},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Server = s
	go func() { r.ended <- s.Serve() }()
	trust := ca.Client()
	trust.ServerName = "127.0.0.1"
	return r, trust
}

// dialTLS opens a TLS connection for HTTP/1.1.
func (r *serving) dialTLS(trust *tls.Config) (*tls.Conn, *bufio.Reader) {
	r.t.Helper()
	conn, err := tls.Dial("tcp", r.Addr().String(), trust)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(listentest.Patience)); err != nil {
		r.t.Fatal(err)
	}
	return conn, bufio.NewReader(conn)
}

// http2 returns a client that uses HTTP/2 only.
func http2(t *testing.T, trust *tls.Config) *http.Client {
	t.Helper()
	var protocols http.Protocols
	protocols.SetHTTP2(true)
	transport := &http.Transport{TLSClientConfig: trust.Clone(), Protocols: &protocols}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: listentest.Patience}
}

// Every request over TLS is answered, or its connection is refused when it is
// opened.
func TestStopUnderLoadWithTLS(t *testing.T) {
	for _, keep := range []bool{false, true} {
		r, trust := serveTLS(t, ok)
		r.stopUnderLoad(&listentest.Callers{Keep: keep, TLS: trust}, 8)
	}
}

// Requests over HTTP/2 are answered until the port refuses connections.
func TestStopUnderLoadWithHTTP2(t *testing.T) {
	t.Parallel()
	r, trust := serveTLS(t, ok)
	client := http2(t, trust)
	var answered atomic.Int64
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for {
				response, err := client.Get("https://" + r.Addr().String())
				if errors.Is(err, syscall.ECONNREFUSED) {
					return
				}
				if err != nil {
					t.Errorf("after %d requests: %v", answered.Load(), err)
					return
				}
				_, err = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
				if err != nil || response.ProtoMajor != 2 || response.StatusCode != http.StatusOK {
					t.Errorf("response %s %d, %v; want 200 over HTTP/2", response.Proto, response.StatusCode, err)
				}
				answered.Add(1)
			}
		})
	}
	for answered.Load() < 100 {
		time.Sleep(time.Millisecond)
	}
	r.stop()
	callers.Wait()
}

// An idle connection of HTTP/2 does not delay the stop, even if frames arrived on
// it after the last response.
func TestStopClosesIdleHTTP2(t *testing.T) {
	t.Parallel()
	r, trust := serveTLS(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", 1<<20)) // the client sends window updates
	})
	response, err := http2(t, trust).Get("https://" + r.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	if err != nil || n != 1<<20 || response.ProtoMajor != 2 {
		t.Fatalf("response of %d bytes over %s, %v; want 1 MiB over HTTP/2", n, response.Proto, err)
	}
	time.Sleep(grace / 3) // for the last frames of the client
	began := time.Now()
	r.stop()
	if took := time.Since(began); took > limit/2 {
		t.Errorf("the server stopped after %s", took)
	}
}

// A server that stops answers a request over HTTP/2 that is in progress.
func TestStopWaitsForHTTP2(t *testing.T) {
	t.Parallel()
	came := make(chan struct{})
	var once sync.Once
	r, trust := serveTLS(t, func(w http.ResponseWriter, _ *http.Request) {
		once.Do(func() { close(came) })
		time.Sleep(2 * grace)
		_, _ = io.WriteString(w, "late")
	})
	answered := make(chan error, 1)
	go func() {
		response, err := http2(t, trust).Get("https://" + r.Addr().String())
		if err == nil {
			var text []byte
			text, err = io.ReadAll(response.Body)
			_ = response.Body.Close()
			if err == nil && string(text) != "late" {
				err = fmt.Errorf("response %q", text)
			}
		}
		answered <- err
	}()
	<-came
	r.stop()
	if err := <-answered; err != nil {
		t.Errorf("the request in progress ended with %v, want its response", err)
	}
}

// A chunked request over TLS and HTTP/1.1 closes its connection, because it may have
// had a length as well; others do not.
func TestChunkedRequestOverTLSClosesTheConnection(t *testing.T) {
	t.Parallel()
	r, trust := serveTLS(t, ok)
	t.Cleanup(r.stop)
	for name, c := range map[string]struct {
		request string // followed by another request
		want    int    // responses
	}{
		"no body":    {"GET / HTTP/1.1\r\nHost: khatm\r\n\r\n", 2},
		"one length": {"POST / HTTP/1.1\r\nHost: khatm\r\nContent-Length: 5\r\n\r\nhello", 2},
		"chunked":    {"POST / HTTP/1.1\r\nHost: khatm\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 1},
		"both":       {"POST / HTTP/1.1\r\nHost: khatm\r\nContent-Length: 15\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 1},
		"HTTP/1.0":   {"POST / HTTP/1.0\r\nHost: khatm\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello", 1},
	} {
		conn, reader := r.dialTLS(trust)
		if _, err := io.WriteString(conn, c.request+"GET / HTTP/1.1\r\nHost: khatm\r\nConnection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		got := 0
		for {
			one, err := listentest.ReadAnswer(reader, http.MethodPost)
			if err != nil {
				break
			}
			if got++; one.Status != http.StatusOK {
				t.Errorf("%s: status %d, want 200", name, one.Status)
			}
		}
		if got != c.want {
			t.Errorf("%s: %d responses, want %d", name, got, c.want)
		}
	}
}

// A plain HTTP request to a TLS port gets an answer that says so.
func TestPlainRequestToTLS(t *testing.T) {
	t.Parallel()
	r, _ := serveTLS(t, ok)
	t.Cleanup(r.stop)
	conn, reader := r.dial()
	say(t, conn, "GET / HTTP/1.1\r\nHost: khatm\r\n\r\n")
	got, err := listentest.ReadAnswer(reader, http.MethodGet)
	if err != nil || got.Status != http.StatusBadRequest || !strings.Contains(got.Body, "HTTPS server") {
		t.Errorf("response %+v, %v; want 400 that names HTTPS", got, err)
	}
}
