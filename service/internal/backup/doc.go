// Package backup writes an installation into one file, verifies the file and
// restores it. A backup contains the database at one moment and the files that
// cannot be generated again, but never the master key. Backups can be made
// while a server is running and are throttled so that the server stays fast.
package backup
