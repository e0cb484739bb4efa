package khatm_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"khatm/codes"
)

// Every action that the sources write into the audit trail has a label in both
// languages.
func TestActionsHaveLabels(t *testing.T) {
	t.Parallel()
	written := map[string]string{}
	err := filepath.WalkDir("service", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			for _, action := range actionsIn(n) {
				written[action] = path
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for action, path := range written {
		if label, known := codes.FindAction(action); !known || label.EN == "" || label.AR == "" {
			t.Errorf("%s: the action %s has no label in codes/action.go", path, action)
		}
	}
	for _, some := range []string{"client.create", "draft.approved", "second_factor.add", "session.opened", "trail.export", "receipt.create"} {
		if written[some] == "" {
			t.Errorf("the action %s was not found in the sources", some)
		}
	}
}

var actionForm = regexp.MustCompile(`^[a-z_]+\.[a-z_]+$`)

// actionsIn returns the actions among the arguments of a call that writes an entry,
// or among the values assigned to a field Action.
func actionsIn(n ast.Node) (found []string) {
	var values []ast.Expr
	switch n := n.(type) {
	case *ast.CallExpr:
		if f, is := n.Fun.(*ast.SelectorExpr); is && slices.Contains([]string{"event", "addEvent", "personEvent", "Note", "note"}, f.Sel.Name) {
			values = n.Args
		}
	case *ast.AssignStmt:
		for _, to := range n.Lhs {
			if f, is := to.(*ast.SelectorExpr); is && f.Sel.Name == "Action" {
				values = n.Rhs
			}
		}
	}
	for _, v := range values {
		if text, is := v.(*ast.BasicLit); is && text.Kind == token.STRING {
			if action, err := strconv.Unquote(text.Value); err == nil && actionForm.MatchString(action) {
				found = append(found, action)
			}
		}
	}
	return found
}
