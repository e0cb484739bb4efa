package tools_test

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/servicetest"
)

// hostile is a harmful file, which is created only when it is used.
type hostile struct {
	name string
	data func() string
}

func fixed(s string) func() string { return func() string { return s } }

// canary holds what a hostile file would try to reach: a URL that counts requests
// and a file with a secret.
type canary struct {
	calls  atomic.Int64
	url    string
	file   string
	secret string
}

func newCanary(t *testing.T) *canary {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &canary{url: "http://" + listener.Addr().String(), file: filepath.Join(t.TempDir(), "secret.txt"), secret: "the canary sings"}
	if err := os.WriteFile(c.file, []byte(c.secret), 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			c.calls.Add(1)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		<-ended
	})
	return c
}

// withoutNetwork runs the test again in a process without network access except
// loopback, if the machine supports it, and reports whether it did.
func withoutNetwork(t *testing.T) bool {
	t.Helper()
	const inside = "KHATM_TEST_NO_NETWORK"
	if os.Getenv(inside) != "" {
		return false
	}
	const script = `ip link set lo up && exec "$0" -test.v -test.run "^$1$"`
	if err := exec.Command("unshare", "-rn", "sh", "-c", "ip link set lo up").Run(); err != nil {
		t.Logf("cannot disable the network: %v", err)
		return false
	}
	child := exec.Command("unshare", "-rn", "sh", "-c", script, os.Args[0], t.Name())
	child.Env = append(os.Environ(), inside+"=1")
	out, err := child.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()+" ") {
		t.Errorf("test without a network failed: %v\n%s", err, out)
	}
	t.Logf("without a network: %s", out)
	return true
}

// withstand uploads every file alone, or every third one without testtool.All, and
// then some or all of them again eight at a time. Alone, a file may take at most a
// multiple of the CPU time of deflating 120 KiB. Each must be read or refused with a
// detail; nothing may be fetched, revealed or left behind.
func withstand(t *testing.T, least, times int, bird *canary, files []hostile) {
	t.Helper()
	if len(files) < least {
		t.Errorf("only %d hostile files, want at least %d", len(files), least)
	}
	files = testtool.Spread(files, 0, 6)
	h := openTools(t)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	deflate := servicetest.Deflating(t)
	most := time.Duration(times) * servicetest.CostOf(t, deflate)
	alone := make([]int, len(files))
	var worst time.Duration
	var slowest string
	for i, f := range files {
		content := f.data()
		spent := time.Hour
		for tries := 0; spent > most && tries < 5; tries++ { // retry on a busy machine
			if tries > 0 {
				most = time.Duration(times) * servicetest.CostOf(t, deflate)
			}
			before := servicetest.CPUTime(t)
			got := h.Parse(content)
			spent = servicetest.CPUTime(t) - before
			alone[i] = got.Status
			tame(t, f.name, bird, got)
		}
		if spent > most && !testtool.Raced {
			t.Errorf("%s: %d bytes took %s, want at most %s", f.name, len(content), spent, most)
		}
		if spent > worst {
			worst, slowest = spent, f.name
		}
	}
	t.Logf("%d files; slowest: %s (%s)", len(files), worst, slowest)
	together(t, h, files, alone)
	if n := bird.calls.Load(); n > 0 {
		t.Errorf("%d requests were sent to the canary, want none", n)
	}
	if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
		t.Errorf("temporary files were not removed: %v, %v", left, err)
	}
}

// tame checks the response to a hostile file.
func tame(t *testing.T, name string, bird *canary, got servicetest.Answer) {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal([]byte(got.Body), &body); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	detail, _ := body["detail"].(string)
	switch {
	case got.Status == http.StatusBadRequest && detail != "" && len(detail) < 4096:
	case got.Status == http.StatusOK && len(warned(body)) < 32<<10:
	default:
		t.Errorf("%s: status %d, body %.300s; want 200 or 400", name, got.Status, got.Body)
	}
	if strings.Contains(got.Body, bird.secret) || strings.Contains(got.Body, "root:x:0") {
		t.Errorf("%s: the response contains a local file", name)
	}
}

// together uploads files, eight at a time.
func together(t *testing.T, h *servicetest.Instance, files []hostile, alone []int) {
	t.Helper()
	var all sync.WaitGroup
	next := make(chan int)
	for range 8 {
		all.Go(func() {
			for i := range next {
				content := files[i].data()
				got := h.Parse(content)
				for got.Status == http.StatusServiceUnavailable { // retry on a busy machine
					got = h.Parse(content)
				}
				if got.Status != alone[i] {
					t.Errorf("%s uploaded with others: status %d, want %d as when uploaded alone", files[i].name, got.Status, alone[i])
				}
			}
		})
	}
	for i := 0; i < len(files); i += testtool.Scale(3, 8, 1) {
		next <- i
	}
	close(next)
	all.Wait()
}
