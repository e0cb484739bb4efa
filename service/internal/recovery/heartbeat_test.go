package recovery_test

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"khatm/service/internal/archive"
	"khatm/service/internal/recovery"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

const installation = "d6c4a1de-7cc1-4f0f-8d4a-0a3c1b2f9e10"

// connected opens an archive as a server of a database and joins it.
func connected(t *testing.T, s *store.Store, folder, server string) (*archive.Archive, error) {
	t.Helper()
	a, err := archive.Open(t.Context(), archive.Options{Location: folder, Server: server, Installation: installation, Now: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	o := recovery.Options{Store: s, Archive: a, Location: folder, Automatic: true, Alone: true, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	found, err := recovery.Connect(t.Context(), o)
	if err != nil {
		return a, err
	}
	return a, s.RecordArchive(t.Context(), folder, found.Epoch)
}

// twoCopies returns two stores with the same content.
func twoCopies(t *testing.T) (original, copied *store.Store) {
	t.Helper()
	return storetest.Open(t, storetest.SQLite(t)), storetest.Open(t, storetest.SQLite(t))
}

func beatsOf(s *store.Store, a *archive.Archive) *recovery.Heartbeats {
	return &recovery.Heartbeats{Store: s, Archive: a, Random: rand.Reader}
}

// Servers with two copies of a database that have begun at the same moment stop within
// a few heartbeats.
func TestCopiesNoticeEachOther(t *testing.T) {
	t.Parallel()
	original, copied := twoCopies(t)
	folder := filepath.Join(t.TempDir(), "archive")
	first, err := connected(t, original, folder, "web-1")
	if err != nil {
		t.Fatal(err)
	}
	if err := copied.RecordArchive(t.Context(), folder, 1); err != nil {
		t.Fatal(err)
	}
	other, err := connected(t, copied, folder, "web-2")
	if err != nil {
		t.Fatal(err)
	}
	a, b := beatsOf(original, first), beatsOf(copied, other)
	var failed error
	for range 3 {
		failed = errors.Join(failed, a.Beat(t.Context()), b.Beat(t.Context()))
	}
	if !errors.Is(failed, archive.ErrCopied) || first.Stats().Ended == nil || other.Stats().Ended == nil {
		t.Errorf("after three heartbeats: %v; ended: %v and %v, want ErrCopied for both", failed, first.Stats().Ended, other.Stats().Ended)
	}
	if err := first.Append(t.Context(), [][]byte{[]byte(`{}`)}); !errors.Is(err, archive.ErrCopied) {
		t.Errorf("append after it: %v, want ErrCopied", err)
	}
}

// Servers of one database do not stop each other, also if a heartbeat of one of them
// is missing in the database after a promotion.
func TestServersOfOneDatabase(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t))
	folder := filepath.Join(t.TempDir(), "archive")
	first, err := connected(t, s, folder, "web-1")
	if err != nil {
		t.Fatal(err)
	}
	second, err := connected(t, s, folder, "web-2")
	if err != nil {
		t.Fatal(err)
	}
	a, b := beatsOf(s, first), beatsOf(s, second)
	for range 3 {
		if err := errors.Join(a.Beat(t.Context()), b.Beat(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := second.Beat(t.Context(), 1000, "lost"); err != nil { // the server has ended then
		t.Fatal(err)
	}
	for range 3 {
		if err := a.Beat(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// With SQLite, a server that is active under another name uses a copy of the database,
// also if this has not written a heartbeat since.
func TestAnotherServerIsActive(t *testing.T) {
	t.Parallel()
	original, copied := twoCopies(t)
	folder := filepath.Join(t.TempDir(), "archive")
	first, err := connected(t, original, folder, "web-1")
	if err != nil {
		t.Fatal(err)
	}
	if err := copied.RecordArchive(t.Context(), folder, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Beat(t.Context(), 0, ""); err != nil { // as at the time of the copy
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			time.Sleep(50 * time.Millisecond)
			_, _ = first.Beat(ctx, 0, "")
		}
	}()
	_, err = connected(t, copied, folder, "web-2")
	stop()
	<-ended
	if !errors.Is(err, recovery.ErrInUse) {
		t.Errorf("connect with a copy: %v, want ErrInUse", err)
	}
}
