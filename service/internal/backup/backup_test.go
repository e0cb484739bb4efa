package backup_test

import (
	"archive/tar"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/backup"
	"khatm/service/internal/blob"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// installation returns the id of the open installation.
func (s *fixture) installation(ctx context.Context) (id uuid.UUID, err error) {
	err = s.config.Store.Snapshot(ctx, func(kept *store.Snapshot) error {
		holds, err := kept.Contents(ctx)
		id = holds.Installation
		return err
	})
	return id, err
}

func TestBackupAndRestore(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		path, made := s.make("one.tar")
		info, err := os.Stat(path)
		ok(t, err)
		if info.Mode() != 0o600 {
			t.Errorf("mode of the backup = %s, want 0600", info.Mode())
		}
		if got := s.names(); !slices.Equal(got, []string{"one.tar"}) {
			t.Errorf("files in the backup folder = %v, want only one.tar", got)
		}
		if made.Counts.Organisations != 1 || made.Counts.Files != 3 || made.Counts.TrailEntries != 1 {
			t.Errorf("counts in the manifest = %+v, want 1 organisation, 3 files, 1 trail entry", made.Counts)
		}
		to := s.target()
		read, err := backup.Restore(s.ctx, path, to)
		ok(t, err)
		if read.Installation != made.Installation || !slices.Equal(read.Entries, made.Entries) {
			t.Errorf("manifest of the restored backup = %+v, want %+v", read, made)
		}
		holds, err := store.ContentsAt(s.ctx, store.Config{Dir: to.Data, URL: to.Database, Now: s.clock.Now})
		ok(t, err)
		if holds.Installation != made.Installation || holds.Organisations != 1 {
			t.Errorf("contents of the restored database = %+v, want installation %s with 1 organisation", holds, made.Installation)
		}
		disk, err := blob.OpenDisk(filepath.Join(to.Data, "files"))
		ok(t, err)
		defer disk.Close() //nolint:errcheck // a test
		keys, err := disk.List(s.ctx)
		ok(t, err)
		if want := []string{"org/1/item/" + strings.Repeat("b", 150), "org/1/logo/a", org.TrailHeadFile}; !slices.Equal(keys, want) {
			t.Errorf("restored files = %v, want %v", keys, want)
		}
		for _, key := range keys {
			file, _, err := disk.Open(s.ctx, key)
			ok(t, err)
			text, err := io.ReadAll(file)
			if ok(t, errors.Join(err, file.Close())); string(text) != "content of "+key {
				t.Errorf("restored file %s contains %q, want %q", key, text, "content of "+key)
			}
		}
		// A restored installation cannot be the target of another restore.
		_, err = backup.Restore(s.ctx, path, to)
		says(t, err, "not empty")
	})
}

// The format is tar, so that a backup can be read without this program.
func TestBackupIsATarFile(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		path, _ := s.make("one.tar")
		file, err := os.Open(path)
		ok(t, err)
		defer file.Close()
		var names []string
		for archive := tar.NewReader(file); ; {
			head, err := archive.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			ok(t, err)
			names = append(names, head.Name)
		}
		want := []string{"files/trail/head", "files/org/1/item/" + strings.Repeat("b", 150), "files/org/1/logo/a", "khatm.db", "manifest.json", "manifest.json.sha256"}
		if s.config.Database != "" {
			want[3] = "database.dump"
		}
		if !slices.Equal(names, want) {
			t.Errorf("entries of the tar file = %v, want %v", names, want)
		}
	})
}

func TestBackupDoesNotOverwrite(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		path := filepath.Join(s.dir, "taken")
		ok(t, os.WriteFile(path, []byte("mine"), 0o600))
		_, err := backup.Make(s.ctx, s.config, path)
		says(t, err, "already exists")
		if text, err := os.ReadFile(path); string(text) != "mine" || err != nil {
			t.Errorf("the existing file contains %q, %v, want it unchanged", text, err)
		}
	})
}

// A cancelled backup leaves no files.
func TestCancelledBackup(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		ctx, stop := context.WithCancel(s.ctx)
		s.config.Progress = func(step string, _, _ int64) {
			if step == backup.Verifying {
				stop()
			}
		}
		if _, err := backup.Make(ctx, s.config, filepath.Join(s.dir, "one.tar")); !errors.Is(err, context.Canceled) {
			t.Errorf("error of a cancelled backup = %v, want %v", err, context.Canceled)
		}
		if got := s.names(); len(got) > 0 {
			t.Errorf("files left by a cancelled backup = %v, want none", got)
		}
	})
}

// A backup is read back after writing. If the disk returns other data, the
// backup fails and leaves no file.
func TestBackupIsReadBack(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		once := sync.OnceFunc(func() {
			written, err := filepath.Glob(filepath.Join(s.dir, "one.tar.partial-*"))
			if err != nil || len(written) != 1 {
				t.Fatalf("unfinished backups = %v, %v, want one", written, err)
			}
			whole, err := os.ReadFile(written[0])
			ok(t, err)
			whole[len(whole)/2] ^= 1
			ok(t, os.WriteFile(written[0], whole, 0o600))
		})
		s.config.Progress = func(step string, _, _ int64) {
			if step == backup.Verifying {
				once()
			}
		}
		_, err := backup.Make(s.ctx, s.config, filepath.Join(s.dir, "one.tar"))
		says(t, err, "verify the backup", "damaged")
		if got := s.names(); len(got) > 0 {
			t.Errorf("files left by a damaged backup = %v, want none", got)
		}
	})
}

