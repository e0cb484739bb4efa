package database

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// fileIdentity returns the inode and the birth time of a file. It leaves out
// the device number, which changes when the disk is attached elsewhere.
func fileIdentity(path string) (inode uint64, born int64, err error) {
	var s unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, path, 0, unix.STATX_INO|unix.STATX_BTIME, &s); err != nil {
		return 0, 0, fmt.Errorf("stat %s: %w", path, err)
	}
	if s.Mask&unix.STATX_BTIME != 0 {
		born = s.Btime.Sec*1_000_000_000 + int64(s.Btime.Nsec)
	}
	return s.Ino, born, nil
}
