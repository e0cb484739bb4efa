package wire_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
)

// flood makes calls over 64 concurrent connections, to the servers and with the
// keys in turn, and returns the number of allowed calls of each key.
func flood(t *testing.T, calls int, servers, keys []string) map[string]int {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 64, MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	passed := make([]atomic.Int64, len(keys))
	next := atomic.Int64{}
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= calls {
					return
				}
				who := i / len(servers) % len(keys)
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, servers[i%len(servers)]+servicetest.UsagePath, http.NoBody)
				if err != nil {
					t.Error(err)
					return
				}
				r.Header.Set("Authorization", "Bearer "+keys[who])
				response, err := client.Do(r)
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
				switch response.StatusCode {
				case http.StatusOK:
					passed[who].Add(1)
				case http.StatusTooManyRequests:
				default:
					t.Errorf("unexpected status %d", response.StatusCode)
				}
			}
		})
	}
	all.Wait()
	counts := map[string]int{}
	for i, key := range keys {
		counts[key] = int(passed[i].Load())
	}
	return counts
}

func TestC6_ExactlyTheLimitIsAllowed(t *testing.T) {
	servicetest.EachEngineWith(t, rates(nil), func(t *testing.T, h *servicetest.Instance) {
		second := h.NewKey(h.Org, org.ViewInvoice)
		calls := testtool.Count(300, 1000)
		if got := flood(t, calls, []string{h.HTTP.URL}, []string{h.Key})[h.Key]; got != 200 {
			t.Errorf("%d of %d calls were allowed, want 200", got, calls)
		}
		for key, got := range flood(t, 500, []string{h.HTTP.URL}, []string{h.Key, second}) {
			if want := map[string]int{h.Key: 0, second: 200}[key]; got != want {
				t.Errorf("%d calls of a key were allowed after the limit of the other was reached, want %d", got, want)
			}
		}
	})
}

// Three servers, one of them in another process, share one database.
func TestC6_ExactlyTheLimitOverServers(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t).URL
	settings := func(c *server.Config) {
		rates(nil)(c)
		c.Database, c.MasterKey = url, server.NewSecret(servicetest.MasterKey)
	}
	one, two := servicetest.Open(t, settings), servicetest.Open(t, settings)
	three := elsewhere(t, url)
	keys := []string{one.Key, one.NewKey(one.Org, org.ViewInvoice)}
	for key, got := range flood(t, testtool.Count(500, 1000), []string{one.HTTP.URL, two.HTTP.URL, three}, keys) {
		if got != 200 {
			t.Errorf("%d calls of key %s were allowed on all servers together, want 200", got, key[:12])
		}
	}
}

// elsewhere starts a server in another process and returns its address. The
// process runs until its standard input is closed.
func elsewhere(t *testing.T, database string) string {
	t.Helper()
	process := exec.Command(os.Args[0], "-test.run=^TestServeAnotherTest$", "-test.v")
	process.Env = append(os.Environ(), "KHATM_SERVE_TEST="+database)
	process.Stderr = os.Stderr
	stdin, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		if err := process.Wait(); err != nil {
			t.Error(err)
		}
	})
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if address, found := strings.CutPrefix(lines.Text(), "serving at "); found {
			return address
		}
	}
	t.Fatalf("the other process did not print an address: %v", lines.Err())
	return ""
}

// TestServeAnotherTest is the entry point of the process started by elsewhere.
func TestServeAnotherTest(t *testing.T) {
	t.Parallel()
	database := os.Getenv("KHATM_SERVE_TEST")
	if database == "" {
		t.Skip("only runs as a child process of another test")
	}
	h := servicetest.Open(t, func(c *server.Config) {
		rates(nil)(c)
		c.Database, c.MasterKey = database, server.NewSecret(servicetest.MasterKey)
	})
	fmt.Println("serving at " + h.HTTP.URL)
	_, _ = io.Copy(io.Discard, os.Stdin)
}
