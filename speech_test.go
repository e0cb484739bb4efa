package khatm_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

// elsewhere matches what exists only where the repository was written: paths
// of a machine, and pages that a reader of the repository does not have. The
// patterns are put together from pieces so that they do not match themselves.
var elsewhere = []*regexp.Regexp{
	absolute("wo" + "rk"),
	absolute("ro" + "ot/go"),
	absolute("tm" + "p/oracle"),
	regexp.MustCompile(`\.\./sha` + `red\b`),
	regexp.MustCompile(`\bsha` + `red/(conformance|facts|hooks|oracle|prototypes)\b`),
	regexp.MustCompile(`\bfac` + `ts/[a-z-]+\.md\b`),
	regexp.MustCompile(`\b(desi` + `gn|deci` + `sions|inter` + `face|sty` + `le)\.md\b`),
}

// absolute matches a path from the root of a machine, and not the same name
// further down in a path or an address.
func absolute(dir string) *regexp.Regexp {
	return regexp.MustCompile("(?m)(^|[\\s\"'`=(:<>\\[,/])/" + dir + `(/|\b)`)
}

func TestRepositorySpeaksOfItselfAlone(t *testing.T) {
	faults, err := speechFaults(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	report(t, faults)
}

func speechFaults(fsys fs.FS) ([]string, error) {
	var faults []string
	err := walk(fsys, func(p string) error {
		text, err := fs.ReadFile(fsys, p)
		if err != nil || !isText(text) {
			return err
		}
		for _, e := range elsewhere {
			if at := e.FindIndex(text); at != nil {
				line := 1 + bytes.Count(text[:at[1]], []byte("\n"))
				faults = append(faults, fmt.Sprintf("%s:%d speaks of %q", p, line, text[at[0]:at[1]]))
			}
		}
		return nil
	})
	return faults, err
}

func isText(b []byte) bool { return utf8.Valid(b) && bytes.IndexByte(b, 0) < 0 }

func TestForeignSpeechIsSeen(t *testing.T) {
	w, sh := "wo"+"rk", "sha"+"red"
	cases := []struct{ name, path, text, want string }{
		{"absolute path", "a.md", "see /" + w + "/main", "a.md:1"},
		{"on its own line", "a.md", "\n\n/" + w + "/main", "a.md:3"},
		{"in code", "a.go", `var x = "/` + w + `/x"`, "a.go:1"},
		{"in a hidden folder", ".ci/run", "cd /" + w + "/main", ".ci/run:1"},
		{"in testdata", "ubl/testdata/a.xml", "<a>/" + w + "/x</a>", "a.xml:1"},
		{"attribute in testdata", "ubl/testdata/a.xml", `<a b="/` + w + `/x"/>`, "a.xml:1"},
		{"module cache", "a.md", "in /ro" + "ot/go/pkg", "a.md:1"},
		{"judge", "a.md", "run /tm" + "p/oracle", "a.md:1"},
		{"page next door", "a.md", "see ../" + sh, "a.md:1"},
		{"corpus next door", "a.md", "see " + sh + "/oracle", "a.md:1"},
		{"a folder of that name", "a.md", "see web/src/" + sh + "/button", ""},
		{"page of facts", "a.md", "see fac" + "ts/stack.md", "a.md:1"},
		{"page of the plan", "a.md", "see desi" + "gn.md", "a.md:1"},
		{"package of that name", "a.go", `import "khatm/service/internal/` + w + `/x"`, ""},
		{"address", "a.md", "https://example.com/" + w + "/x", ""},
		{"history", ".git/x", "/" + w + "/main", ""},
		{"binary", "a.pdf", "\x00/" + w + "/main", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := speechFaults(fstest.MapFS{c.path: {Data: []byte(c.text)}})
			if err != nil {
				t.Fatal(err)
			}
			wantComplaint(t, got, c.want)
		})
	}
}
