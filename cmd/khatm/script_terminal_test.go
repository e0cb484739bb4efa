//go:build !linux

package main

import (
	"os"

	"github.com/rogpeppe/go-internal/testscript"
)

// openTerminal is only implemented for Linux.
func openTerminal(ts *testscript.TestScript, _ string) *os.File {
	ts.Fatalf("serve -terminal needs Linux")
	return nil
}
