package mail_test

import (
	"bufio"
	"context"
	"crypto/x509"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"khatm/service/internal/mail"
	"khatm/service/internal/store/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction(pgtest.IdleReader)) }

// transportTo returns a transport to the server at url.
func transportTo(t testing.TB, url string, roots *x509.CertPool, timeout time.Duration) *mail.Transport {
	t.Helper()
	server, err := mail.ParseServer(url)
	if err != nil {
		t.Fatal(err)
	}
	return mail.NewTransport(mail.TransportConfig{Server: server, Name: "khatm.example.sa", Roots: roots, Timeout: timeout})
}

// send sends the Arabic message and returns the failure, if any.
func send(t testing.TB, by *mail.Transport) *mail.Failure {
	t.Helper()
	raw, err := arabicMessage().Bytes()
	if err != nil {
		t.Fatal(err)
	}
	err = by.Send(context.Background(), "invoices@example.sa", "buyer@example.com", raw)
	if err == nil {
		return nil
	}
	var f *mail.Failure
	if !errors.As(err, &f) {
		t.Fatalf("error is %T, want *mail.Failure: %v", err, err)
	}
	return f
}

// hangUp as a reply of a script closes the connection; silence keeps it open
// without a reply.
const (
	hangUp  = "hang up"
	silence = "silence"
)

// script is a server with fixed replies: it maps the beginning of a line to the
// reply. The key "." is the end of a message.
type script map[string]string

// speak runs the server on a free port and returns its URL.
func (s script) speak(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.converse(conn, done)
		}
	}()
	t.Cleanup(func() {
		close(done)
		_ = listener.Close()
		<-ended
	})
	return "smtp://" + listener.Addr().String() + "?starttls=never"
}

func (s script) converse(conn net.Conn, done <-chan struct{}) {
	defer func() { _ = conn.Close() }()
	lines := bufio.NewScanner(conn)
	heard := "greeting"
	for inMessage := false; ; {
		if !inMessage || heard == "." {
			switch answer := s.answer(heard); answer {
			case hangUp:
				return
			case silence:
				<-done
				return
			default:
				if _, err := conn.Write([]byte(answer + "\r\n")); err != nil {
					return
				}
				inMessage = strings.HasPrefix(answer, "354")
			}
		}
		if !lines.Scan() {
			return
		}
		heard = lines.Text()
	}
}

func (s script) answer(heard string) string {
	for start, answer := range s {
		if strings.HasPrefix(heard, start) {
			return answer
		}
	}
	switch heard {
	case "greeting":
		return "220 script"
	case "DATA":
		return "354 go on"
	}
	return "250 fine"
}
