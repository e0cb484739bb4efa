// Package disk reads the free space of the file system that contains a path.
package disk

import "errors"

// Space describes a file system.
type Space struct {
	Free     uint64 // bytes that this user may still write
	Kind     string // name of the file system, such as ext4
	ReadOnly bool
}

// ErrUnsupported is returned by Of on systems where the free space cannot be
// read.
var ErrUnsupported = errors.New("free space can be read on Linux only")
