package listen

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// Flags of a TCP header, and where they are.
const (
	flagsOffset = 13
	flagSYN     = 0x02
	flagACK     = 0x10
)

// onlyOpened is a socket filter that drops the first packet of a connection, which
// has SYN without ACK, and accepts all others. Connections that are opening can so
// be completed.
var onlyOpened = [...]unix.SockFilter{
	{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: flagsOffset},
	{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: flagSYN | flagACK},
	{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: flagSYN},
	{Code: unix.BPF_RET | unix.BPF_K, K: 0},
	{Code: unix.BPF_RET | unix.BPF_K, K: 1<<32 - 1},
}

// refuse makes the system drop requests for new connections to a listener.
func refuse(raw syscall.RawConn) error {
	filter := onlyOpened
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	var failed error
	err := raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &program)
	})
	if err == nil {
		err = failed
	}
	if err != nil {
		return fmt.Errorf("set a socket filter: %w", err)
	}
	return nil
}
