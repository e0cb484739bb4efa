package web_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
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

// TestFilesAreEmbedded checks that the program has every file of dist, and has those
// with compressed copies only compressed.
func TestFilesAreEmbedded(t *testing.T) {
	built := os.DirFS("dist")
	err := fs.WalkDir(built, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		_, zipped := fs.Stat(built, name+".gz")
		_, embedded := fs.Stat(web.Files(), name)
		if part, docs := strings.CutPrefix(name, "docs/"); docs {
			if _, err := fs.Stat(web.SwaggerUI(), part); err != nil {
				t.Error(err)
			}
			return nil
		}
		if (embedded == nil) != (zipped != nil) {
			t.Errorf("%s: embedded %t, with a compressed copy %t; see embed.go", name, embedded == nil, zipped == nil)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestCopies checks that the compressed copies have the content of the files.
func TestCopies(t *testing.T) {
	copies, err := filepath.Glob("dist/assets/*.gz")
	if err != nil || len(copies) == 0 {
		t.Fatalf("compressed files: %v, %v", copies, err)
	}
	for _, name := range append(copies, "dist/index.html.gz", "dist/icon.svg.gz") {
		packed, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(name, ".gz"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s has other content than the file (%v)", name, err)
		}
	}
}

// TestIndexHasNoInlineCode checks that the page works with a policy that allows no
// inline script or style.
func TestIndexHasNoInlineCode(t *testing.T) {
	index, err := os.ReadFile("dist/index.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"<style", " style=", " onload=", "<script>", "https://", "http://"} {
		if strings.Contains(string(index), part) {
			t.Errorf("index.html contains %q", part)
		}
	}
}

// TestSwaggerUI checks that Swagger UI has the version of package.json.
func TestSwaggerUI(t *testing.T) {
	var described struct{ Dependencies map[string]string }
	text, err := os.ReadFile("package.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &described); err != nil {
		t.Fatal(err)
	}
	contains := map[string]string{
		"swagger-ui-bundle.js.gz": `PACKAGE_VERSION:"` + described.Dependencies["swagger-ui-dist"] + `"`,
		"swagger-ui.css.gz":       ".swagger-ui",
	}
	for name, want := range contains {
		packed, err := web.SwaggerUI().Open(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(packed)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s does not contain %s: %v", name, want, err)
		}
	}
}
