package testtool

import "runtime"

// Loopback returns an address to listen on whose port can be closed and opened
// again. Outgoing connections of other tests come from 127.0.0.1 and could take
// a port of that address in between. Only Linux answers on all of 127.0.0.0/8.
func Loopback() string {
	if runtime.GOOS == "linux" {
		return "127.0.0.2:0"
	}
	return "127.0.0.1:0"
}
