package admin

import (
	"context"

	"github.com/google/uuid"

	"khatm/service/internal/export"
)

// Export describes the documents to export.
type Export struct {
	From, To     string    // first and last issue date, YYYY-MM-DD
	Organisation uuid.UUID // uuid.Nil for all that issued documents in the period
	Program      string    // version of this program
	Progress     func(done, total int64)
}

// Exported is the result of Export.
type Exported = export.Result

// Export writes the documents of a period into an empty folder, with an index and
// a script that verifies them.
func (a *Admin) Export(ctx context.Context, e Export, dir string) (Exported, error) {
	return export.Write(ctx, export.Config{
		Store: a.store, From: e.From, To: e.To, Organisation: e.Organisation, Program: e.Program, Now: a.config.Now, Progress: e.Progress,
	}, dir)
}
