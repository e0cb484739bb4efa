package server_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"khatm/service/internal/continuity"
	"khatm/service/internal/ready"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store"
)

// silent is a store whose Continuity returns err, if it is set.
type silent struct {
	*store.Store
	err error
}

func (f *silent) Continuity(ctx context.Context) (continuity.State, error) {
	if f.err != nil {
		return continuity.State{}, f.err
	}
	return f.Store.Continuity(ctx)
}

// While the database cannot be compared with the marks nothing is issued, and
// the reason is listed for readiness and metrics.
func TestComparisonThatFails(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	installation, err := h.Service.Store().Installation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	marks, err := continuity.OpenMarks(t.TempDir(), installation)
	if err != nil {
		t.Fatal(err)
	}
	defer marks.Close()
	var status ready.Status
	keeper := &silent{Store: h.Service.Store()}
	guard := continuity.New(continuity.Config{
		Keeper: keeper, Marks: marks, Status: &status, Now: h.Clock.Now, Log: servicetest.Quiet(),
		Trail: func(context.Context) (broken, err error) { return nil, nil },
	})
	// A file in place of the folder cannot be read even by root.
	away := marks.Path() + ".away"
	if err := errors.Join(os.Rename(marks.Path(), away), os.WriteFile(marks.Path(), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	const words = "the database could not be compared with the marks"
	if err := guard.Ready(); err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), marks.Path()) {
		t.Errorf("Ready = %v, want the comparison as the reason without the path", err)
	}
	problems := status.Problems()
	if len(problems) != 1 || problems[0].Cause != ready.Compare || !strings.Contains(problems[0].String(), words+": ") || !strings.Contains(problems[0].String(), filepath.Base(marks.Path())) {
		t.Errorf("problems = %+v, want the failed comparison with its detail", problems)
	}
	if err := errors.Join(os.Remove(marks.Path()), os.Rename(away, marks.Path())); err != nil {
		t.Fatal(err)
	}
	if err := guard.Ready(); err != nil || len(status.Problems()) != 0 {
		t.Errorf("after the folder is back: Ready = %v, problems %+v; want neither", err, status.Problems())
	}
	// A comparison that fails after a successful one is repeated.
	keeper.err = errors.New("no answer in time")
	if err := guard.Compare(t.Context()); err == nil || len(status.Problems()) != 1 {
		t.Errorf("without an answer: Compare = %v, problems %+v; want an error and one problem", err, status.Problems())
	}
	keeper.err = nil
	if err := guard.Ready(); err != nil || len(status.Problems()) != 0 {
		t.Errorf("with an answer: Ready = %v, problems %+v; want neither", err, status.Problems())
	}
}
