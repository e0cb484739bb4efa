package metric

var (
	processCPU        = Counter("process_cpu_seconds_total", "Total user and system CPU time spent in seconds.")
	processOpenFiles  = Gauge("process_open_fds", "Number of open file descriptors.")
	processMostFiles  = Gauge("process_max_fds", "Maximum number of open file descriptors.")
	processVirtual    = Gauge("process_virtual_memory_bytes", "Virtual memory size in bytes.")
	processMostMemory = Gauge("process_virtual_memory_max_bytes", "Maximum amount of virtual memory available in bytes.")
	processResident   = Gauge("process_resident_memory_bytes", "Resident memory size in bytes.")
	processStart      = Gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds.")
	processReceived   = Counter("process_network_receive_bytes_total", "Number of bytes received by the process over the network.")
	processSent       = Counter("process_network_transmit_bytes_total", "Number of bytes sent by the process over the network.")
)
