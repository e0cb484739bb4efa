package server

import (
	"os"
	"strconv"
	"strings"
)

// machineMemory returns the memory of the machine or, in a container, of the
// container.
func machineMemory() int64 {
	total := unknownMemory
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		total = totalIn(string(text))
	}
	if text, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		if limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil { // otherwise "max"
			total = min(total, limit)
		}
	}
	return total
}

// totalIn returns the total in the text of /proc/meminfo.
func totalIn(text string) int64 {
	_, after, _ := strings.Cut(text, "MemTotal:")
	value, _, _ := strings.Cut(strings.TrimSpace(after), " kB")
	if n, err := strconv.ParseInt(value, 10, 64); err == nil {
		return n << 10
	}
	return unknownMemory
}
