package disk

import (
	"fmt"
	"syscall"
)

// kinds maps the type of a file system in statfs to its name.
var kinds = map[int64]string{
	0xef53:     "ext4",
	0x58465342: "XFS",
	0x9123683e: "Btrfs",
	0x2fc12fc1: "ZFS",
	0x01021994: "tmpfs (lost at a restart)",
	0x794c7630: "overlay (lost with its container)",
}

// readOnly is ST_RDONLY in the flags of statfs.
const readOnly = 1

// Of returns the space of the file system that contains path.
func Of(path string) (Space, error) {
	var at syscall.Statfs_t
	if err := syscall.Statfs(path, &at); err != nil {
		return Space{}, fmt.Errorf("read the free space of %s: %w", path, err)
	}
	number := int64(at.Type) & 0xffffffff //nolint:unconvert // 32 bits on some architectures
	kind, known := kinds[number]
	if !known {
		kind = fmt.Sprintf("file system %#x", number)
	}
	return Space{Free: at.Bavail * uint64(at.Bsize), Kind: kind, ReadOnly: at.Flags&readOnly != 0}, nil
}
