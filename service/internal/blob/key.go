package blob

import (
	"path"
	"strings"

	"khatm/service/internal/fault"
)

const maxKey = 200

// check returns an error unless key is valid: segments of a-z, 0-9, dot,
// underscore and hyphen that begin with a letter or digit, joined by slashes.
// Such a key has only one spelling, is a local path on every system and cannot
// be one of the store's own files.
func check(key string) error {
	if len(key) > maxKey || strings.Contains(key, "..") {
		return errInvalidKey()
	}
	for segment := range strings.SplitSeq(key, "/") {
		if segment == "" || !isAlphanumeric(segment[0]) || strings.ContainsFunc(segment, isForbidden) {
			return errInvalidKey()
		}
	}
	return nil
}

func errInvalidKey() error { return fault.New(fault.InvalidValue, "The file key is invalid.") }

func isForbidden(r rune) bool {
	return r > 'z' || !isAlphanumeric(byte(r)) && r != '.' && r != '_' && r != '-'
}

func isAlphanumeric(b byte) bool { return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' }

// folders returns the folders of a key, from the innermost to the root.
func folders(key string) []string {
	var dirs []string
	for dir := path.Dir(key); ; dir = path.Dir(dir) {
		dirs = append(dirs, dir)
		if dir == "." {
			return dirs
		}
	}
}
