package view

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"khatm/codes"
)

// TestWords checks that every text exists in both languages, that the templates
// use only texts that exist, and that no text is unused.
func TestWords(t *testing.T) {
	var source strings.Builder
	for _, pattern := range []string{"*.html", "*.go"} {
		names, err := fs.Glob(os.DirFS("."), pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, name := range names {
			if name == "words.go" || strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(text)
		}
	}
	for _, used := range regexp.MustCompile(`\bT "([a-z_]+)"|\.T\("([a-zA-Z_]+)"\)`).FindAllStringSubmatch(source.String(), -1) {
		key := used[1] + used[2]
		if _, own := ownWords[key]; !own {
			if _, term := codes.FindWord(key); !term {
				t.Errorf("a page uses the text %q, which does not exist", key)
			}
		}
	}
	composed := regexp.MustCompile(`^set_|^note_|_hint$|_short$|^(forced|refused|warning|opinion|tolerated|fault|sandbox|production)$`)
	for key, w := range ownWords {
		if w[0] == "" || w[1] == "" {
			t.Errorf("text %s = %q, want both languages", key, w)
		}
		if !strings.Contains(source.String(), `"`+key+`"`) && !composed.MatchString(key) {
			t.Errorf("text %s is not used", key)
		}
		if _, term := codes.FindWord(key); term {
			t.Errorf("text %s is in the glossary already", key)
		}
	}
}
