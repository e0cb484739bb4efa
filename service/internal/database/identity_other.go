//go:build !linux

package database

import (
	"fmt"
	"os"
	"reflect"
)

// fileIdentity returns the inode of a file where the system has one; its birth
// time is not known here.
func fileIdentity(path string) (inode uint64, born int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, 0, fmt.Errorf("stat %s: %w", path, err)
	}
	if v := reflect.Indirect(reflect.ValueOf(info.Sys())); v.Kind() == reflect.Struct {
		if ino := v.FieldByName("Ino"); ino.IsValid() && ino.CanUint() {
			inode = ino.Uint()
		}
	}
	// Without an inode the creation time would be needed; 1 keeps the identity
	// that of a file, and equal to every other.
	return max(inode, 1), 0, nil
}
