//go:build !linux && !darwin && !windows

package metric

// Process adds nothing: the metrics of a process are known on Linux, macOS and Windows.
func Process(*Page) {}
