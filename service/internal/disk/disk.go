// Package disk reads how much space is left on the file system of a folder.
package disk

import "errors"

// Space describes a file system.
type Space struct {
	Free     uint64 // bytes that this user may still write
	Kind     string // its name, such as ext4
	ReadOnly bool
}

// ErrUnsupported says that the free space cannot be read on this system.
var ErrUnsupported = errors.New("free space can be read on Linux only")
