package service_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/servicetest"
)

// failing is a server whose n-th sync fails. strace counts the syncs of each
// thread separately, so more than n may have succeeded before.
type failing struct {
	process    *exec.Cmd
	address    string
	operations string
	errors     bytes.Buffer
	ended      chan struct{}
}

// serveFailing starts a server whose n-th sync fails. The address is empty if
// the server ended before it served.
func serveFailing(t *testing.T, strace, data string, n int) *failing {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &failing{operations: free.Addr().String(), ended: make(chan struct{})}
	_ = free.Close()
	f.process = exec.Command(strace, "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=fsync,fdatasync",
		"-e", fmt.Sprintf("inject=fsync,fdatasync:error=EIO:when=%d", n), os.Args[0], "-test.run", "^TestServerToBeKilled$")
	f.process.Env = append(os.Environ(), "GOMAXPROCS=1", serverVariable+"="+data, "KHATM_TEST_SERVER_OPERATIONS="+f.operations)
	f.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	f.process.Stderr = &f.errors
	out, err := f.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.process.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for f.address == "" && lines.Scan() {
		f.address, _ = strings.CutPrefix(lines.Text(), "serving ")
		if !strings.HasPrefix(lines.Text(), "serving ") {
			f.errors.WriteString(lines.Text() + "\n")
			f.address = ""
		}
	}
	go func() {
		defer close(f.ended)
		rest, _ := io.ReadAll(out)
		_ = f.process.Wait()
		f.errors.Write(rest)
	}()
	return f
}

func (f *failing) over() bool {
	select {
	case <-f.ended:
		return true
	default:
		return false
	}
}

// kill ends the server together with strace.
func (f *failing) kill() {
	_ = syscall.Kill(-f.process.Process.Pid, syscall.SIGKILL)
	<-f.ended
}

// issues reports whether the server is ready to issue.
func (f *failing) issues() bool {
	client := http.Client{Timeout: time.Second}
	response, err := client.Get("http://" + f.operations + "/readyz/issuing")
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// createUntilFailure creates invoices until the server has ended or each caller
// has made most attempts. After a refusal, readiness must agree with the result
// of creating within a second, unless the server has ended.
func (b *loaded) createUntilFailure(f *failing, most int) {
	client := &http.Client{Timeout: 20 * time.Second}
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	for w := range 3 {
		all.Go(func() {
			for range most {
				if f.over() || b.accepted(client, f, w) {
					continue
				}
				agrees := false
				for end := time.Now().Add(time.Second); !agrees && time.Now().Before(end); {
					agrees = f.over() || b.accepted(client, f, w) == f.issues()
				}
				if !agrees && !f.over() {
					b.t.Error("the readiness still contradicts the result of creating after a second")
				}
			}
		})
	}
	all.Wait()
}

// accepted creates an invoice and reports whether it was acknowledged.
func (b *loaded) accepted(client *http.Client, f *failing, w int) bool {
	a, err := b.ask(client, f.address, b.devices[w])
	if err == nil && a.Status != http.StatusAccepted && a.Status != http.StatusServiceUnavailable {
		b.t.Errorf("create: got %d %s, want 202 or 503", a.Status, a.Body)
	}
	return err == nil && a.Status == http.StatusAccepted
}

// TestTorture_FailedSync makes the n-th sync of a server fail with EIO.
func TestTorture_FailedSync(t *testing.T) {
	t.Parallel() // it mostly waits for the disk
	strace := testtool.Path(t, "strace")
	counts := []int{2, 7}
	if testtool.Torture() {
		counts = nil
		for n := 1; n <= 60; n++ {
			counts = append(counts, n)
		}
	}
	b := newLoaded(t, "")
	ended, before := 0, 0
	for _, n := range counts {
		f := serveFailing(t, strace, b.data, n)
		if f.address != "" {
			b.createUntilFailure(f, 30+8*n)
		} else {
			before++
		}
		// A server that exits must log why.
		for end := time.Now().Add(servicetest.Patience); !f.over() && !f.issues() && time.Now().Before(end); {
			time.Sleep(20 * time.Millisecond)
		}
		if !f.over() {
			f.kill()
			continue
		}
		ended++
		if f.process.ProcessState.ExitCode() != 1 {
			t.Errorf("sync %d: the server ended with %v, want exit status 1: %s", n, f.process.ProcessState, f.errors.String())
		}
		if f.address != "" && !strings.Contains(f.errors.String(), "could not be made durable") {
			t.Errorf("sync %d: the server ended without stating the reason: %s", n, f.errors.String())
		}
	}
	b.survives(t)
	if ended == 0 {
		t.Error("no server ended because of a failed sync")
	}
	servicetest.ReportScenario(t, "EIO on the n-th sync of a server, SQLite", fmt.Sprint("n of ", counts[0], " to ", counts[len(counts)-1], ", ", len(counts), " servers"), 0,
		fmt.Sprintf("%d ended with an error, %d of them before they served; %d acknowledged, none lost; chains verified", ended, before, len(b.told)))
}
