package backup

import (
	"os"

	"golang.org/x/sys/unix"
)

// writeBack writes a range of a file to its disk. Unlike fsync it does not flush
// the cache of the disk, for which the next commit of the server would wait. If
// the file system does not support this, it calls fsync.
func writeBack(file *os.File, from, to int64) error {
	const flags = unix.SYNC_FILE_RANGE_WAIT_BEFORE | unix.SYNC_FILE_RANGE_WRITE | unix.SYNC_FILE_RANGE_WAIT_AFTER
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = unix.SyncFileRange(int(fd), from, to-from, flags) }); err != nil {
		return err
	}
	if failed != nil {
		return file.Sync()
	}
	return nil
}
