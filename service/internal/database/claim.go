package database

import (
	"fmt"
	"os"
)

// Claim makes the data folder if necessary and locks it for a process that
// puts a database into it: until release no server and no command uses it.
func Claim(dir string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	if err := refuseNetworkFolder(dir); err != nil {
		return nil, err
	}
	l, err := takeLocks(dir, Maintain)
	if err != nil {
		return nil, err
	}
	return l.release, nil
}
