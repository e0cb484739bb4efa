package pgtest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"khatm/internal/testtool"
)

// errAbsent is returned if there is no PostgreSQL to test with.
var errAbsent = errors.New("PostgreSQL was not found: set KHATM_TEST_POSTGRES or install initdb (Debian package postgresql)")

// server is a running PostgreSQL. A server started by this process runs until
// its standard input is closed, which happens when the process ends in any way.
// The field stdin keeps the pipe from being garbage collected.
type server struct {
	url   string
	stdin io.WriteCloser
}

// shared returns the server of this process. The first call finds or starts it.
var shared = sync.OnceValues(func() (server, error) {
	if testtool.OnlyGo() {
		return server{}, errAbsent
	}
	if url := os.Getenv("KHATM_TEST_POSTGRES"); url != "" {
		return server{url: url}, nil
	}
	root, err := moduleRoot()
	if err != nil {
		return server{}, err
	}
	return start(filepath.Join(root, "scripts", "with-postgres"))
})

// address returns the URL of the shared server. Without a server the test is
// skipped, or fails if KHATM_STRICT=1.
func address(t testing.TB) string {
	t.Helper()
	found, err := shared()
	switch {
	case errors.Is(err, errAbsent):
		testtool.Missing(t, err)
	case err != nil:
		t.Fatal(err)
	}
	return found.url
}

// start runs the script around a shell that prints the address and then waits
// for the end of its input.
//
// Input and output are pipes, not buffers, because os/exec copies buffers in
// goroutines, which leak checks of tests would report.
func start(script string) (server, error) {
	run := exec.Command(script, "sh", "-c", `echo "${KHATM_TEST_POSTGRES:-}"; cat`)
	run.Stderr = os.Stderr
	stdin, err := run.StdinPipe()
	if err != nil {
		return server{}, fmt.Errorf("start PostgreSQL: %w", err)
	}
	stdout, err := run.StdoutPipe()
	if err != nil {
		return server{}, fmt.Errorf("start PostgreSQL: %w", err)
	}
	if err := run.Start(); err != nil {
		return server{}, fmt.Errorf("start PostgreSQL: %w", err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return server{}, fmt.Errorf("start PostgreSQL: %s printed no address (see its standard error): %w", script, err)
	}
	if url := strings.TrimSpace(line); url != "" {
		return server{url: url, stdin: stdin}, nil
	}
	return server{}, errors.Join(errAbsent, stdin.Close(), run.Wait())
}

// moduleRoot returns the folder of go.mod, which is above the working directory
// of a test.
func moduleRoot() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("find the module: no go.mod above %s", here)
		}
	}
}
