//go:build unix

package simulator

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// lockFile takes an exclusive lock that only one simulator can hold. The kernel
// releases it when the process ends.
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
