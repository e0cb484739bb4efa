// Package lossyfs is a file system for tests that loses what was not synced, as a
// disk does when the power fails. It needs FUSE, so it exists on Linux only.
//
// Changes of a file's content are durable after a sync of the file. Entries of a
// folder (created, renamed, linked and removed names) are durable after a sync of the
// folder. This is what POSIX guarantees; most file systems lose less.
package lossyfs
