//go:build !linux

package admin

import "io/fs"

// ownerOf cannot be asked the same way everywhere.
func ownerOf(fs.FileInfo) (uid int, known bool) { return 0, false }
