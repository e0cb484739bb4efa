package server_test

import (
	"context"
	"database/sql"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"

	"khatm/service/admin"
	"khatm/service/internal/s3/s3test"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store"
	"khatm/simulator"
)

// A server combines the objects that its archive in S3 got on earlier days, issues at
// the same time, and restores documents from the combined objects.
func TestArchiveInBucketIsCompacted(t *testing.T) {
	s3 := s3test.Start(t)
	bucket := s3.Bucket(false)
	r := &restorable{
		t: t, sim: servicetest.OpenAuthority(t, simulator.Config{}), data: filepath.Join(t.TempDir(), "data"), marks: t.TempDir(),
		archive: server.Archive{Location: s3.Address(bucket, ""), Wait: true},
	}
	r.start()
	r.shop, r.key = r.service.OnboardedSeller(), r.service.Key
	copied, _ := r.backupThenSell(3, 4) // each sale is at least one object, and the last of a journal is not combined
	moveDay(t, s3, bucket, "2026-01-01")
	r.execute(`UPDATE archive SET compacted = ''`) // the server has compacted the days before today
	r.start()
	combined := func() (n int) {
		for _, key := range s3.Keys(bucket) {
			if strings.HasSuffix(key, ".zst") && strings.Contains(path.Base(key), "-") {
				n++
			}
		}
		return n
	}
	servicetest.Eventually(t, "the objects are combined", func() bool {
		return combined() == 2 && strings.Contains(r.service.Log.String(), "combined the objects of the archive")
	})
	if _, text := r.readiness("/metrics"); !strings.Contains(text, "\nkhatm_archive_objects_combined_total ") || strings.Contains(text, "\nkhatm_archive_objects_combined_total 0\n") {
		t.Error("khatm_archive_objects_combined_total is missing or 0")
	}
	for check, says := range map[string]string{"archive": "is in epoch 1, as the database", "archive writes": "existing files are not replaced", "archive lock": "objects are not locked"} {
		if f := r.finding(check); f.Level != admin.OK || !strings.Contains(f.Says, says) {
			t.Errorf("doctor reports %+v for the check %q, want %q", f, check, says)
		}
	}
	last := r.sell(2)
	r.stop()
	r.restoreFolder(copied)
	r.silenceIn(s3.Folder(bucket))
	r.start()
	r.goesOn(last)
	r.sound()
}

// execute runs a statement on the database.
func (r *restorable) execute(statement string) {
	r.t.Helper()
	driver, source := "sqlite", filepath.Join(r.data, store.DatabaseFile)
	if r.database != "" {
		driver, source = "pgx", r.database
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Exec(statement); err != nil {
		r.t.Fatal(err)
	}
}

// moveDay moves all objects with batches to another day.
func moveDay(t *testing.T, s *s3test.Server, bucket, day string) {
	t.Helper()
	for _, key := range s.Keys(bucket) {
		if !strings.HasSuffix(key, ".zst") {
			continue
		}
		to := path.Join(path.Dir(path.Dir(key)), day, path.Base(key))
		_, err := s.Client.CopyObject(context.Background(), minio.CopyDestOptions{Bucket: bucket, Object: to}, minio.CopySrcOptions{Bucket: bucket, Object: key})
		if err != nil {
			t.Fatal(err)
		}
		s.Change(bucket, key, func([]byte) []byte { return nil })
	}
}
