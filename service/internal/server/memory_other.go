//go:build !linux

package server

// machineMemory returns an assumed memory of the machine.
func machineMemory() int64 { return unknownMemory }
