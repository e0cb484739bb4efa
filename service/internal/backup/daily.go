package backup

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/uuid"
)

// Daily makes a backup a day and keeps the newest of them.
type Daily struct {
	DailyConfig
	started time.Time

	turning sync.Mutex // held during a turn
	failed  time.Time

	mu      sync.Mutex
	figures Figures
}

// DailyConfig says where daily backups go, and how one is made.
type DailyConfig struct {
	Dir          string
	Keep         int
	Installation func(ctx context.Context) (uuid.UUID, error)
	Make         func(ctx context.Context, path string) (Manifest, error)
	Now          func() time.Time
	Log          *slog.Logger
}

// Figures are what is known of the daily backups.
type Figures struct {
	LastSuccess time.Time // zero: never
	LastFailure time.Time // of this process; zero: never
	Failures    int64     // of this process
	Size        int64     // of the last one, in bytes
	Took        time.Duration
}

// Times of the daily backup.
const (
	quietHour  = 3 // in Riyadh
	afterStart = time.Minute
	afterFail  = 15 * time.Minute
	aDay       = 24 * time.Hour
)

// riyadh has had the same offset since 1950; the machine may lack the zone.
var riyadh = time.FixedZone("Asia/Riyadh", 3*60*60)

// NewDaily returns daily backups that have not begun. Turn begins them.
func NewDaily(c DailyConfig) *Daily { return &Daily{DailyConfig: c, started: c.Now()} }

// Figures returns what is known of the daily backups.
func (d *Daily) Figures() Figures {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.figures
}

// Turn makes a backup if one is due. It is called every minute or so. A failure
// is logged, and the backup tried again a while later.
func (d *Daily) Turn(ctx context.Context) error {
	d.turning.Lock()
	defer d.turning.Unlock()
	now := d.Now()
	if within(now.Sub(d.started), afterStart) || within(now.Sub(d.failed), afterFail) {
		return nil
	}
	err := d.turn(ctx, now)
	if err == nil || ctx.Err() != nil {
		return nil
	}
	d.failed = now
	d.note(func(f *Figures) { f.LastFailure, f.Failures = now, f.Failures+1 })
	return fmt.Errorf("back up into %s: %w; the next attempt is in %s", d.Dir, err, afterFail)
}

// within reports whether less than a time has passed. After a clock was set back
// it has not: nothing waits for the clock to come there again.
func within(passed, bound time.Duration) bool { return passed >= 0 && passed < bound }

func (d *Daily) turn(ctx context.Context, now time.Time) error {
	id, err := d.Installation(ctx)
	if err != nil {
		return err
	}
	mine, err := d.list(id)
	if err != nil {
		return err
	}
	last := newest(mine, now)
	d.note(func(f *Figures) { f.LastSuccess = last })
	if !due(now, last) {
		return nil
	}
	// Servers that share a database may share the folder too.
	lock := flock.New(filepath.Join(d.Dir, "khatm-daily.lock"), flock.SetPermissions(0o600))
	alone, err := lock.TryLock()
	if err != nil || !alone {
		return err // the other makes one
	}
	defer func() { _ = lock.Unlock() }()
	if mine, err = d.list(id); err != nil || !due(now, newest(mine, now)) {
		return err
	}
	return d.make(ctx, id, now)
}

// due reports whether a backup is due: in the quiet hour if there was none
// since it began, and otherwise if the last one is older than a day.
func due(now, last time.Time) bool {
	here := now.In(riyadh)
	quiet := time.Date(here.Year(), here.Month(), here.Day(), quietHour, 0, 0, 0, riyadh)
	return here.Hour() == quietHour && last.Before(quiet) || now.Sub(last) > aDay
}

