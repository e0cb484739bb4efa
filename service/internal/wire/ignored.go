package wire

import (
	"net/http"
	"slices"
	"strings"
)

// Limits of the header that lists ignored fields.
const (
	ignoredHeader = "X-Khatm-Ignored"
	ignoredBytes  = 1 << 10
)

// nameIgnored sets the header that lists the fields of the body that the
// operation does not know, so that a misspelt name is noticed. Characters that
// are not safe in a header are replaced.
func nameIgnored(h http.Header, paths []string) {
	var b strings.Builder
	for _, path := range paths {
		name := strings.Map(headerSafe, path)
		if b.Len()+len(", ")+len(name) > ignoredBytes {
			break
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name)
	}
	if b.Len() > 0 {
		h.Set(ignoredHeader, b.String())
	}
}

// headerSafe replaces characters that a header value, or a list in it, cannot
// contain.
func headerSafe(r rune) rune {
	if r <= ' ' || r > '~' || r == ',' || r == '"' {
		return '?'
	}
	return r
}

// without returns the paths, without root, that are not among the documented
// fields that the operation ignores.
func without(paths []string, root string, documented []string) []string {
	var kept []string
	for _, path := range paths {
		if path = callersPath(path, root); !slices.Contains(documented, path) {
			kept = append(kept, path)
		}
	}
	return kept
}
