//go:build !unix

package simulator

import (
	"io"
	"os"
)

// lockFile only opens the file. On this platform it does not keep two
// simulators from using the same folder.
func lockFile(path string) (io.Closer, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
}
