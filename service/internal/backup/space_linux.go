package backup

import (
	"fmt"
	"syscall"
)

// freeSpace returns the free bytes of the file system that contains path.
func freeSpace(path string) (free int64, known bool, err error) {
	var at syscall.Statfs_t
	if err := syscall.Statfs(path, &at); err != nil {
		return 0, false, fmt.Errorf("read the free space of %s: %w", path, err)
	}
	return int64(at.Bavail) * int64(at.Bsize), true, nil //nolint:unconvert // the types differ between architectures
}
