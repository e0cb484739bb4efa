package store_test

import (
	"bytes"
	"slices"
	"testing"

	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// A backup can be made before an upgrade: an older schema is accepted. A newer
// schema and an empty database are refused.
func TestForBackup(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		s.Close()
		applied := "1"
		if s.config.URL != "" {
			applied = "true"
		}
		newest := store.SchemaVersion()
		s.execute(`DELETE FROM goose_db_version WHERE version_id = $1`, newest)
		says(t, openers()["command"](s.ctx, s.config), "run khatm migrate")
		holds, err := store.ContentsAt(s.ctx, s.config)
		ok(t, err)
		if holds.Schema != newest-1 || holds.Organisations != 2 || holds.Entries == 0 {
			t.Errorf("contents of the older database = %+v, want schema version %d and 2 organisations", holds, newest-1)
		}
		s.execute(`INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, `+applied+`)`, newest+1)
		_, err = store.ContentsAt(s.ctx, s.config)
		says(t, err, "written by a newer khatm")
		s.execute(`DELETE FROM goose_db_version WHERE version_id > 0`)
		_, err = store.ContentsAt(s.ctx, s.config)
		says(t, err, "the database is empty")
	})
}

// The pages of a snapshot form a database with the state at its beginning, even
// if rows are written meanwhile.
func TestPagesOfASnapshot(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	var image bytes.Buffer
	ok(t, s.Snapshot(s.ctx, func(kept *store.Snapshot) error {
		holds, err := kept.Contents(s.ctx)
		ok(t, err)
		size, err := kept.Size(s.ctx)
		ok(t, err)
		s.register("between")
		pages := 0
		ok(t, kept.Pages(s.ctx, func(page []byte) error {
			if pages++; pages%20 == 0 {
				s.register("another")
			}
			image.Write(page)
			return nil
		}))
		if int64(image.Len()) != size || pages < 40 {
			t.Fatalf("snapshot has %d pages with %d bytes, want %d bytes", pages, image.Len(), size)
		}
		same(t, holds)(store.CheckCopy(s.ctx, bytes.NewReader(image.Bytes()), size))
		return nil
	}))
	// Every damaged page is detected.
	data := image.Bytes()
	found, tried := 0, 0
	for at := 4096; at < len(data); at += 7 * 4096 {
		tried++
		damaged := slices.Clone(data)
		copy(damaged[at:at+4096], bytes.Repeat([]byte{0xff}, 4096))
		if _, err := store.CheckCopy(s.ctx, bytes.NewReader(damaged), int64(len(damaged))); err != nil {
			found++
		}
	}
	if found != tried || tried < 5 {
		t.Errorf("%d of %d damaged pages were detected, want all", found, tried)
	}
}
