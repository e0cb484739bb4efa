package admin

import (
	"fmt"
	"io/fs"
	"syscall"
)

// fileSystems are the usual ones, by the number that statfs gives them.
var fileSystems = map[int64]string{
	0xef53:     "ext4",
	0x58465342: "XFS",
	0x9123683e: "Btrfs",
	0x2fc12fc1: "ZFS",
	0x01021994: "tmpfs (gone after a restart)",
	0x794c7630: "overlay (gone with its container)",
}

// freeSpace is what is left for us where a path is, in bytes, and the file
// system there.
func freeSpace(path string) (free uint64, kind string, err error) {
	var at syscall.Statfs_t
	if err := syscall.Statfs(path, &at); err != nil {
		return 0, "", fmt.Errorf("look at %s: %w", path, err)
	}
	number := int64(at.Type) & 0xffffffff //nolint:unconvert // 32 bits on some machines
	kind, known := fileSystems[number]
	if !known {
		kind = fmt.Sprintf("file system %#x", number)
	}
	return at.Bavail * uint64(at.Bsize), kind, nil
}

// ownerOf is the user that a file belongs to.
func ownerOf(info fs.FileInfo) (uid int, known bool) {
	stat, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 0, false
	}
	return int(stat.Uid), true
}
