package backup

import "fmt"

// spareSpace is the space that a backup leaves free, because the server may
// write to the same disk.
const spareSpace = 256 << 20

// checkSpace returns an error if less than spareSpace would stay free in dir
// after writing more bytes.
func checkSpace(dir string, more int64) error {
	free, known, err := freeSpace(dir)
	if err != nil || !known {
		return err
	}
	if free-more < spareSpace {
		return fmt.Errorf("too little space in %s: %d MiB are free, %d MiB are needed: free some space, or use another disk",
			dir, free>>20, (more+spareSpace)>>20)
	}
	return nil
}