// A backup with any damage is not restored.
func TestDamagedBackupIsRefused(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		path, _ := s.make("one.tar")
		whole, err := os.ReadFile(path)
		ok(t, err)
		random := rand.New(rand.NewPCG(16, 5))
		damaged := map[string][]byte{
			"empty": {}, "other": []byte(strings.Repeat("not a backup\n", 100)), "half": whole[:len(whole)/2], "no manifest": whole[:len(whole)-8<<10],
		}
		flips := 12
		if testtool.Torture() {
			flips = 1000
		}
		for range flips {
			at := random.IntN(len(whole))
			flipped := bytes.Clone(whole)
			flipped[at] ^= 1 << random.IntN(8)
			damaged["flipped"] = flipped
			for name, data := range damaged {
				bad := filepath.Join(s.dir, "bad.tar")
				ok(t, os.WriteFile(bad, data, 0o600))
				to := backup.Target{Data: filepath.Join(t.TempDir(), "data"), Database: s.config.Database, Pace: s.config.Pace}
				// The PostgreSQL target is not empty: the restore must fail
				// before it looks at the target.
				_, err := backup.Restore(s.ctx, bad, to)
				if name == "flipped" && err == nil || err != nil && strings.Contains(err.Error(), "not empty") {
					if harmlessFlip(whole, at) {
						continue
					}
					t.Fatalf("restore of a backup with damage %q at byte %d: %v, want it refused before the target is read", name, at, err)
				}
				if err == nil {
					t.Errorf("restore of a backup with damage %q succeeded, want an error", name)
				}
				if _, err := os.Stat(to.Data); err == nil {
					t.Errorf("restore of a backup with damage %q created the data folder, want none", name)
				}
			}
			damaged = map[string][]byte{}
		}
	})
}

// harmlessFlip reports whether the byte at offset at may change unnoticed: it
// is padding or part of a header.
func harmlessFlip(whole []byte, at int) bool {
	in := bytes.NewReader(whole)
	archive := tar.NewReader(in)
	for {
		before := len(whole) - in.Len()
		head, err := archive.Next()
		if err != nil {
			return true // after the last entry
		}
		begin := len(whole) - in.Len()
		if at >= before && at < begin {
			return true // padding of the previous entry, or a header with an unused field
		}
		if at < begin+int(head.Size) {
			return false
		}
	}
}

func TestRestoreIntoTheOtherEngine(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		path, _ := s.make("one.tar")
		to := backup.Target{Data: filepath.Join(t.TempDir(), "data"), Database: "postgres://nowhere/x", Pace: s.config.Pace}
		word := "leave out --database"
		if s.config.Database != "" {
			to.Database, word = "", "with --database"
		}
		_, err := backup.Restore(s.ctx, path, to)
		says(t, err, word)
	})
}

// The data folder may already contain the master key, but no data that could be
// lost.
func TestRestoreIntoAFolder(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		path, _ := s.make("one.tar")
		fitting := map[string]bool{"master.key": true, "server.lock": true, "khatm.db.restoring": true, "khatm.db": false, "khatm.db-wal": false, "notes.txt": false}
		if s.config.Database != "" {
			fitting = map[string]bool{"master.key": true, "notes.txt": false}
		}
		for name, fits := range fitting {
			to := s.target()
			ok(t, os.MkdirAll(to.Data, 0o700))
			ok(t, os.WriteFile(filepath.Join(to.Data, name), []byte("x"), 0o600))
			_, err := backup.Restore(s.ctx, path, to)
			if fits {
				ok(t, err)
			} else {
				says(t, err, "not empty", name)
			}
		}
	})
}

// A backup with a newer schema is refused before anything is written.
func TestRestoreOfANewerVersion(t *testing.T) {
	c := storetest.SQLite(t)
	s := open(t, c)
	db, err := sql.Open("sqlite", filepath.Join(c.Dir, store.DatabaseFile))
	ok(t, err)
	_, err = db.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, 1)`, store.SchemaVersion()+1)
	ok(t, errors.Join(err, db.Close()))
	path, _ := s.make("one.tar")
	to := s.target()
	_, err = backup.Restore(s.ctx, path, to)
	says(t, err, "made by a newer khatm", "use the newer program")
	if _, err := os.Stat(to.Data); err == nil {
		t.Error("restore of a newer backup created the data folder, want none")
	}
}

// A backup of PostgreSQL contains the uploaded files that are in the database.
func TestBackupContainsFilesInPostgres(t *testing.T) {
	const key, text = "org/1/logo/c", "a logo in the database"
	s := open(t, storetest.NewPostgres(t))
	uploads, err := blob.OpenUploads(blob.Postgres, s.config.Store.Files(), s.clock.Now)
	ok(t, err)
	_, err = uploads.Put(s.ctx, key, strings.NewReader(text), 100)
	ok(t, err)
	path, _ := s.make("files.backup")
	target := s.target()
	_, err = backup.Restore(s.ctx, path, target)
	ok(t, err)
	restored := storetest.Open(t, store.Config{URL: target.Database, Now: s.clock.Now})
	uploads, err = blob.OpenUploads(blob.Postgres, restored.Files(), s.clock.Now)
	ok(t, err)
	file, _, err := uploads.Open(s.ctx, key)
	ok(t, err)
	if got, err := io.ReadAll(file); err != nil || string(got) != text {
		t.Errorf("restored file = %q, %v, want %q", got, err, text)
	}
}
