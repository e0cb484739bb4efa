package web_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"khatm/web"
)

// TestBuildIsCurrent compares the digest in the built app with the sources.
func TestBuildIsCurrent(t *testing.T) {
	names := []string{"index.html", "package-lock.json", "package.json", "tsconfig.json", "vite.config.ts"}
	for _, folder := range []string{"public", "src"} {
		err := filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && !strings.HasSuffix(name, ".d.ts") {
				names = append(names, filepath.ToSlash(name))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(names)
	sum := sha256.New()
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range [][]byte{[]byte(name), {0}, content, {0}} {
			sum.Write(part)
		}
	}
	built, err := fs.ReadFile(web.Files(), "sources.txt")
	if err != nil {
		t.Fatal(err)
	}
	if want := hex.EncodeToString(sum.Sum(nil)); strings.TrimSpace(string(built)) != want {
		t.Error("dist was built from other sources: run make web")
	}
}

// TestIndexHasNoInlineCode checks that the page works with a policy that allows no
// inline script or style.
func TestIndexHasNoInlineCode(t *testing.T) {
	index, err := fs.ReadFile(web.Files(), "index.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"<style", " style=", " onload=", "<script>", "https://", "http://"} {
		if strings.Contains(string(index), part) {
			t.Errorf("index.html contains %q", part)
		}
	}
}
