//go:build !unix

package simulator

import (
	"io"
	"os"
)

// lockFile only opens the file: elsewhere two simulators on one folder are not
// kept apart.
func lockFile(path string) (io.Closer, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
}
