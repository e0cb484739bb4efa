package database

import (
	"strings"
	"testing"
)

func TestNetworkFileSystemsAreRefused(t *testing.T) {
	const ext4, tmpfs, nfs, smb2 = 0xef53, 0x01021994, 0x6969, 0xfe534d42
	for kind, words := range map[int64]string{ext4: "", tmpfs: "", nfs: "/data is on NFS", smb2: "/data is on SMB2"} {
		err := refuseFileSystem("/data", kind)
		if (err == nil) != (words == "") || err != nil && !strings.Contains(err.Error(), words) {
			t.Errorf("file system %x: got %v, want %q", kind, err, words)
		}
	}
	if err := refuseNetworkFolder(t.TempDir()); err != nil {
		t.Error(err)
	}
	if err := refuseNetworkFolder("/no/such/folder"); err == nil {
		t.Error("refuseNetworkFolder of a missing folder succeeded, want an error")
	}
}
