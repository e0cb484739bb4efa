package main

import (
	"bytes"
	"io"
	"net"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestSecondSignalEndsAtOnce has a request under way that would hold the
// server up, and tells it to stop twice.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	// A request that the server has not looked at yet does not hold it up, and
	// nobody can see from outside whether it has.
	for range 5 {
		if endedBySecondSignal(t) {
			return
		}
	}
	t.Error("the server always ended by itself, never by the second signal")
}

func endedBySecondSignal(t *testing.T) bool {
	t.Helper()
	var said book
	server := exec.Command("khatm", "serve", "--addr=127.0.0.1:0", "--operations=off", "--data", t.TempDir())
	server.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
	server.Stdout, server.Stderr = &said, &said
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill() })
	at, err := url.Parse(said.wait(t, `Khatm serves (\S+) .*\n`))
	if err != nil {
		t.Fatal(err)
	}
	slow, err := net.Dial("tcp", at.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close() //nolint:errcheck // nobody is at the other end
	if _, err := io.WriteString(slow, "GET / HTTP/1.1\r\nHost: x\r\n"); err != nil {
		t.Fatal(err)
	}
	said.wait(t, `Ctrl-C (.)`)
	signal := func() { _ = server.Process.Signal(syscall.SIGTERM) }
	signal()
	said.wait(t, `("msg":"stopping")`)
	ended := make(chan struct{})
	go func() {
		_ = server.Wait()
		close(ended)
	}()
	// Until the first signal is dealt with, a second may be taken for the same.
	for again := time.NewTicker(10 * time.Millisecond); ; signal() {
		select {
		case <-again.C:
			continue
		case <-ended:
		}
		break
	}
	status, ok := server.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signal() == syscall.SIGTERM
}

// book is what a process says.
type book struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *book) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// wait waits until a pattern is there and returns its group.
func (b *book) wait(t *testing.T, pattern string) string {
	t.Helper()
	wanted := regexp.MustCompile(pattern)
	var text string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		b.mu.Lock()
		text = b.text.String()
		b.mu.Unlock()
		if found := wanted.FindStringSubmatch(text); found != nil {
			return found[1]
		}
	}
	t.Fatalf("it never said %s:\n%s", pattern, text)
	return ""
}

func TestNetwork(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a network", "10.0.0.0/8", "10.0.0.0/8"},
		{"an address in a network", "10.1.2.3/8", "10.0.0.0/8"},
		{"an address", "192.168.1.1", "192.168.1.1/32"},
		{"an address of six", "2001:db8::1", "2001:db8::1/128"},
		{"a name", "proxy", ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got network
			err := got.UnmarshalText([]byte(c.text))
			if c.want == "" {
				if err == nil {
					t.Errorf("got %s, want an error", netip.Prefix(got))
				}
				return
			}
			if err != nil || netip.Prefix(got).String() != c.want {
				t.Errorf("got %s, %v; want %s", netip.Prefix(got), err, c.want)
			}
		})
	}
}

func TestReachable(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"127.0.0.1:8080", "127.0.0.1:8080"},
		{"[::]:8080", "localhost:8080"},
		{"0.0.0.0:8080", "localhost:8080"},
		{":8080", "localhost:8080"},
		{"[::1]:8080", "[::1]:8080"},
		{"example.sa:80", "example.sa:80"},
	} {
		if got := reachable(c.given); got != c.want {
			t.Errorf("%s: got %s, want %s", c.given, got, c.want)
		}
	}
}

func TestHelpNamesEveryCommand(t *testing.T) {
	var out, complaints strings.Builder
	if code := run([]string{"--help"}, &out, &complaints); code != 0 {
		t.Fatalf("exit code %d: %s", code, complaints.String())
	}
	for _, name := range []string{"serve", "migrate", "backup", "restore", "doctor", "vault", "audit", "org", "branch", "user", "key", "reason", "invoice", "plan", "version", "demo", "mood", "validate"} {
		if !regexp.MustCompile(`(?m)^  ` + name + ` +[A-Z]`).MatchString(out.String()) {
			t.Errorf("the help does not name %s", name)
		}
	}
}
