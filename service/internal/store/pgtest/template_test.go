package pgtest_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"khatm/service/internal/store/pgtest"
)

// fresh returns a new template name. Templates outlive a test, so a fixed name
// could already exist.
func fresh(t *testing.T) string {
	t.Helper()
	conn := connect(t, pgtest.URL(t))
	return ask[string](t, conn, `SELECT gen_random_uuid()::text`)[0]
}

// oneRow creates a table with one row.
func oneRow(url string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, `CREATE TABLE kept AS SELECT 1 AS n`)
	return errors.Join(err, conn.Close(ctx))
}

func TestTemplateIsBuiltOnce(t *testing.T) {
	t.Parallel()
	name := fresh(t)
	var built atomic.Int32
	urls := make([]string, 4)
	var all sync.WaitGroup
	for i := range urls {
		all.Go(func() {
			urls[i] = pgtest.Template(t, name, func(url string) error {
				built.Add(1)
				return oneRow(url)
			})
		})
	}
	all.Wait()
	if got := built.Load(); got != 1 {
		t.Errorf("template was built %d times, want once", got)
	}
	for i, url := range urls {
		conn := connect(t, url)
		if got, want := ask[int](t, conn, `SELECT n FROM kept`), []int{1}; !slices.Equal(got, want) {
			t.Errorf("copy %d contains %v, want %v", i, got, want)
		}
		run(t, conn, `INSERT INTO kept VALUES (2)`)
	}
}

func TestFailedTemplateIsBuiltAgain(t *testing.T) {
	t.Parallel()
	name := fresh(t)
	refused := &recorder{TB: t}
	refused.run(func() {
		pgtest.Template(refused, name, func(url string) error {
			return errors.Join(oneRow(url), errors.New("build failed"))
		})
	})
	if !refused.failed {
		t.Error("Template with a failing build did not fail the test, want a failure")
	}
	conn := connect(t, pgtest.Template(t, name, oneRow))
	if got, want := ask[int](t, conn, `SELECT n FROM kept`), []int{1}; !slices.Equal(got, want) {
		t.Errorf("copy of the second build contains %v, want %v", got, want)
	}
}

func TestTemplateNameTooLong(t *testing.T) {
	t.Parallel()
	refused := &recorder{TB: t}
	refused.run(func() {
		pgtest.Template(refused, "a-name-with-a-long-digest-0123456789abcdef0123456789abcdef", oneRow)
	})
	if !refused.failed {
		t.Error("Template with a name longer than 63 bytes did not fail the test, want a failure")
	}
}
