package backup

import "fmt"

// spareSpace is what a backup leaves free on its disk: it may be the disk that
// the server writes to.
const spareSpace = 256 << 20

// checkSpace refuses to write more bytes into a folder than leave spareSpace.
func checkSpace(dir string, more int64) error {
	free, known, err := freeSpace(dir)
	if err != nil || !known {
		return err
	}
	if free-more < spareSpace {
		return fmt.Errorf("too little space in %s: %d MiB are free, %d MiB are needed: free some, or write to another disk",
			dir, free>>20, (more+spareSpace)>>20)
	}
	return nil
}
