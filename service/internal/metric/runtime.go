package metric

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Values of runtime/metrics that several metrics contain.
const (
	heapObjects  = "/memory/classes/heap/objects:bytes"
	heapUnused   = "/memory/classes/heap/unused:bytes"
	heapReleased = "/memory/classes/heap/released:bytes"
	heapFree     = "/memory/classes/heap/free:bytes"
	stacks       = "/memory/classes/heap/stacks:bytes"
	spans        = "/memory/classes/metadata/mspan/inuse:bytes"
	caches       = "/memory/classes/metadata/mcache/inuse:bytes"
	tinyAllocs   = "/gc/heap/tiny/allocs:objects"
)

// runtimeSums are the metrics of the Go runtime that are sums of values of
// runtime/metrics.
var runtimeSums = []struct {
	family *Family
	of     []string
}{
	{Gauge("go_memstats_alloc_bytes", "Number of bytes allocated in heap and currently in use. Equals to /memory/classes/heap/objects:bytes."), []string{heapObjects}},
	{Counter("go_memstats_alloc_bytes_total", "Total number of bytes allocated in heap until now, even if released already. Equals to /gc/heap/allocs:bytes."), []string{"/gc/heap/allocs:bytes"}},
	{Gauge("go_memstats_sys_bytes", "Number of bytes obtained from system. Equals to /memory/classes/total:byte."), []string{"/memory/classes/total:bytes"}},
	{Counter("go_memstats_mallocs_total", "Total number of heap objects allocated, both live and gc-ed. Semantically a counter version for go_memstats_heap_objects gauge. Equals to /gc/heap/allocs:objects + /gc/heap/tiny/allocs:objects."), []string{"/gc/heap/allocs:objects", tinyAllocs}},
	{Counter("go_memstats_frees_total", "Total number of heap objects frees. Equals to /gc/heap/frees:objects + /gc/heap/tiny/allocs:objects."), []string{"/gc/heap/frees:objects", tinyAllocs}},
	{Gauge("go_memstats_heap_alloc_bytes", "Number of heap bytes allocated and currently in use, same as go_memstats_alloc_bytes. Equals to /memory/classes/heap/objects:bytes."), []string{heapObjects}},
	{Gauge("go_memstats_heap_sys_bytes", "Number of heap bytes obtained from system. Equals to /memory/classes/heap/objects:bytes + /memory/classes/heap/unused:bytes + /memory/classes/heap/released:bytes + /memory/classes/heap/free:bytes."), []string{heapObjects, heapUnused, heapReleased, heapFree}},
	{Gauge("go_memstats_heap_idle_bytes", "Number of heap bytes waiting to be used. Equals to /memory/classes/heap/released:bytes + /memory/classes/heap/free:bytes."), []string{heapReleased, heapFree}},
	{Gauge("go_memstats_heap_inuse_bytes", "Number of heap bytes that are in use. Equals to /memory/classes/heap/objects:bytes + /memory/classes/heap/unused:bytes"), []string{heapObjects, heapUnused}},
	{Gauge("go_memstats_heap_released_bytes", "Number of heap bytes released to OS. Equals to /memory/classes/heap/released:bytes."), []string{heapReleased}},
	{Gauge("go_memstats_heap_objects", "Number of currently allocated objects. Equals to /gc/heap/objects:objects."), []string{"/gc/heap/objects:objects"}},
	{Gauge("go_memstats_stack_inuse_bytes", "Number of bytes obtained from system for stack allocator in non-CGO environments. Equals to /memory/classes/heap/stacks:bytes."), []string{stacks}},
	{Gauge("go_memstats_stack_sys_bytes", "Number of bytes obtained from system for stack allocator. Equals to /memory/classes/heap/stacks:bytes + /memory/classes/os-stacks:bytes."), []string{stacks, "/memory/classes/os-stacks:bytes"}},
	{Gauge("go_memstats_mspan_inuse_bytes", "Number of bytes in use by mspan structures. Equals to /memory/classes/metadata/mspan/inuse:bytes."), []string{spans}},
	{Gauge("go_memstats_mspan_sys_bytes", "Number of bytes used for mspan structures obtained from system. Equals to /memory/classes/metadata/mspan/inuse:bytes + /memory/classes/metadata/mspan/free:bytes."), []string{spans, "/memory/classes/metadata/mspan/free:bytes"}},
	{Gauge("go_memstats_mcache_inuse_bytes", "Number of bytes in use by mcache structures. Equals to /memory/classes/metadata/mcache/inuse:bytes."), []string{caches}},
	{Gauge("go_memstats_mcache_sys_bytes", "Number of bytes used for mcache structures obtained from system. Equals to /memory/classes/metadata/mcache/inuse:bytes + /memory/classes/metadata/mcache/free:bytes."), []string{caches, "/memory/classes/metadata/mcache/free:bytes"}},
	{Gauge("go_memstats_buck_hash_sys_bytes", "Number of bytes used by the profiling bucket hash table. Equals to /memory/classes/profiling/buckets:bytes."), []string{"/memory/classes/profiling/buckets:bytes"}},
	{Gauge("go_memstats_gc_sys_bytes", "Number of bytes used for garbage collection system metadata. Equals to /memory/classes/metadata/other:bytes."), []string{"/memory/classes/metadata/other:bytes"}},
	{Gauge("go_memstats_other_sys_bytes", "Number of bytes used for other system allocations. Equals to /memory/classes/other:bytes."), []string{"/memory/classes/other:bytes"}},
	{Gauge("go_memstats_next_gc_bytes", "Number of heap bytes when next garbage collection will take place. Equals to /gc/heap/goal:bytes."), []string{"/gc/heap/goal:bytes"}},
	{Gauge("go_gc_gogc_percent", "Heap size target percentage configured by the user, otherwise 100. This value is set by the GOGC environment variable, and the runtime/debug.SetGCPercent function. Sourced from /gc/gogc:percent."), []string{"/gc/gogc:percent"}},
	{Gauge("go_gc_gomemlimit_bytes", "Go runtime memory limit configured by the user, otherwise math.MaxInt64. This value is set by the GOMEMLIMIT environment variable, and the runtime/debug.SetMemoryLimit function. Sourced from /gc/gomemlimit:bytes."), []string{"/gc/gomemlimit:bytes"}},
	{Gauge("go_sched_gomaxprocs_threads", "The current runtime.GOMAXPROCS setting, or the number of operating system threads that can execute user-level Go code simultaneously. Sourced from /sched/gomaxprocs:threads."), []string{"/sched/gomaxprocs:threads"}},
}

