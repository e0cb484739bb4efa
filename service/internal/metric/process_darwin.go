package metric

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Process adds the metrics of this process. Values that the system
// does not report are left out; the memory would need cgo.
func Process(to *Page) {
	if info, err := unix.SysctlKinfoProc("kern.proc.pid", os.Getpid()); err == nil {
		to.Add(processStart, float64(info.Proc.P_starttime.Nano()/1e9))
	}
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) == nil {
		to.Add(processCPU, float64(used.Stime.Nano()+used.Utime.Nano())/1e9)
	}
	if open, err := openFiles(); err == nil {
		to.Add(processOpenFiles, float64(open))
	}
	var most syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &most) == nil {
		to.Add(processMostFiles, float64(most.Cur))
	}
	if syscall.Getrlimit(syscall.RLIMIT_AS, &most) == nil {
		to.Add(processMostMemory, float64(most.Cur))
	}
}

// openFiles returns the number of open files. It reads only their names, because those
// of kqueue have no properties.
func openFiles() (int, error) {
	folder, err := os.Open("/dev/fd")
	if err != nil {
		return 0, err
	}
	defer folder.Close() //nolint:errcheck // read only
	names, err := folder.Readdirnames(0)
	return len(names) - 1, err // without the folder
}
