package khatm_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// module is the name in go.mod; imports that begin with it are our own.
const module = "khatm"

// source is one Go file of the tree, parsed.
type source struct {
	path  string // from the root, with slashes
	dir   string // folder of path; "." at the root
	text  []byte
	files *token.FileSet
	tree  *ast.File
}

func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

// isExternalTest reports whether the file belongs to an external test package, such
// as x_test.
func (s source) isExternalTest() bool {
	return s.isTest() && strings.HasSuffix(s.tree.Name.Name, "_test")
}

func (s source) isGenerated() bool { return ast.IsGenerated(s.tree) }

func (s source) lines() int { return bytes.Count(s.text, []byte("\n")) }

func (s source) line(p token.Pos) int { return s.files.Position(p).Line }

// at formats a position as the compiler does.
func (s source) at(p token.Pos) string { return s.path + ":" + strconv.Itoa(s.line(p)) }

// imports returns the paths that the file imports, in order.
func (s source) imports() []string {
	var all []string
	for _, spec := range s.tree.Imports {
		all = append(all, importPath(spec))
	}
	return all
}

// importPath returns the path without its quotes.
func importPath(spec *ast.ImportSpec) string {
	p, _ := strconv.Unquote(spec.Path.Value)
	return p
}

// readTree parses every Go file of this module. It reads the files itself, so that
// the test cache notices changes. If the go command read them in a child process,
// go test would report an outdated cached result.
func readTree(fsys fs.FS) ([]source, error) {
	var all []source
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != "." && ignored(fsys, p):
			return fs.SkipDir
		case !d.Type().IsRegular() || path.Ext(p) != ".go":
			return nil
		}
		s, err := parse(fsys, p)
		all = append(all, s)
		return err
	})
	return all, err
}

// parse reads one Go file.
func parse(fsys fs.FS, p string) (source, error) {
	text, err := fs.ReadFile(fsys, p)
	if err != nil {
		return source{}, err
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, p, text, parser.ParseComments|parser.SkipObjectResolution)
	return source{path: p, dir: path.Dir(p), text: text, files: files, tree: tree}, err
}

// ignored reports whether the pattern ./... skips the folder, or its contents are
// not part of the repository.
func ignored(fsys fs.FS, dir string) bool {
	base := path.Base(dir)
	switch base {
	case "testdata", "node_modules", "bin", "khatm-demo":
		return true
	}
	if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return true
	}
	_, err := fs.Stat(fsys, path.Join(dir, "go.mod"))
	return err == nil
}

// readModule parses this module on the first call and returns the same files
// on every later one; the tests only read them.
var readModule = sync.OnceValues(func() ([]source, error) { return readTree(os.DirFS(".")) })

// thisTree returns the Go files of this module.
func thisTree(t *testing.T) []source {
	t.Helper()
	all, err := readModule()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// madeTree parses a tree given as path, text, path, text, …
func madeTree(t *testing.T, pairs ...string) []source {
	t.Helper()
	fsys := fstest.MapFS{}
	for i := 0; i+1 < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	all, err := readTree(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// report fails the test once for each message.
func report(t *testing.T, messages []string) {
	t.Helper()
	for _, m := range messages {
		t.Error(m)
	}
}

// wantFault fails the test unless got is one message that contains want, or no
// message if want is empty.
func wantFault(t *testing.T, got []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(got) > 0:
		t.Errorf("got %q, want no message", got)
	case want != "" && len(got) != 1:
		t.Errorf("got %d messages, want one with %q: %q", len(got), want, got)
	case want != "" && !strings.Contains(got[0], want):
		t.Errorf("got %q, want a message with %q", got[0], want)
	}
}

func TestTreeSkipsFoldersThatGoSkips(t *testing.T) {
	all := madeTree(t,
		"money/money.go", "package money",
		"money/testdata/broken.go", "not Go at all",
		"web/node_modules/x/x.go", "not Go at all",
		".hidden/x.go", "not Go at all",
		"_old/x.go", "not Go at all",
		"tools/go.mod", "module khatm/tools",
		"tools/x.go", "not Go at all",
	)
	if len(all) != 1 || all[0].path != "money/money.go" {
		t.Errorf("read %d files, want only money/money.go", len(all))
	}
}
