package database

import (
	"fmt"
	"os"
)

// Claim creates the data folder if necessary and locks it, so that no server
// and no other command uses it until release is called. It is for processes
// that write a database file into the folder.
func Claim(dir string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the data folder: %w", err)
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
