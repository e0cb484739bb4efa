package blob

import (
	"path"
	"strings"

	"khatm/service/internal/fault"
)

const maxKey = 200

// check refuses what is no key: segments of a-z, 0-9, point, underscore and
// hyphen, each of which begins with a letter or a digit, joined by slashes. So
// every key has one spelling, is a path below the root on every system, and is
// never the name of a file of the store's own.
func check(key string) error {
	if len(key) > maxKey || strings.Contains(key, "..") {
		return wrongKey()
	}
	for segment := range strings.SplitSeq(key, "/") {
		if segment == "" || !isAlphanumeric(segment[0]) || strings.ContainsFunc(segment, foreign) {
			return wrongKey()
		}
	}
	return nil
}

func wrongKey() error { return fault.New(fault.Invalid, "Not the name of a file") }

func foreign(r rune) bool {
	return r > 'z' || !isAlphanumeric(byte(r)) && r != '.' && r != '_' && r != '-'
}

func isAlphanumeric(b byte) bool { return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' }

// folders are the folders of a key from the nearest up to the root.
func folders(key string) []string {
	var dirs []string
	for dir := path.Dir(key); ; dir = path.Dir(dir) {
		dirs = append(dirs, dir)
		if dir == "." {
			return dirs
		}
	}
}
