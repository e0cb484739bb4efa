package vault

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// maxFile is room for some six hundred keys.
const maxFile = 64 << 10

const preface = `# Master keys of Khatm: the first seals, the others open what they sealed.
# Keep a copy apart from the database: without these keys its secrets are lost.
`

// readFile reads a key file that nobody but its owner may read or write. A
// symbolic link is followed within its folder, which is how a container is
// given a file, and never out of it.
func readFile(path string) ([]byte, fs.FileInfo, error) {
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, nil, fmt.Errorf("open key file %s: %w", path, err)
	}
	defer folder.Close() //nolint:errcheck // it was only read
	// Not to wait for a writer, should it be a pipe.
	f, err := folder.OpenFile(filepath.Base(path), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if link, look := folder.Lstat(filepath.Base(path)); err != nil && look == nil && link.Mode()&fs.ModeSymlink != 0 {
		return nil, nil, fmt.Errorf("key file %s is a link that does not lead to a file of its folder: name the file itself: %w", path, err)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("open key file %s: %w", path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("look at key file %s: %w", path, err)
	}
	switch mode := info.Mode(); {
	case !mode.IsRegular():
		return nil, nil, fmt.Errorf("key file %s is no regular file (%s): name the file itself", path, mode)
	case mode.Perm()&0o077 != 0:
		return nil, nil, fmt.Errorf("key file %s may be read or written by others (%s): chmod 600 %s, and rotate the keys if others had access", path, mode, path)
	case info.Size() > maxFile:
		return nil, nil, fmt.Errorf("key file %s is no key file: it has %d bytes", path, info.Size())
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, nil, fmt.Errorf("read key file %s: %w", path, err)
	}
	return text, info, nil
}

// parseFile reads the lines "id base64 day", the first of the active key. Its
// errors do not quote a line, which may hold a key.
func parseFile(text []byte) ([]masterKey, error) {
	var found keys
	number := 0
	for line := range bytes.Lines(text) {
		number++
		fields := bytes.Fields(line)
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		key, err := parseLine(fields)
		if err == nil && found.has(key.id) {
			err = errors.New("the key is there twice")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w; restore the file from its copy", number, err)
		}
		found.all = append(found.all, key)
	}
	if len(found.all) == 0 {
		return nil, errors.New("it holds no key; restore it from its copy")
	}
	return found.all, nil
}

func parseLine(fields [][]byte) (masterKey, error) {
	if len(fields) != 3 {
		return masterKey{}, errors.New("not an id, a key and a day")
	}
	day := string(fields[2])
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return masterKey{}, errors.New("the third field is no day like 2006-01-02")
	}
	key, err := parseMasterKey(fields[1], day)
	if err != nil {
		return masterKey{}, fmt.Errorf("the key: %w", err)
	}
	if key.id.String() != string(fields[0]) {
		return masterKey{}, errors.New("the key is not the one that its id names")
	}
	return key, nil
}

// formatFile writes what parseFile reads.
func formatFile(all []masterKey) []byte {
	text := []byte(preface)
	for _, key := range all {
		text = append(text, key.id.String()...)
		text = append(text, ' ')
		text = base64.StdEncoding.AppendEncode(text, key.secret())
		text = append(text, ' ')
		text = append(text, key.created...)
		text = append(text, '\n')
	}
	return text
}
