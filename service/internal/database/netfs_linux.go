package database

import (
	"fmt"
	"syscall"
)

// networkFileSystems are the file systems on which SQLite cannot rely on locks
// and shared memory, by their type in statfs.
var networkFileSystems = map[int64]string{
	0x6969:     "NFS",
	0xff534d42: "CIFS",
	0xfe534d42: "SMB2",
	0x517b:     "SMB",
	0x01021997: "9P",
	0x00c36400: "Ceph",
	0x5346414f: "AFS",
	0x013661:   "Gluster",
}

// refuseNetworkFolder returns an error if dir is on a network file system.
func refuseNetworkFolder(dir string) error {
	var at syscall.Statfs_t
	if err := syscall.Statfs(dir, &at); err != nil {
		return fmt.Errorf("find the file system of the data folder %s: %w", dir, err)
	}
	return refuseFileSystem(dir, int64(at.Type)&0xffffffff) //nolint:unconvert // Type has another size on other architectures
}

func refuseFileSystem(dir string, kind int64) error {
	if name, ok := networkFileSystems[kind]; ok {
		return fmt.Errorf("the data folder %s is on %s, where an embedded database can be corrupted: use a local disk, or PostgreSQL (--database)", dir, name)
	}
	return nil
}
