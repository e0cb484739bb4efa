package store_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/store"
)

// process is the test binary as a child process with a role.
type process struct {
	t      testing.TB
	run    *exec.Cmd
	lines  *bufio.Scanner // standard output
	stdin  io.WriteCloser
	stderr bytes.Buffer // standard error
	ended  bool
}

// start starts a process with a role on a database. It is killed after the test
// if it is still running.
func start(t testing.TB, part string, c store.Config, args ...string) *process {
	t.Helper()
	p := prepare(t, part, c, args...)
	if err := p.run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	return p
}

func prepare(t testing.TB, part string, c store.Config, args ...string) *process {
	t.Helper()
	p := &process{t: t, run: exec.Command(os.Args[0], args...)}
	p.run.Env = append(os.Environ(), role+"="+part, "KHATM_TEST_STORE_DIR="+c.Dir, "KHATM_TEST_STORE_URL="+c.URL)
	p.run.Stderr = &p.stderr
	stdout, err := p.run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.lines = bufio.NewScanner(stdout)
	if p.stdin, err = p.run.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	return p
}

// line waits for the next line of output.
func (p *process) line() string {
	p.t.Helper()
	if !p.lines.Scan() {
		p.t.Fatalf("the process ended, want a line of output: %v", p.end())
	}
	return p.lines.Text()
}

// rest returns the remaining output until the process ends.
func (p *process) rest() []string {
	var lines []string
	for p.lines.Scan() {
		lines = append(lines, p.lines.Text())
	}
	return lines
}

// end closes the input of the process, waits for it and returns nil or an error
// with its standard error.
func (p *process) end() error {
	if p.ended {
		return nil
	}
	p.ended = true
	_ = p.stdin.Close()
	p.rest()
	if err := p.run.Wait(); err != nil {
		return errors.New(strings.TrimSpace(p.stderr.String() + " " + err.Error()))
	}
	return nil
}

func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.run.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// kill kills the process.
func (p *process) kill() {
	if !p.ended {
		_ = p.run.Process.Kill()
		_ = p.end()
	}
}

// processConfig returns the store configuration of this child process. NewID
// returns ids that no other process uses.
func processConfig() store.Config {
	return store.Config{
		Dir:   os.Getenv("KHATM_TEST_STORE_DIR"),
		URL:   os.Getenv("KHATM_TEST_STORE_URL"),
		Now:   time.Now,
		NewID: func() uuid.UUID { return uuid.Must(uuid.NewV7()) },
		Log:   slog.New(slog.DiscardHandler),
	}
}

// waitForEOF waits for the end of the standard input.
func waitForEOF() { _, _ = io.Copy(io.Discard, os.Stdin) }
