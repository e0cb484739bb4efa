package backup_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/backup"
	"khatm/service/internal/store/storetest"
)

func TestDailyBackups(t *testing.T) {
	s := open(t, storetest.SQLite(t))
	s.at(1, 10, 0)
	id, err := s.installation(s.ctx)
	ok(t, err)
	name := func(day, hour, minute int) string {
		return fmt.Sprintf("khatm-daily-%s-202611%02dT%02d%02d00Z.tar", id.String()[24:], day, hour-3, minute)
	}
	d := s.daily(3)
	step := func(day, hour, minute int, want ...string) {
		t.Helper()
		s.at(day, hour, minute)
		ok(t, d.Turn(s.ctx))
		slices.Sort(want)
		if got := s.names(); !slices.Equal(got, want) {
			t.Fatalf("backups on day %d at %d:%02d = %v, want %v", day, hour, minute, got, want)
		}
	}
	ok(t, d.Turn(s.ctx)) // none within a minute of the start
	step(1, 10, 0)
	step(1, 10, 2, name(1, 10, 2)) // the first one
	step(1, 23, 0, name(1, 10, 2))
	step(2, 2, 59, name(1, 10, 2))
	step(2, 3, 1, name(1, 10, 2), name(2, 3, 1)) // the quiet hour
	step(2, 3, 2, name(1, 10, 2), name(2, 3, 1))
	step(2, 3, 59, name(1, 10, 2), name(2, 3, 1))
	step(3, 3, 0, name(1, 10, 2), name(2, 3, 1), name(3, 3, 0))
	if got := d.Figures().LastSuccess; !got.Equal(s.clock.Now()) {
		t.Errorf("last success = %s, want %s", got, s.clock.Now())
	}
	// Other files are not removed: a backup made by hand, one of another
	// installation, and a file that only has the name of a daily backup.
	byHand, _ := s.make("khatm-2026.tar")
	lookalike := name(1, 4, 0)
	ok(t, os.Rename(byHand, filepath.Join(s.dir, lookalike)))
	others := []string{lookalike, "khatm-daily-0123456789ab-20200101T000000Z.tar", "notes.txt"}
	for _, other := range others[1:] {
		ok(t, os.WriteFile(filepath.Join(s.dir, other), []byte("x"), 0o600))
	}
	unfinished := filepath.Join(s.dir, name(3, 3, 30)+".partial-123")
	ok(t, os.WriteFile(unfinished, nil, 0o600))
	// The oldest backup is removed when there are more than three.
	step(4, 3, 5, append(others, name(2, 3, 1), name(3, 3, 0), name(4, 3, 5))...)
	// A new server makes a backup if the last one is older than a day.
	d = s.daily(3)
	ok(t, d.Turn(s.ctx))
	if got := d.Figures().LastSuccess; !got.IsZero() {
		t.Errorf("last success before the first turn = %s, want zero", got)
	}
	step(6, 12, 0, append(others, name(3, 3, 0), name(4, 3, 5), name(6, 12, 0))...)
	for _, kept := range []string{name(6, 12, 0)} {
		_, err := backup.Restore(s.ctx, filepath.Join(s.dir, kept), s.target())
		ok(t, err)
	}
}

// A failed backup is reported and tried again after 15 minutes.
func TestFailedDailyBackup(t *testing.T) {
	s := open(t, storetest.SQLite(t))
	broken, tries := true, 0
	d := backup.NewDaily(backup.DailyConfig{
		Dir: s.dir, Keep: 1, Now: s.clock.Now, Log: quiet(), Installation: s.installation,
		Make: func(ctx context.Context, path string) (backup.Manifest, error) {
			if tries++; broken {
				return backup.Manifest{}, errors.New("the disk is gone")
			}
			c := s.config
			c.Scheduled = true
			return backup.Make(ctx, c, path)
		},
	})
	s.clock.Advance(2 * time.Minute)
	says(t, d.Turn(s.ctx), "the disk is gone", s.dir)
	if f := d.Figures(); f.Failures != 1 || !f.LastFailure.Equal(s.clock.Now()) || !f.LastSuccess.IsZero() {
		t.Errorf("figures after a failure = %+v, want one failure and no success", f)
	}
	broken = false
	s.clock.Advance(time.Minute)
	ok(t, d.Turn(s.ctx))
	if tries != 1 {
		t.Errorf("tried %d times within a minute, want once", tries)
	}
	s.clock.Advance(15 * time.Minute)
	ok(t, d.Turn(s.ctx))
	if f := d.Figures(); tries != 2 || !f.LastSuccess.Equal(s.clock.Now()) || f.Size == 0 {
		t.Errorf("tried %d times after 15 minutes, want 2; figures = %+v, want a success", tries, f)
	}
}

// Neither a clock that is set back nor a backup with a time in the future stops
// daily backups.
func TestDailyBackupsAndWrongClocks(t *testing.T) {
	s := open(t, storetest.SQLite(t))
	s.at(28, 12, 0)
	d := s.daily(5)
	s.at(28, 12, 5)
	ok(t, d.Turn(s.ctx))
	s.at(2, 12, 0)
	ok(t, d.Turn(s.ctx))
	if got := s.names(); len(got) != 2 {
		t.Errorf("backups after the clock was set back = %v, want 2", got)
	}
}

// A backup with a time in the future does not displace the one just made.
func TestDailyBackupsAfterAWrongClock(t *testing.T) {
	s := open(t, storetest.SQLite(t))
	s.at(28, 12, 0)
	d := s.daily(1)
	s.at(28, 12, 5)
	ok(t, d.Turn(s.ctx))
	future := s.names()
	s.at(2, 12, 0)
	ok(t, d.Turn(s.ctx))
	kept := s.names()
	if len(future) != 1 || len(kept) != 1 || kept[0] == future[0] {
		t.Errorf("backups before %v, now %v, want only the one just made", future, kept)
	}
	s.at(2, 12, 1)
	ok(t, d.Turn(s.ctx))
	if got := s.names(); !slices.Equal(got, kept) {
		t.Errorf("backups a minute later = %v, want %v", got, kept)
	}
}

// A failure to remove old backups is a warning and not a failed backup.
func TestOldBackupsThatCannotBeRemoved(t *testing.T) {
	s := open(t, storetest.SQLite(t))
	var log bytes.Buffer
	logged := slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Value.String() == "backup made" {
			ok(t, os.Rename(s.dir, s.dir+".away")) // the disk disappears after the backup is made
		}
		return a
	}})
	d := backup.NewDaily(backup.DailyConfig{
		Dir: s.dir, Keep: 1, Now: s.clock.Now, Log: slog.New(logged), Installation: s.installation,
		Make: func(ctx context.Context, path string) (backup.Manifest, error) {
			return backup.Make(ctx, s.config, path)
		},
	})
	s.clock.Advance(2 * time.Minute)
	ok(t, d.Turn(s.ctx))
	if f := d.Figures(); f.Failures != 0 || !f.LastSuccess.Equal(s.clock.Now()) || !strings.Contains(log.String(), "old backups could not be removed") {
		t.Errorf("figures = %+v, want a success; log = %s, want a warning", f, log.String())
	}
}
