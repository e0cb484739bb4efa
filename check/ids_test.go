package check_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"khatm/check"
)

// TestEveryFindingHasARow searches the sources of package witness for the ids
// that it can report: string literals, and each kind with each ending.
func TestEveryFindingHasARow(t *testing.T) {
	ids := findingIDs(t)
	for _, some := range []string{"qr-format", "qr-certificate-signature", "stamp-foreign", "previous-hash-split", "signature"} {
		if !slices.Contains(ids, some) {
			t.Errorf("id %s was not found in the sources of package witness", some)
		}
	}
	known := check.IDs()
	for _, id := range ids {
		if !slices.Contains(known, id) {
			t.Errorf("check/table.go has no row for %s", id)
		}
	}
	for i, id := range known {
		if id != check.Unreadable && !slices.Contains(ids, id) {
			t.Errorf("check/table.go: %s is not a finding of package witness", id)
		}
		if slices.Contains(known[:i], id) {
			t.Errorf("check/table.go: %s has two rows", id)
		}
	}
	if r := check.Find("a-new-finding"); r.ID != "a-new-finding" || r.Answer != check.Find("certificate").Answer || r.Says.EN == "" {
		t.Errorf("row of an unknown finding = %+v, want the answer for an invalid certificate", r)
	}
}

// findingIDs returns the ids that package witness passes to find and same, and
// those of the QR code tags that it expects.
func findingIDs(t *testing.T) []string {
	files, err := filepath.Glob("../witness/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("read the sources of package witness: %v", err)
	}
	r := &reading{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, r.look)
	}
	for _, kind := range r.kinds {
		for _, ending := range r.endings {
			r.ids = append(r.ids, kind+ending)
		}
	}
	slices.Sort(r.ids)
	return slices.Compact(r.ids)
}

// reading collects string literals from a syntax tree.
type reading struct{ ids, kinds, endings []string }

func (r *reading) look(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		r.call(n)
	case *ast.CompositeLit:
		// Rows of the table of tags: id first.
		if len(n.Elts) == 4 {
			r.add(&r.ids, n.Elts[0], "qr-")
		}
		// Rows of the table of references: id, kind.
		if len(n.Elts) == 2 {
			if kind := literal(n.Elts[1]); kind == "qr" || kind == "counter" || kind == "previous-hash" {
				r.kinds = append(r.kinds, kind)
			}
		}
		for _, field := range n.Elts {
			if pair, is := field.(*ast.KeyValueExpr); is {
				if key, is := pair.Key.(*ast.Ident); is && key.Name == "ID" {
					r.add(&r.ids, pair.Value, "")
				}
			}
		}
	}
	return true
}

func (r *reading) call(n *ast.CallExpr) {
	method, is := n.Fun.(*ast.SelectorExpr)
	if !is || len(n.Args) == 0 {
		return
	}
	switch method.Sel.Name {
	case "find", "same":
		r.add(&r.ids, n.Args[0], "")
		if sum, is := n.Args[0].(*ast.BinaryExpr); is {
			r.add(&r.endings, sum.Y, "-")
		}
	case "only", "single", "value", "reference", "fit", "disorder":
		r.add(&r.kinds, n.Args[0], "")
	}
}

func (r *reading) add(to *[]string, e ast.Expr, prefix string) {
	if text := literal(e); text != "" && strings.HasPrefix(text, prefix) {
		*to = append(*to, text)
	}
}

func literal(e ast.Expr) string {
	basic, is := e.(*ast.BasicLit)
	if !is || basic.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(basic.Value)
	if err != nil {
		return ""
	}
	return text
}
