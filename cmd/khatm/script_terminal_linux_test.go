package main

import (
	"io"
	"os"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// openTerminal returns a new pseudo-terminal whose output is written to a file.
func openTerminal(ts *testscript.TestScript, file string) *os.File {
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	ts.Check(err)
	ts.Check(unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	ts.Check(err)
	terminal, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	ts.Check(err)
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
	ts.Check(err)
	go func() {
		_, _ = io.Copy(out, screen) // fails with EIO when the server ends
		_ = out.Close()
		_ = screen.Close()
	}()
	return terminal
}
