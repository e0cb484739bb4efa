package recovery_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"khatm/service/internal/archive"
	"khatm/service/internal/recovery"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// installation is the id in all databases of storetest.
const installation = "01000000-0000-7000-8000-000000000001"

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

// Of servers with two copies of a database that begin at the same moment, the second
// stops with its first heartbeat.
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
	if err := a.Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.Beat(t.Context()); !errors.Is(err, archive.ErrCopied) {
		t.Errorf("first heartbeat of the second: %v, want ErrCopied", err)
	}
	if err := other.Append(t.Context(), [][]byte{[]byte(`{}`)}); !errors.Is(err, archive.ErrCopied) {
		t.Errorf("append after it: %v, want ErrCopied", err)
	}
	for range 3 {
		if err := a.Beat(t.Context()); err != nil {
			t.Fatalf("the first server stops as well: %v", err)
		}
	}
}

// Servers with the same name on two machines notice each other too.
func TestCopiesWithTheSameName(t *testing.T) {
	t.Parallel()
	original, copied := twoCopies(t)
	folder := filepath.Join(t.TempDir(), "archive")
	first, err := connected(t, original, folder, "web-1")
	if err != nil {
		t.Fatal(err)
	}
	a := beatsOf(original, first)
	for range 2 {
		if err := a.Beat(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 3 { // as another machine with an archive in S3 does
		number, err := copied.NextHeartbeat(t.Context(), "web-1", fmt.Sprint("copy ", n))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := first.Beat(t.Context(), number+10, fmt.Sprint("copy ", n)); err != nil {
			t.Fatal(err)
		}
		if err = a.Beat(t.Context()); (n > 0) != errors.Is(err, archive.ErrCopied) {
			t.Fatalf("heartbeat %d beside the other server: %v", n, err)
		}
		if n > 0 {
			return
		}
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
	for range 3 {
		// The second server cannot reach the database.
		if _, err := second.Beat(t.Context(), 1000, "lost"); err != nil {
			t.Fatal(err)
		}
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
	for _, s := range []*store.Store{original, copied} { // as at the time of the copy
		if _, err := s.NextHeartbeat(t.Context(), "web-1", "same"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := first.Beat(t.Context(), 1, "same"); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			time.Sleep(50 * time.Millisecond)
			_, _ = first.Beat(ctx, 1, "same")
		}
	}()
	_, err = connected(t, copied, folder, "web-2")
	stop()
	<-ended
	if !errors.Is(err, recovery.ErrInUse) {
		t.Errorf("connect with a copy: %v, want ErrInUse", err)
	}
}

// A recovery whose heartbeats fail for so long that another server could take over ends.
func TestRecoveryWithoutHeartbeats(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		original, folder := storetest.Open(t, storetest.SQLite(t)), filepath.Join(t.TempDir(), "archive")
		first, err := connected(t, original, folder, "web-1")
		if err != nil {
			t.Fatal(err)
		}
		if err := first.Append(t.Context(), [][]byte{[]byte(`{"kind":"rows","seq":1,"changes":[]}`)}); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		c.Point = func(step string) error {
			if step != "counted again" {
				return nil
			}
			// A heartbeat that is being written may create the folder again.
			heartbeats := filepath.Join(folder, "heartbeats")
			for {
				if err := os.RemoveAll(heartbeats); err != nil && !errors.Is(err, syscall.ENOTEMPTY) {
					return err
				}
				if err := os.WriteFile(heartbeats, nil, 0o600); err == nil {
					break
				}
			}
			<-ended
			return nil
		}
		s := storetest.Open(t, c)
		a, err := archive.Open(t.Context(), archive.Options{Location: folder, Server: "web-2", Installation: installation, Now: time.Now, Random: rand.Reader})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close() //nolint:errcheck // the test ends
		_, err = recovery.Connect(t.Context(), recovery.Options{
			Store: s, Archive: a, Location: folder, Automatic: true, TakeOver: true, Now: time.Now, Silence: 100 * time.Millisecond,
			Log: slog.New(closing{slog.DiscardHandler, ended}),
		})
		if err == nil || !strings.Contains(err.Error(), "could take over") {
			t.Errorf("recovery without heartbeats: %v, want that another server could take over", err)
		}
	})
}

// A comparison begins no epoch, also if a recovery with this database was interrupted.
func TestCompareBeginsNothing(t *testing.T) {
	t.Parallel()
	s, folder := storetest.Open(t, storetest.SQLite(t)), filepath.Join(t.TempDir(), "archive")
	first, err := connected(t, s, folder, "web-1")
	if err != nil {
		t.Fatal(err)
	}
	compare := func() error {
		a, err := archive.Open(t.Context(), archive.Options{Location: folder, Server: "web-1.compare", Installation: installation, Now: time.Now, Random: rand.Reader})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close() //nolint:errcheck // nothing was written
		_, err = recovery.Connect(t.Context(), recovery.Options{
			Store: s, Archive: a, Location: folder, Compare: true, Watch: time.Millisecond, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		})
		return err
	}
	if err := compare(); err != nil {
		t.Errorf("database that lacks nothing: %v", err)
	}
	token, err := first.NewToken()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.RecordBegin(t.Context(), 2, token); err != nil {
		t.Fatal(err)
	}
	next, err := archive.Open(t.Context(), archive.Options{Location: folder, Server: "web-2", Installation: installation, Now: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close() //nolint:errcheck // nothing was written
	if err := next.BeginAs(t.Context(), 2, token); err != nil {
		t.Fatal(err)
	}
	if err := compare(); !errors.Is(err, recovery.ErrLacking) {
		t.Errorf("after an interrupted recovery: %v, want ErrLacking", err)
	}
	if newest, err := next.Newest(t.Context()); err != nil || newest.Number != 2 {
		t.Errorf("the archive is in epoch %d (%v), want 2", newest.Number, err)
	}
}

// closing is a handler that closes a channel at the first error.
type closing struct {
	slog.Handler
	closed chan struct{}
}

// Enabled implements [slog.Handler].
func (h closing) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements [slog.Handler].
func (h closing) Handle(_ context.Context, r slog.Record) error {
	if r.Level == slog.LevelError {
		close(h.closed)
	}
	return nil
}