func (d *Daily) make(ctx context.Context, id uuid.UUID, now time.Time) error {
	d.removePartial(id)
	began := d.Now()
	path := filepath.Join(d.Dir, dailyName(id, now))
	m, err := d.Make(ctx, path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	took := d.Now().Sub(began)
	d.note(func(f *Figures) { f.LastSuccess, f.Size, f.Took = now, info.Size(), took })
	d.Log.Info("backup made", "file", path, "documents", m.Counts.Documents, "bytes", info.Size(), "seconds", took.Seconds())
	if err := d.removeOld(id, now, path); err != nil {
		d.Log.Warn("old backups cannot be removed; the new one is made", "folder", d.Dir, "cause", err.Error())
	}
	return nil
}

func (d *Daily) note(change func(*Figures)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(&d.figures)
}

const (
	dailyPrefix = "khatm-daily-"
	dailySuffix = ".tar"
	dailyTime   = "20060102T150405Z"
)

// dailyName names a daily backup by its installation and time.
func dailyName(id uuid.UUID, at time.Time) string {
	return dailyPrefix + idPart(id) + "-" + at.UTC().Format(dailyTime) + dailySuffix
}

// idPart is the random end of an id.
func idPart(id uuid.UUID) string {
	text := id.String()
	return text[strings.LastIndex(text, "-")+1:]
}

// made is a daily backup in the folder.
type made struct {
	path string
	at   time.Time
}

// list returns the daily backups of an installation by their names, the oldest
// first.
func (d *Daily) list(id uuid.UUID) ([]made, error) {
	entries, err := os.ReadDir(d.Dir)
	if err != nil {
		return nil, err
	}
	name := regexp.MustCompile(`^` + dailyPrefix + idPart(id) + `-(\d{8}T\d{6}Z)\` + dailySuffix + `$`)
	var found []made
	for _, e := range entries {
		parts := name.FindStringSubmatch(e.Name())
		if parts == nil || !e.Type().IsRegular() {
			continue
		}
		if at, err := time.Parse(dailyTime, parts[1]); err == nil {
			found = append(found, made{filepath.Join(d.Dir, e.Name()), at})
		}
	}
	slices.SortFunc(found, func(a, b made) int { return a.at.Compare(b.at) })
	return found, nil
}

// newest returns the time of the newest backup; zero without one. One of the
// future was named by a wrong clock and does not count.
func newest(all []made, now time.Time) (at time.Time) {
	for _, m := range all {
		if !m.at.After(now) {
			at = m.at
		}
	}
	return at
}

// removeOld removes the oldest daily backups but the newest Keep, and never the
// one that was just made. A backup named later than now comes from a wrong clock
// and counts as the oldest. The manifest must say that a file is a daily backup
// of this installation: nothing else is removed.
func (d *Daily) removeOld(id uuid.UUID, now time.Time, just string) error {
	all, err := d.list(id)
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b made) int { return rank(a, now, just) - rank(b, now, just) })
	for _, m := range all[:max(0, len(all)-d.Keep)] {
		manifest, err := readManifest(m.path)
		if err != nil || !manifest.Scheduled || manifest.Installation != id {
			d.Log.Warn("an old backup is kept, because it is not known to be a daily one", "file", m.path)
			continue
		}
		if err := os.Remove(m.path); err != nil {
			return err
		}
		d.Log.Info("old backup removed", "file", m.path)
	}
	return nil
}

// rank orders backups of wrong clocks before all others, and the one that was
// just made behind them.
func rank(m made, now time.Time, just string) int {
	switch {
	case m.path == just:
		return 1
	case m.at.After(now):
		return -1
	}
	return 0
}

// removePartial removes what a killed server left unfinished.
func (d *Daily) removePartial(id uuid.UUID) {
	left, _ := filepath.Glob(filepath.Join(d.Dir, dailyPrefix+idPart(id)+"-*"+dailySuffix+partial)) // the pattern is right
	for _, path := range left {
		if err := os.Remove(path); err != nil {
			d.Log.Warn("an unfinished backup cannot be removed", "file", path, "cause", err.Error())
		}
	}
}

// readManifest reads the manifest of a backup without verifying the rest.
func readManifest(path string) (m Manifest, err error) {
	file, err := os.Open(path)
	if err != nil {
		return m, err
	}
	defer func() { _ = file.Close() }() // was only read
	for archive := tar.NewReader(file); ; {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return m, fmt.Errorf("%s is not a finished backup: it has no manifest", path)
		}
		if err != nil {
			return m, fmt.Errorf("read %s: %w", path, err)
		}
		if head.Name != manifestEntry {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(archive, maxManifest))
		if err != nil {
			return m, fmt.Errorf("read the manifest of %s: %w", path, err)
		}
		return parseManifest(text)
	}
}
