package store_test

import (
	"context"
	"errors"
	"go/ast"
	"slices"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// withoutBegin lists the functions that read the database without calling Begin,
// with the reason.
var withoutBegin = map[string]string{
	"SealTrail":  "in the background, for no organisation",
	"WalkTrail":  "for operator commands",
	"install":    "before anything is served",
	"undigested": "before anything is served",
}

// TestEveryReadBegins checks that every function that reads with the connections
// of the database calls Begin, so that the reads of one organisation cannot use all
// connections. The functions of package database call it themselves.
func TestEveryReadBegins(t *testing.T) {
	t.Parallel()
	needed := map[string]bool{}
	for _, file := range sources(t) {
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || !readsDirectly(f) {
				continue
			}
			switch name := f.Name.Name; {
			case withoutBegin[name] != "":
				needed[name] = true
			case !begins(f):
				t.Errorf("%s reads the database without calling Begin", name)
			}
		}
	}
	for name := range withoutBegin {
		if !needed[name] {
			t.Errorf("withoutBegin lists %s, which does not need it", name)
		}
	}
}

// readsDirectly reports whether a function uses the database as a
// [database.Reader].
func readsDirectly(f *ast.FuncDecl) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.KeyValueExpr: // reader{db: s.db}
			found = found || isDatabase(e.Value)
		case *ast.CallExpr:
			if method := databaseMethod(e); method == "QueryContext" || method == "QueryRowContext" {
				found = true
			}
			if name := calledName(e); name == "newReader" || name == "Each" {
				found = found || slices.ContainsFunc(e.Args, isDatabase)
			}
		}
		return true
	})
	return found
}

// begins reports whether a function calls Begin.
func begins(f *ast.FuncDecl) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if e, is := n.(*ast.CallExpr); is && databaseMethod(e) == "Begin" {
			found = true
		}
		return true
	})
	return found
}

// databaseMethod returns the name of the method of the database that is called, or
// "".
func databaseMethod(e *ast.CallExpr) string {
	if s, is := e.Fun.(*ast.SelectorExpr); is && isDatabase(s.X) {
		return s.Sel.Name
	}
	return ""
}

// calledName returns the name of the called function, without its package.
func calledName(e *ast.CallExpr) string {
	switch f := e.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// isDatabase reports whether an expression is the database of a store, such as s.db
// or f.s.db.
func isDatabase(e ast.Expr) bool {
	s, is := e.(*ast.SelectorExpr)
	if !is || s.Sel.Name != "db" {
		return false
	}
	switch of := s.X.(type) {
	case *ast.Ident:
		return of.Name == "s"
	case *ast.SelectorExpr:
		return of.Sel.Name == "s" || of.Sel.Name == "store"
	}
	return false
}

// TestReadsWaitForTheirTurn checks that reads with several queries wait once for
// their turn, and return the error if they do not get it.
func TestReadsWaitForTheirTurn(t *testing.T) {
	t.Parallel()
	refused := errors.New("busy")
	var begun, running int
	var refuse error
	c := storetest.SQLite(t)
	c.Read = func(context.Context) (func(), error) {
		if running > 0 {
			t.Error("a read waits for another one that has begun")
		}
		if refuse != nil {
			return nil, refuse
		}
		begun++
		running++
		return func() { running-- }, nil
	}
	s := storetest.Open(t, c)
	of := benchOrganisation(t, s, c, 1)
	some, page := []uuid.UUID{uuid.Max}, org.Page{Size: 9, Number: 1}
	for name, read := range map[string]func(context.Context, *store.Store) error{
		"Look":      func(ctx context.Context, s *store.Store) error { _, err := s.Look(ctx, of, issue.Wants{}); return err },
		"Earlier":   func(ctx context.Context, s *store.Store) error { _, err := s.Earlier(ctx, of, some); return err },
		"ItemsByID": func(ctx context.Context, s *store.Store) error { _, err := s.ItemsByID(ctx, of, some); return err },
		"Accounts":  func(ctx context.Context, s *store.Store) error { _, err := s.Accounts(ctx, of, some); return err },
		"Receipts": func(ctx context.Context, s *store.Store) error {
			_, err := s.Receipts(ctx, of, payment.Filter{}, page)
			return err
		},
		"Refunds": func(ctx context.Context, s *store.Store) error {
			_, err := s.Refunds(ctx, of, uuid.Nil, page)
			return err
		},
		"TrailEnd": func(ctx context.Context, s *store.Store) error { _, err := s.TrailEnd(ctx); return err },
	} {
		before := begun
		refuse = nil
		if err := read(t.Context(), s); err != nil || begun != before+1 || running != 0 {
			t.Errorf("%s: error %v, %d reads begun, %d running; want one that has ended", name, err, begun-before, running)
		}
		refuse = refused
		if err := read(t.Context(), s); !errors.Is(err, refused) {
			t.Errorf("%s: error %v, want %v", name, err, refused)
		}
	}
}
