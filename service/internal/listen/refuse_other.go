//go:build !linux

package listen

import (
	"errors"
	"syscall"
)

// refuse does nothing. Connections that are opened in the moment in which the
// listener is closed may be reset.
func refuse(syscall.RawConn) error { return errors.ErrUnsupported }
