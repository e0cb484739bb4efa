package metric

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// maxHandles is how many handles a process can have.
const maxHandles = 16 << 20

var (
	getMemoryInfo  = windows.NewLazySystemDLL("psapi.dll").NewProc("GetProcessMemoryInfo")
	getHandleCount = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetProcessHandleCount")
)

// memoryCounters is PROCESS_MEMORY_COUNTERS_EX of the Windows API.
type memoryCounters struct {
	size, faults                                             uint32
	peakWorkingSet, workingSet                               uintptr
	peakPagedPool, pagedPool, peakNonPagedPool, nonPagedPool uintptr
	pagefile, peakPagefile, private                          uintptr
}

// Process adds the metrics of this process. Values that the system
// does not report are left out.
func Process(to *Page) {
	self := windows.CurrentProcess()
	var start, exit, kernel, user windows.Filetime
	if windows.GetProcessTimes(self, &start, &exit, &kernel, &user) == nil {
		to.Add(processStart, float64(start.Nanoseconds()/1e9))
		to.Add(processCPU, seconds(kernel)+seconds(user))
	}
	var memory memoryCounters
	memory.size = uint32(unsafe.Sizeof(memory))
	if ok, _, _ := getMemoryInfo.Call(uintptr(self), uintptr(unsafe.Pointer(&memory)), unsafe.Sizeof(memory)); ok != 0 {
		to.Add(processVirtual, float64(memory.private))
		to.Add(processResident, float64(memory.workingSet))
	}
	var handles uint32
	if ok, _, _ := getHandleCount.Call(uintptr(self), uintptr(unsafe.Pointer(&handles))); ok != 0 {
		to.Add(processOpenFiles, float64(handles))
		to.Add(processMostFiles, maxHandles)
	}
}

// seconds returns a duration, which has the unit of 100 ns.
func seconds(d windows.Filetime) float64 {
	return float64(uint64(d.HighDateTime)<<32|uint64(d.LowDateTime)) / 1e7
}
