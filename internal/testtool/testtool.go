// Package testtool contains what the tests of several packages share: it compares
// golden files, provides a clock, a buffer and compressed zeros, finds external
// programs such as openssl or a PostgreSQL server, and sets the length of long test
// runs.
//
// A test whose program is not installed is skipped. Two environment variables
// change that: with KHATM_STRICT=1 a missing program fails the test, and with
// KHATM_ONLY_GO=1 every program counts as missing, as on a machine that has
// only Go.
package testtool

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// Find returns the path of a program, or an error if it is not installed or must not
// be used.
func Find(program string) (string, error) {
	if OnlyGo() {
		return "", fmt.Errorf("%s is not used: KHATM_ONLY_GO=1", program)
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return "", fmt.Errorf("%s is not installed: %w", program, err)
	}
	return path, nil
}

// Path returns the path of a program. If the program cannot be used, it calls Missing.
func Path(t testing.TB, program string) string {
	t.Helper()
	path, err := Find(program)
	if err != nil {
		Missing(t, err)
	}
	return path
}

// Missing skips the test because of err, or fails it under KHATM_STRICT=1.
func Missing(t testing.TB, err error) {
	t.Helper()
	if os.Getenv("KHATM_STRICT") == "1" {
		t.Fatal(err)
	}
	t.Skip(err)
}

// OnlyGo reports whether tests must not use external programs.
func OnlyGo() bool { return os.Getenv("KHATM_ONLY_GO") == "1" }
