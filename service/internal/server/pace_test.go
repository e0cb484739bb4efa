package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// listening starts a server, whose handler reads bodies if reads is set, and
// returns a connection to it. The server has no timeouts, so that only paced
// can end a body.
func listening(t *testing.T, still, whole time.Duration, reads bool) net.Conn {
	t.Helper()
	server := httptest.NewServer(server.Paced(still, whole, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !reads {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_, _ = r.Body.Read(make([]byte, 1)) // another read, after the end, must not set a deadline
		select {
		case <-r.Context().Done():
			w.WriteHeader(http.StatusInternalServerError)
		case <-time.After(2 * still): // the handler takes longer than a body may
		}
	})))
	t.Cleanup(server.Close)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(servicetest.Patience)); err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestA5_SlowBodyIsCutOff(t *testing.T) {
	t.Parallel()
	const long, short = time.Hour, 300 * time.Millisecond
	cases := []struct {
		name         string
		still, whole time.Duration
		reads        bool
		sent         int           // bytes sent of the 8 announced
		every        time.Duration // pause between two bytes
		want         int
	}{
		{"sent at once", short, long, true, 8, 0, 200},
		{"stops in the middle", short, long, true, 3, 0, 400},
		{"never begins", short, long, true, 0, 0, 400},
		{"slow, but every byte in time", time.Second, long, true, 8, 200 * time.Millisecond, 200},
		{"slow, and too long in total", time.Second, 300 * time.Millisecond, true, 8, 100 * time.Millisecond, 400},
		{"not read by the handler", short, long, false, 3, 0, 401},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			conn := listening(t, c.still, c.whole, c.reads)
			if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: khatm\r\nContent-Length: 8\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			drip := time.NewTicker(max(c.every, time.Nanosecond))
			defer drip.Stop()
			for range c.sent {
				<-drip.C
				if _, err := io.WriteString(conn, "x"); err != nil {
					break // the connection was closed
				}
			}
			got, err := servicetest.ReadAnswer(bufio.NewReader(conn), http.MethodPost)
			if err != nil || got.Status != c.want {
				t.Errorf("status %d, %v; want %d", got.Status, err, c.want)
			}
		})
	}
}

// The deadline of a body does not apply to the next request on its connection.
func TestA5_ConnectionOutlivesAPacedBody(t *testing.T) {
	t.Parallel()
	conn := listening(t, 300*time.Millisecond, time.Hour, true)
	reader := bufio.NewReader(conn)
	for n := range 3 {
		if _, err := fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: khatm\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n%d\r\n0\r\n\r\n", n); err != nil {
			t.Fatal(err)
		}
		if got, err := servicetest.ReadAnswer(reader, http.MethodPost); err != nil || got.Status != http.StatusOK {
			t.Fatalf("request %d: got %d, %v; want 200", n, got.Status, err)
		}
	}
}

// The service closes a connection whose body has stalled for ten seconds.
func TestA5_ServiceCutsASlowBody(t *testing.T) {
	t.Parallel()
	r := servicetest.Run(t, nil)
	path := "/v1/api/buyers/" + r.Client(r.Org, "Al Noor").ID.String() + "/"
	began := time.Now()
	got := r.Say("PATCH " + path + " HTTP/1.1\nHost: khatm\nAuthorization: Bearer " + r.Key + "\nContent-Length: 20\n\n{")
	if took := time.Since(began); len(got) != 1 || got[0].Status != http.StatusBadRequest || took < 9*time.Second || took > 15*time.Second {
		t.Errorf("after %s: responses %+v, want one 400 after ten seconds", took, got)
	}
	if len(got) == 1 && !strings.Contains(got[0].Body, "could not be read to its end") {
		t.Errorf("response %s, want that the body could not be read", got[0].Body)
	}
}
