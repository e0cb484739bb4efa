//go:build !linux

package database

import (
	"fmt"
	"os"
	"reflect"
)

// fileIdentity returns the inode of a file if the system has one. The birth
// time is not available and 0.
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
	// Without an inode all files have identity 1: equal to each other, but not
	// zero.
	return max(inode, 1), 0, nil
}
