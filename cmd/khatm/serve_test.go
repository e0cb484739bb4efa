package main

import (
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"khatm/internal/testtool"
)

// A second signal ends a server that is waiting for a running request.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	// The server does not wait for a request that it has not started to read, and
	// the test cannot see whether it has. So try several times.
	for range 5 {
		if endedBySecondSignal(t) {
			return
		}
	}
	t.Error("in five runs the server always exited by itself, want one that the second signal ended")
}

// serveToBeStopped starts khatm serve and returns it, its output and its address.
func serveToBeStopped(t *testing.T, flags ...string) (server *exec.Cmd, printed *output, address string) {
	t.Helper()
	printed = &output{}
	server = exec.Command("khatm", append([]string{"serve", "--addr=127.0.0.1:0", "--operations=off", "--data", t.TempDir()}, flags...)...)
	server.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
	server.Stdout, server.Stderr = printed, printed
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill() })
	return server, printed, printed.wait(t, `"msg":"serving","address":"([^"]+)"`)
}

// In the drain period requests are answered; a second signal ends the period.
func TestSecondSignalEndsTheDrainPeriod(t *testing.T) {
	t.Parallel()
	server, printed, address := serveToBeStopped(t, "--drain=10m")
	printed.wait(t, `(there is no organisation yet)`)
	for _, stopping := range []bool{false, true} {
		response, err := http.Get("http://" + address + "/v1-3/api/public/health/")
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK || response.Close != stopping {
			t.Errorf("stopping %t: status %d, closes the connection: %t; want 200", stopping, response.StatusCode, response.Close)
		}
		if err := server.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		printed.wait(t, `("msg":"stopping","drain":"10m0s")`)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("after the second signal the server ended with %v, want exit code 0", err)
	}
}

func TestDrainSetting(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flags string
		want  time.Duration
	}{
		{"", 0},
		{"--behind-proxy", 10 * time.Second},
		{"--drain=3s", 3 * time.Second},
		{"--behind-proxy --drain=0s", 0},
	} {
		var s drainSetting
		parser, err := kong.New(&s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse(strings.Fields(c.flags)); err != nil || s.drain() != c.want {
			t.Errorf("%q: drain %s, %v; want %s", c.flags, s.drain(), err, c.want)
		}
	}
}

func endedBySecondSignal(t *testing.T) bool {
	t.Helper()
	server, printed, address := serveToBeStopped(t)
	slow, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close() //nolint:errcheck // nobody is at the other end
	if _, err := io.WriteString(slow, "GET / HTTP/1.1\r\nHost: x\r\n"); err != nil {
		t.Fatal(err)
	}
	printed.wait(t, `(there is no organisation yet)`)
	signal := func() { _ = server.Process.Signal(syscall.SIGTERM) }
	signal()
	printed.wait(t, `("msg":"stopping")`)
	ended := make(chan struct{})
	go func() {
		_ = server.Wait()
		close(ended)
	}()
	// A signal that arrives before the first was handled is merged with it, so
	// repeat the second one.
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

// output collects the output of a process.
type output struct{ testtool.Buffer }

// wait waits until the output matches a pattern and returns its group.
func (o *output) wait(t *testing.T, pattern string) string {
	t.Helper()
	wanted := regexp.MustCompile(pattern)
	var text string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		text = o.String()
		if found := wanted.FindStringSubmatch(text); found != nil {
			return found[1]
		}
	}
	t.Fatalf("no output within %s matched %s:\n%s", patience, pattern, text)
	return ""
}

func TestNetwork(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a network", "10.0.0.0/8", "10.0.0.0/8"},
		{"an address in a network", "10.1.2.3/8", "10.0.0.0/8"},
		{"an address", "192.168.1.1", "192.168.1.1/32"},
		{"an IPv6 address", "2001:db8::1", "2001:db8::1/128"},
		{"a host name", "proxy", ""},
		{"an empty text", "", ""},
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

func TestMemorySize(t *testing.T) {
	for _, c := range []struct {
		text string
		want memorySize // 0 for an error
	}{
		{"512MiB", 512 << 20},
		{"2GiB", 2 << 30},
		{"0MiB", 0},
		{"-1MiB", 0},
		{"512", 0},
		{"512MB", 0},
		{"1.5GiB", 0},
		{"MiB", 0},
		{"99999999999GiB", 0},
		{"", 0},
	} {
		var got memorySize
		if err := got.UnmarshalText([]byte(c.text)); got != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("%q: got %d, %v; want %d", c.text, got, err, c.want)
		}
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
			t.Errorf("reachable(%q) = %s, want %s", c.given, got, c.want)
		}
	}
}

func TestHelpListsEveryCommand(t *testing.T) {
	var out, stderr strings.Builder
	if code := run([]string{"--help"}, &out, &stderr); code != 0 {
		t.Fatalf("exit code of khatm --help = %d, want 0: %s", code, stderr.String())
	}
	for _, name := range []string{"serve", "migrate", "backup", "restore", "doctor", "vault", "audit", "org", "branch", "user", "key", "reason", "invoice", "plan", "version", "demo", "mood", "validate"} {
		if !regexp.MustCompile(`(?m)^  ` + name + ` +[A-Z]`).MatchString(out.String()) {
			t.Errorf("khatm --help does not list the command %s, want every command", name)
		}
	}
}
