package export_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"khatm/service/internal/servicetest"
)

// Columns of index.csv.
const (
	numberColumn = iota
	uuidColumn
	deviceColumn
	counterColumn
	dateColumn
	timeColumn
	kindColumn
	_
	currencyColumn
	withoutVATColumn
	vatColumn
	_
	payableColumn
	_
	_
	hashColumn
	previousColumn
	statusColumn
	codeColumn
	xmlColumn
	_
	stampedColumn
	_
	verdictColumn
	_
	buyerColumn
)

// planted is a copy of an export of one organisation, to be changed.
type planted struct {
	*exported
	org string // folder of the organisation
}

// copied returns a copy of an export.
func (x *exported) copied(dir string) *planted {
	x.t.Helper()
	if err := os.CopyFS(dir, os.DirFS(x.dir)); err != nil {
		x.t.Fatal(err)
	}
	orgs, err := filepath.Glob(filepath.Join(dir, "*", "index.csv"))
	if err != nil || len(orgs) != 1 {
		x.t.Fatalf("the export has the indexes %v, %v; want one", orgs, err)
	}
	return &planted{exported: &exported{t: x.t, dir: dir, result: x.result}, org: filepath.Dir(orgs[0])}
}

func (p *planted) read(name string) string { return servicetest.ReadFile(p.t, p.path(name)) }

// path returns the path of a file of the organisation, or above its folder if the
// name begins with a slash.
func (p *planted) path(name string) string {
	if above, is := strings.CutPrefix(name, "/"); is {
		return filepath.Join(p.dir, above)
	}
	return filepath.Join(p.org, name)
}

func (p *planted) write(name, text string) {
	p.t.Helper()
	if err := os.WriteFile(p.path(name), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func (p *planted) remove(name string) {
	p.t.Helper()
	if err := os.RemoveAll(p.path(name)); err != nil {
		p.t.Fatal(err)
	}
}

// replace replaces the first occurrence of a text in a file.
func (p *planted) replace(name, old, text string) {
	p.t.Helper()
	before := p.read(name)
	after := strings.Replace(before, old, text, 1)
	if before == after {
		p.t.Fatalf("%s does not contain %q", name, old)
	}
	p.write(name, after)
}

// flip changes the character at an offset after a text.
func (p *planted) flip(name, behind string, offset int) {
	p.t.Helper()
	text := []byte(p.read(name))
	at := bytes.Index(text, []byte(behind))
	if at < 0 {
		p.t.Fatalf("%s does not contain %q", name, behind)
	}
	at += len(behind) + offset
	switch c := text[at]; {
	case c >= '0' && c < '9', c >= 'a' && c < 'z', c >= 'A' && c < 'Z':
		text[at]++
	default:
		text[at] = 'A'
	}
	p.write(name, string(text))
}

func (p *planted) swap(a, b string) {
	p.t.Helper()
	text := p.read(a)
	p.write(a, p.read(b))
	p.write(b, text)
}

// rows returns the rows of a table without its header.
func (p *planted) rows(name string) [][]string {
	p.t.Helper()
	rows, err := csv.NewReader(strings.NewReader(p.read(name))).ReadAll()
	if err != nil {
		p.t.Fatal(err)
	}
	return rows[1:]
}

// index changes the rows of the index.
func (p *planted) index(change func(rows [][]string) [][]string) { p.table("index.csv", change) }

func (p *planted) table(name string, change func(rows [][]string) [][]string) {
	p.t.Helper()
	header, _, _ := strings.Cut(p.read(name), "\n")
	rows := change(p.rows(name))
	var out strings.Builder
	out.WriteString(header + "\n")
	w := csv.NewWriter(&out)
	if err := w.WriteAll(rows); err != nil {
		p.t.Fatal(err)
	}
	p.write(name, out.String())
}

// set changes a cell of the index.
func (p *planted) set(row, column int, text string) {
	p.t.Helper()
	p.index(func(rows [][]string) [][]string {
		if rows[row][column] == text {
			p.t.Fatalf("column %d of row %d is already %q", column, row, text)
		}
		rows[row][column] = text
		return rows
	})
}

// cell returns a cell of the index.
func (p *planted) cell(row, column int) string { return p.rows("index.csv")[row][column] }

// reseal writes the digests of all files into the index and the manifest, as
// someone does who changes files and wants to hide it.
func (p *planted) reseal() {
	p.t.Helper()
	digest := func(path string) string {
		data, err := os.ReadFile(path)
		if err != nil {
			return ""
		}
		sum := sha256.Sum256(data)
		return hex.EncodeToString(sum[:])
	}
	if _, err := os.Stat(p.path("index.csv")); err == nil {
		p.index(func(rows [][]string) [][]string {
			for _, row := range rows {
				for _, column := range []int{xmlColumn, stampedColumn, verdictColumn} {
					if row[column] != "" {
						row[column+1] = digest(p.path(row[column]))
					}
				}
			}
			return rows
		})
	}
	var manifest strings.Builder
	err := fs.WalkDir(os.DirFS(p.dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && path != "manifest.sha256" {
			fmt.Fprintf(&manifest, "%s  %s\n", digest(filepath.Join(p.dir, path)), path)
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.write("/manifest.sha256", manifest.String())
}
