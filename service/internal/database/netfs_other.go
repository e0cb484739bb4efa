//go:build !linux

package database

// refuseNetworkFolder returns nil: the type of a file system is only known on
// Linux.
func refuseNetworkFolder(string) error { return nil }
