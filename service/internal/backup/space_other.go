//go:build !linux

package backup

// freeSpace is known on Linux only.
func freeSpace(string) (free int64, known bool, err error) { return 0, false, nil }
