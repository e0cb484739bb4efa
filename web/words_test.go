package web_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	wordKey  = regexp.MustCompile(`(?m)^  (\w+): "`)
	quoted   = regexp.MustCompile(`"(\w+)"`)
	composed = regexp.MustCompile("`(\\w+)\\$\\{")
)

// TestWordsAreUsedOnce checks that every word of the app is used, and that no two
// areas have a word with the same key, since one would replace the other.
func TestWordsAreUsedOnce(t *testing.T) {
	t.Parallel()
	used, prefixes := map[string]bool{}, map[string]bool{}
	for _, name := range sources(t, "src") {
		if strings.Contains(filepath.ToSlash(name), "/words/") {
			continue
		}
		text := read(t, name)
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			used[m[1]] = true
		}
		for _, m := range composed.FindAllStringSubmatch(text, -1) {
			prefixes[m[1]] = true
		}
	}
	area := map[string]string{}
	for _, name := range sources(t, "src/words/ar") {
		for _, m := range wordKey.FindAllStringSubmatch(read(t, name), -1) {
			key := m[1]
			if other, twice := area[key]; twice {
				t.Errorf("%s: the word %s is also in %s", name, key, other)
			}
			area[key] = name
			found := used[key]
			for prefix := range prefixes {
				found = found || strings.HasPrefix(key, prefix)
			}
			if !found {
				t.Errorf("%s: the word %s is not used", name, key)
			}
		}
	}
	if len(area) < 100 {
		t.Errorf("%d words were found", len(area))
	}
}

// sources returns the source files below a folder.
func sources(t *testing.T, folder string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.HasSuffix(name, ".d.ts") && (strings.HasSuffix(name, ".ts") || strings.HasSuffix(name, ".tsx")) {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
