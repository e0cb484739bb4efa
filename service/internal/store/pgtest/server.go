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

// errAbsent says that there is no PostgreSQL to test with.
var errAbsent = errors.New("PostgreSQL is not here (Debian package postgresql): neither KHATM_TEST_POSTGRES nor initdb was found")

// server is a running PostgreSQL. One that this process started lives for as
// long as its standard input, which nothing closes but the end of the process,
// however it ends; the field keeps the pipe from being collected.
type server struct {
	url   string
	stdin io.WriteCloser
}

// shared is the server of this process, found or started at the first call.
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

// address gives the shared server's URL; without a server the test is skipped,
// or fails under KHATM_STRICT=1.
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

// start runs the script around a shell that tells the address and then waits
// for the end of its input.
//
// Input and output are pipes and not buffers, because os/exec would copy
// buffers in goroutines, and tests look for goroutines that were left behind.
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
		return server{}, fmt.Errorf("start PostgreSQL: %s gave no address and said why on the standard error: %w", script, err)
	}
	if url := strings.TrimSpace(line); url != "" {
		return server{url: url, stdin: stdin}, nil
	}
	return server{}, errors.Join(errAbsent, stdin.Close(), run.Wait())
}

// moduleRoot is the folder of go.mod, above the folder in which go test runs
// the tests of a package.
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
