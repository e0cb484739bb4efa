package metric

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// ticks is the unit of times in /proc, per second. It is the same on every system that
// Go supports.
const ticks = 100

// Process adds the metrics of this process. Values that the system
// does not report are left out.
func Process(to *Page) {
	processStat(to)
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		to.Add(processOpenFiles, float64(len(open)))
	}
	var most syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &most) == nil {
		to.Add(processMostFiles, float64(most.Cur))
	}
	if syscall.Getrlimit(syscall.RLIMIT_AS, &most) == nil {
		to.Add(processMostMemory, float64(most.Cur))
	}
	if text, err := os.ReadFile("/proc/self/net/netstat"); err == nil {
		total := totals(string(text), "IpExt:")
		to.Add(processReceived, total["InOctets"])
		to.Add(processSent, total["OutOctets"])
	}
}

// processStat adds the values of /proc/self/stat.
func processStat(to *Page) {
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return
	}
	// The name of the program, in parentheses, may contain spaces. The state after it
	// is field 3 of proc(5).
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	field := func(n int) float64 {
		if n-3 >= len(fields) {
			return 0
		}
		return number(string(fields[n-3]))
	}
	to.Add(processCPU, (field(14)+field(15))/ticks)
	to.Add(processVirtual, field(23))
	to.Add(processResident, field(24)*float64(os.Getpagesize()))
	if text, err := os.ReadFile("/proc/stat"); err == nil {
		if _, after, found := strings.Cut(string(text), "\nbtime "); found {
			boot, _, _ := strings.Cut(after, "\n")
			to.Add(processStart, number(boot)+field(22)/ticks)
		}
	}
}

// totals returns the values of a protocol by name. Its first line has the names, its
// second line the values.
func totals(netstat, protocol string) map[string]float64 {
	out := map[string]float64{}
	var names []string
	for line := range strings.Lines(netstat) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] != protocol:
		case names == nil:
			names = words
		default:
			for i, word := range words[:min(len(words), len(names))] {
				out[names[i]] = number(word)
			}
		}
	}
	return out
}

// number returns the value of a text, or 0.
func number(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return v
}
