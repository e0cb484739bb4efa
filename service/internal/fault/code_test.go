package fault_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/fault"
)

var snake = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)

func TestEntriesAreComplete(t *testing.T) {
	t.Parallel()
	seen := map[fault.Code]bool{}
	for _, e := range fault.Entries() {
		if !snake.MatchString(string(e.Code)) || seen[e.Code] {
			t.Errorf("code %q is not in snake_case, or is listed twice", e.Code)
		}
		seen[e.Code] = true
		if e.Kind == fault.Internal && e.Code != fault.InternalError {
			t.Errorf("%s has no kind", e.Code)
		}
		for name, text := range map[string]string{"Says": e.Says, "Fix": e.Fix, "SaysAR": e.SaysAR, "FixAR": e.FixAR} {
			if !strings.HasSuffix(text, ".") || strings.Contains(text, "%") {
				t.Errorf("%s: %s is %q, want a sentence with a full stop and without values", e.Code, name, text)
			}
		}
	}
	for _, c := range fault.OfCreate() {
		if c.Entry().Code != c || c.Kind() == fault.Internal {
			t.Errorf("%s is not registered", c)
		}
	}
}

// TestEveryCodeIsRegisteredAndUsed reads the sources: each constant of type Code
// must have an entry, and must be used outside this package.
func TestEveryCodeIsRegisteredAndUsed(t *testing.T) {
	t.Parallel()
	declared := constants(t)
	used := uses(t, "../..")
	for name, code := range declared {
		if code.Entry().Code != code {
			t.Errorf("%s = %q has no entry", name, code)
		}
		if !used[name] {
			t.Errorf("%s = %q is never used; remove it", name, code)
		}
	}
	if len(declared) < 100 {
		t.Errorf("found %d constants of type Code, want at least 100", len(declared))
	}
}

// withoutArabic are the files below service/internal whose problems have only the
// Arabic text of their code: those of invoices, whose fields are checked by package
// invoice, and those of endpoints for programs.
var withoutArabic = []string{"issue/facts.go", "api/invoice_create.go", "api/invoice_read.go", "api/remark.go"}

// TestProblemsHaveArabicTexts reads the sources: a problem with a code that does not
// describe it must have an Arabic text.
func TestProblemsHaveArabicTexts(t *testing.T) {
	t.Parallel()
	generic := []string{"InvalidValue", "WrongType", "InvalidFormat", "UnknownValue", "TooShort", "TooLong", "OutOfRange", "TooManyDecimals", "TooFewItems", "TooManyItems"}
	found := 0
	walk(t, "..", func(path string, n ast.Node) {
		literal, is := n.(*ast.CompositeLit)
		if !is {
			return
		}
		if kind, is := literal.Type.(*ast.SelectorExpr); !is || kind.Sel.Name != "Problem" || !isNamed(kind.X, "fault") {
			return
		}
		code, message, arabic := "InvalidValue", false, false
		for _, e := range literal.Elts {
			field, is := e.(*ast.KeyValueExpr)
			if !is {
				continue
			}
			message = message || isNamed(field.Key, "Message")
			arabic = arabic || isNamed(field.Key, "MessageAR")
			if value, is := field.Value.(*ast.SelectorExpr); is && isNamed(field.Key, "Code") {
				code = value.Sel.Name
			}
		}
		if !message || !slices.Contains(generic, code) || slices.Contains(withoutArabic, filepath.ToSlash(strings.TrimPrefix(path, "../"))) {
			return
		}
		if found++; !arabic {
			t.Errorf("%s: a problem with the code %s has no Arabic text", path, code)
		}
	})
	if found < 40 {
		t.Errorf("found %d problems, want at least 40", found)
	}
}

// TestArabicTextsDoNotReferToMessage: message is in English.
func TestArabicTextsDoNotReferToMessage(t *testing.T) {
	t.Parallel()
	for _, e := range fault.Entries() {
		if strings.Contains(e.SaysAR+e.FixAR, "message") {
			t.Errorf("%s: %s %s", e.Code, e.SaysAR, e.FixAR)
		}
	}
}

func isNamed(e ast.Expr, name string) bool {
	is, ok := e.(*ast.Ident)
	return ok && is.Name == name
}

// walk calls visit for every node of the sources below a folder, tests excepted.
func walk(t *testing.T, folder string, visit func(path string, n ast.Node)) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			visit(path, n)
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// constants returns the constants of type Code by name.
func constants(t *testing.T) map[string]fault.Code {
	t.Helper()
	found := map[string]fault.Code{}
	files, err := filepath.Glob("code*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, is := n.(*ast.ValueSpec)
			if kind, _ := specType(spec, is); kind != "Code" {
				return true
			}
			for i, name := range spec.Names {
				value, _ := spec.Values[i].(*ast.BasicLit)
				if value != nil {
					found[name.Name] = fault.Code(strings.Trim(value.Value, `"`))
				}
			}
			return true
		})
	}
	return found
}

func specType(spec *ast.ValueSpec, is bool) (string, bool) {
	if !is {
		return "", false
	}
	kind, named := spec.Type.(*ast.Ident)
	if !named {
		return "", false
	}
	return kind.Name, true
}

// uses returns the names X of all expressions fault.X in the sources below a
// folder, tests excepted. It includes the codes that
// this package itself uses.
func uses(t *testing.T, folder string) map[string]bool {
	t.Helper()
	found := map[string]bool{"ValidationFailed": true, "RecordNotFound": true}
	walk(t, folder, func(path string, n ast.Node) {
		switch v := n.(type) {
		case *ast.SelectorExpr:
			if isNamed(v.X, "fault") {
				found[v.Sel.Name] = true
			}
		case *ast.KeyValueExpr: // the values of missing
			if key, is := v.Key.(*ast.BasicLit); is && filepath.Base(path) == "code.go" && key.Kind == token.STRING {
				if name, is := v.Value.(*ast.Ident); is {
					found[name.Name] = true
				}
			}
		}
	})
	return found
}
