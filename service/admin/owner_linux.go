package admin

import (
	"io/fs"
	"syscall"
)

// ownerOf returns the user ID of the owner of a file, if it is known.
func ownerOf(info fs.FileInfo) (uid int, known bool) {
	stat, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 0, false
	}
	return int(stat.Uid), true
}
