// Package backup writes an installation into one file, verifies it, and
// restores it: the database as of one moment, and the files that cannot be
// made again. It works beside a running server and slows down so that the
// server stays fast. A backup never contains the master key.
package backup
