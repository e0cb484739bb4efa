package tools_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"khatm/internal/testtool"
	"khatm/sample"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
)

// asParser is the environment variable that makes this test binary a server whose
// memory is measured. Its value is the data folder.
const asParser = "KHATM_TEST_PARSER"

// TestParserToBeMeasured is the entry point of the server whose memory is measured.
func TestParserToBeMeasured(t *testing.T) {
	data := os.Getenv(asParser)
	if data == "" {
		t.Skip("only runs as a child process of another test")
	}
	c := server.Defaults()
	server.MaxWait(&c, servicetest.Patience) // also on a busy machine
	debug.SetGCPercent(server.GCPercent)
	debug.SetMemoryLimit(c.Heap())
	c.Data, c.Address, c.Operations, c.Log = data, "127.0.0.1:0", "", servicetest.Quiet()
	c.Rates.IP, c.Rates.PublicDaily = 1<<30, 1<<30
	s, err := server.New(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	_ = s.Run(context.Background(), func(address string) { fmt.Println("serving " + address) })
}

// measured is a server in another process.
type measured struct {
	t       *testing.T
	process *exec.Cmd
	address string
}

func measure(t *testing.T) *measured {
	t.Helper()
	m := &measured{t: t, process: exec.Command(os.Args[0], "-test.run", "^TestParserToBeMeasured$")}
	data := t.TempDir()
	storetest.Migrated(t, data)
	m.process.Env = append(os.Environ(), asParser+"="+data)
	out, err := m.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = m.process.Process.Kill()
		_ = m.process.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if address, ok := strings.CutPrefix(lines.Text(), "serving "); ok {
			m.address = address
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return m
		}
	}
	t.Fatal("the server did not start")
	return nil
}

// memory returns a value of the process in KiB: VmRSS for its current memory, VmHWM
// for its peak.
func (m *measured) memory(name string) int {
	m.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.process.Process.Pid))
	if err != nil {
		m.t.Skip("the memory of another process cannot be read on this system")
	}
	n, err := strconv.Atoi(strings.Fields(between(string(text), name+":", "\n"))[0])
	if err != nil {
		m.t.Fatal(err)
	}
	return n
}

// forget resets VmHWM.
func (m *measured) forget() {
	m.t.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", m.process.Process.Pid), []byte("5"), 0o600); err != nil {
		m.t.Skip("the peak memory of a process cannot be reset on this system")
	}
}

// upload sends a file and returns the status.
func (m *measured) upload(content string) int {
	r, err := http.NewRequest(http.MethodPost, "http://"+m.address+servicetest.ParsePath, http.NoBody)
	if err != nil {
		m.t.Error(err)
		return 0
	}
	servicetest.FormBody(m.t, servicetest.Part{Field: "file", Filename: "upload", Content: content})(r)
	return m.statusOf(r)
}

// statusOf sends a request, reads the whole response and returns the status.
func (m *measured) statusOf(r *http.Request) int {
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		m.t.Error(err)
		return 0
	}
	defer response.Body.Close() //nolint:errcheck // the body was read
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

// TestX2_MemoryOfEightUploadsAtOnce checks that a server needs at most 128 MiB more
// than when idle while eight of the worst files are uploaded.
func TestX2_MemoryOfEightUploadsAtOnce(t *testing.T) {
	if testtool.Raced {
		t.Skip("the race detector needs additional memory")
	}
	if !testtool.All() {
		t.Skip("runs with make check")
	}
	sealed := servicetest.SealedOf(t, sample.Simplified())
	padding := func(xml string) string { return xml + strings.Repeat("\n", parseCap-len(xml)) }
	worst := []hostile{
		{"5 MiB that are neither", fixed(strings.Repeat("x", parseCap))},
		{"5 MiB of padding", fixed(padding(sealed))},
		{"1,000 lines", fixed(manyLines(t, 1_000))},
		{"2,000 lines", fixed(manyLines(t, 2_000))},
	}
	for _, f := range append(bulk(sealed), pdfBombs(sealed)...) {
		if strings.HasPrefix(f.name, "as many") || strings.Contains(f.name, "5 MB") || strings.Contains(f.name, "stage") || strings.Contains(f.name, "mebibyte") || strings.Contains(f.name, "bomb") {
			worst = append(worst, f)
		}
	}
	for _, f := range hostilePages(t) {
		if f.name == "an image of noise" || f.name == "twenty pages of drawn noise" { // the largest ones
			worst = append(worst, f)
		}
	}
	m := measure(t)
	for range 20 {
		m.upload(sealed)
	}
	m.eightAtOnce(someOf(worst, 8, "2,000 lines", "an image of noise", "twenty pages of drawn noise"), 128, func(_ int, content string) int { return m.upload(content) }, http.StatusOK, http.StatusBadRequest)
}

// someOf returns the files with the given names and every nth of the others, and in a
// long run all of them.
func someOf(all []hostile, oneOf int, names ...string) []hostile {
	var named, others []hostile
	for _, f := range all {
		if slices.Contains(names, f.name) {
			named = append(named, f)
		} else {
			others = append(others, f)
		}
	}
	if len(named) != len(names) {
		panic("someOf: no file has one of the given names")
	}
	return append(named, testtool.Some(others, oneOf)...)
}

// eightAtOnce checks that the server needs at most the given MiB more than when idle
// while eight calls are made with each of the contents.
func (m *measured) eightAtOnce(all []hostile, mebibytes int, call func(n int, content string) (status int), allowed ...int) {
	m.t.Helper()
	base := m.memory("VmRSS")
	most, by := 0, ""
	for _, one := range all {
		content := one.data()
		m.forget()
		var calls sync.WaitGroup
		for n := range 8 {
			calls.Go(func() {
				if status := call(n, content); !slices.Contains(allowed, status) {
					m.t.Errorf("%s: status %d, want one of %v", one.name, status, allowed)
				}
			})
		}
		calls.Wait()
		peak := m.memory("VmHWM")
		m.t.Logf("%-45s %4d MiB", one.name, (peak-base)>>10)
		if peak > most {
			most, by = peak, one.name
		}
	}
	m.t.Logf("idle %d MiB, at most %d MiB more (%s)", base>>10, (most-base)>>10, by)
	if most-base > mebibytes<<10 {
		m.t.Errorf("needed %d MiB more than when idle, want at most %d", (most-base)>>10, mebibytes)
	}
}

// manyLines returns a stamped invoice with n lines.
func manyLines(t *testing.T, lines int) string {
	t.Helper()
	f := sample.Simplified()
	for len(f.Lines) < lines {
		f.Lines = append(f.Lines, f.Lines[0])
	}
	return servicetest.SealedOf(t, f)
}
