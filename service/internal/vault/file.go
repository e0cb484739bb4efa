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

// maxFile is the maximum size of a key file in bytes, enough for about 600
// keys.
const maxFile = 64 << 10

const preface = `# Master keys of Khatm: the first key seals new secrets, the others open older ones.
# Keep a copy apart from the database: without these keys its secrets cannot be opened.
`

// readFile reads a key file, which only its owner may read or write. A symbolic
// link is followed within its folder, as containers need, but not out of it.
func readFile(path string) ([]byte, fs.FileInfo, error) {
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, nil, fmt.Errorf("open key file %s: %w", path, err)
	}
	defer folder.Close() //nolint:errcheck // read only
	// O_NONBLOCK, so as not to wait for a writer if the file is a pipe.
	f, err := folder.OpenFile(filepath.Base(path), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if link, look := folder.Lstat(filepath.Base(path)); err != nil && look == nil && link.Mode()&fs.ModeSymlink != 0 {
		return nil, nil, fmt.Errorf("key file %s is a symbolic link that does not lead to a file in the same folder: give the path of the file itself: %w", path, err)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("open key file %s: %w", path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("stat key file %s: %w", path, err)
	}
	switch mode := info.Mode(); {
	case !mode.IsRegular():
		return nil, nil, fmt.Errorf("key file %s is not a regular file (%s): give the path of the file itself", path, mode)
	case mode.Perm()&0o077 != 0 && (mode.Perm()&0o037 != 0 || !isCredential(path)):
		return nil, nil, fmt.Errorf("key file %s may be read or written by others (%s): chmod 600 %s, and rotate the keys if others had access", path, mode, path)
	case info.Size() > maxFile:
		return nil, nil, fmt.Errorf("key file %s is not a key file: it has %d bytes", path, info.Size())
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, nil, fmt.Errorf("read key file %s: %w", path, err)
	}
	return text, info, nil
}

// isCredential reports whether systemd provides the file as a credential of the
// service. Newer versions let the user of the service read it with an access control
// list, whose mask is shown as the permissions of the group.
func isCredential(path string) bool {
	dir := os.Getenv("CREDENTIALS_DIRECTORY")
	return dir != "" && filepath.Dir(path) == filepath.Clean(dir)
}

// parseFile parses lines of the form "id base64 day". The first key is the
// active one. Errors do not quote a line, which may contain a key.
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
			err = errors.New("duplicate key")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w; restore the file from its copy", number, err)
		}
		found.all = append(found.all, key)
	}
	if len(found.all) == 0 {
		return nil, errors.New("the file has no key; restore it from its copy")
	}
	return found.all, nil
}

func parseLine(fields [][]byte) (masterKey, error) {
	if len(fields) != 3 {
		return masterKey{}, errors.New("must have an id, a key and a date")
	}
	day := string(fields[2])
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return masterKey{}, errors.New("the third field must be a date like 2006-01-02")
	}
	key, err := parseMasterKey(fields[1], day)
	if err != nil {
		return masterKey{}, fmt.Errorf("key: %w", err)
	}
	if key.id.String() != string(fields[0]) {
		return masterKey{}, errors.New("the key does not match its id")
	}
	return key, nil
}

// formatFile is the inverse of parseFile.
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
