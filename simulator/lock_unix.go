//go:build unix

package simulator

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// lockFile acquires an exclusive lock on a file, which only one simulator can
// hold. The kernel releases it when the process ends.
func lockFile(path string) (io.Closer, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(errors.New("another simulator has it open"), file.Close())
	}
	return file, nil
}