var (
	goroutines = Gauge("go_goroutines", "Number of goroutines that currently exist.")
	goThreads  = Gauge("go_threads", "Number of OS threads created.")
	goInfo     = Gauge("go_info", "Information about the Go environment.", "version")
	lastGC     = Gauge("go_memstats_last_gc_time_seconds", "Number of seconds since 1970 of last garbage collection.")
	gcPauses   = &Family{name: "go_gc_duration_seconds", kind: "summary", help: "A summary of the wall-time pause (stop-the-world) duration in garbage collection cycles."}
)

// quarters are the quantiles of the pauses of garbage collections.
var quarters = []string{"0", "0.25", "0.5", "0.75", "1"}

// Runtime adds the metrics of the Go runtime. The names are those of the Go client of
// Prometheus, which dashboards use.
func Runtime(to *Page) {
	to.Add(goroutines, float64(runtime.NumGoroutine()))
	threads, _ := runtime.ThreadCreateProfile(nil)
	to.Add(goThreads, float64(threads))
	to.Add(goInfo, 1, runtime.Version())
	addPauses(to)

	var samples []metrics.Sample
	for _, s := range runtimeSums {
		for _, name := range s.of {
			samples = append(samples, metrics.Sample{Name: name})
		}
	}
	metrics.Read(samples)
	for _, s := range runtimeSums {
		sum := uint64(0)
		for i := range s.of {
			if v := samples[i].Value; v.Kind() == metrics.KindUint64 { // unknown in another version of Go
				sum += v.Uint64()
			}
		}
		samples = samples[len(s.of):]
		to.Add(s.family, float64(sum))
	}
}

// addPauses adds the metrics of garbage collections.
func addPauses(to *Page) {
	stats := debug.GCStats{PauseQuantiles: make([]time.Duration, len(quarters))}
	debug.ReadGCStats(&stats)
	to.Add(lastGC, float64(stats.LastGC.UnixNano())/1e9)
	var lines []byte
	for i, quantile := range quarters {
		lines = gcPauses.appendLine(lines, "", nil, stats.PauseQuantiles[i].Seconds(), "quantile", quantile)
	}
	lines = gcPauses.appendLine(lines, "_sum", nil, stats.PauseTotal.Seconds())
	to.add(gcPauses, metric{lines: gcPauses.appendLine(lines, "_count", nil, float64(stats.NumGC))})
}
