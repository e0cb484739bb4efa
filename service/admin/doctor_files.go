package admin

import (
	"context"
	"time"

	"khatm/service/internal/blob"
)

// filesTime limits the check of the location of uploaded files.
const filesTime = time.Minute

// uploads checks that the location of uploaded files can be written and read.
func (x *examination) uploads(ctx context.Context, a *Admin) {
	const check = "uploaded files"
	stored, err := a.store.HasFiles(ctx)
	if err != nil {
		x.fail(check, "", "%v", err)
		return
	}
	at := x.config.Blob
	if at == "" {
		if stored {
			x.fail(check, "set --blob postgres or KHATM_BLOB=postgres on every server", "they are in the database, but the settings say the data folder, so they are not found")
			return
		}
		x.ok(check, "they are in the data folder")
		return
	}
	store, err := blob.OpenUploads(at, a.store.Files(), a.config.Now)
	if err != nil {
		x.fail(check, "", "%v", err)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, filesTime)
	defer cancel()
	if err := blob.Probe(ctx, store, a.config.NewID().String()); err != nil {
		x.fail(check, "until this works, pictures are neither shown nor accepted, and PDFs have no logo", "%v", err)
		return
	}
	switch {
	case at == blob.Postgres:
		x.ok(check, "they are in the database")
	case stored:
		x.warn(check, "set --blob postgres again if pictures are missing: files are moved from the data folder only", "their bucket can be written and read, but there are also files in the database, which are not found")
	default:
		x.ok(check, "their bucket can be written and read")
	}
}
