package disk

import (
	"fmt"
	"syscall"
)

// kinds names the usual file systems, by the number that statfs gives them.
var kinds = map[int64]string{
	0xef53:     "ext4",
	0x58465342: "XFS",
	0x9123683e: "Btrfs",
	0x2fc12fc1: "ZFS",
	0x01021994: "tmpfs (gone after a restart)",
	0x794c7630: "overlay (gone with its container)",
}

// readOnly is ST_RDONLY in the flags of statfs.
const readOnly = 1

// Of returns the space of the file system that holds a path.
func Of(path string) (Space, error) {
	var at syscall.Statfs_t
	if err := syscall.Statfs(path, &at); err != nil {
		return Space{}, fmt.Errorf("read the free space of %s: %w", path, err)
	}
	number := int64(at.Type) & 0xffffffff //nolint:unconvert // 32 bits on some machines
	kind, known := kinds[number]
	if !known {
		kind = fmt.Sprintf("file system %#x", number)
	}
	return Space{Free: at.Bavail * uint64(at.Bsize), Kind: kind, ReadOnly: at.Flags&readOnly != 0}, nil
}
