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

// Daily makes one backup a day and keeps the newest ones.
type Daily struct {
	DailyConfig
	started time.Time

	turning sync.Mutex // locked during a turn
	failed  time.Time

	mu      sync.Mutex
	figures Figures
}

// DailyConfig configures daily backups.
type DailyConfig struct {
	Dir          string
	Keep         int
	Installation func(ctx context.Context) (uuid.UUID, error)
	Make         func(ctx context.Context, path string) (Manifest, error)
	Now          func() time.Time
	Log          *slog.Logger
}

// Figures are the statistics of the daily backups.
type Figures struct {
	LastSuccess time.Time // zero if there was none
	LastFailure time.Time // of this process; zero if there was none
	Failures    int64     // of this process
	Size        int64     // size of the last backup, in bytes
	Took        time.Duration
}

// The schedule of daily backups.
const (
	quietHour  = 3 // hour of the day in Riyadh
	afterStart = time.Minute
	afterFail  = 15 * time.Minute
	aDay       = 24 * time.Hour
)

// riyadh is a fixed zone, because the machine may lack the time zone database.
// The offset has been the same since 1950.
var riyadh = time.FixedZone("Asia/Riyadh", 3*60*60)

// NewDaily returns a Daily. Call Turn regularly to make the backups.
func NewDaily(c DailyConfig) *Daily { return &Daily{DailyConfig: c, started: c.Now()} }

// Figures returns the statistics of the daily backups.
func (d *Daily) Figures() Figures {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.figures
}

// Turn makes a backup if one is due. It must be called about once a minute.
// After a failure it returns the error and waits for afterFail before it tries
// again.
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

// within reports whether less than bound has passed. It returns false if passed
// is negative, because the clock was set back: otherwise backups would stop
// until the clock reaches the old time again.
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
	// Servers that share a database may also share the folder.
	lock := flock.New(filepath.Join(d.Dir, "khatm-daily.lock"), flock.SetPermissions(0o600))
	alone, err := lock.TryLock()
	if err != nil || !alone {
		return err // another server is making the backup
	}
	defer func() { _ = lock.Unlock() }()
	if mine, err = d.list(id); err != nil || !due(now, newest(mine, now)) {
		return err
	}
	return d.make(ctx, id, now)
}

// due reports whether a backup is due: during the quiet hour if there was none
// since it began, otherwise if the last one is older than a day.
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
		d.Log.Warn("the new backup is complete, but old backups could not be removed", "folder", d.Dir, "cause", err.Error())
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

// dailyName returns the file name of a daily backup: installation and time.
func dailyName(id uuid.UUID, at time.Time) string {
	return dailyPrefix + idPart(id) + "-" + at.UTC().Format(dailyTime) + dailySuffix
}

// idPart returns the last group of an id, which is random.
func idPart(id uuid.UUID) string {
	text := id.String()
	return text[strings.LastIndex(text, "-")+1:]
}

// made is a daily backup in the folder.
type made struct {
	path string
	at   time.Time
}

// list returns the daily backups of an installation, oldest first. It
// recognises them by their file names.
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

// newest returns the time of the newest backup, or zero if there is none. It
// ignores backups with a time in the future, which were made with a wrong clock.
func newest(all []made, now time.Time) (at time.Time) {
	for _, m := range all {
		if !m.at.After(now) {
			at = m.at
		}
	}
	return at
}

// removeOld removes all daily backups except the newest Keep and the one that
// was just made. A backup with a time in the future was made with a wrong clock
// and counts as the oldest. Only files whose manifest says that they are daily
// backups of this installation are removed.
func (d *Daily) removeOld(id uuid.UUID, now time.Time, just string) error {
	all, err := d.list(id)
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b made) int { return rank(a, now, just) - rank(b, now, just) })
	for _, m := range all[:max(0, len(all)-d.Keep)] {
		manifest, err := readManifest(m.path)
		if err != nil || !manifest.Scheduled || manifest.Installation != id {
			d.Log.Warn("an old backup was kept, because its manifest is not of a daily backup of this installation", "file", m.path)
			continue
		}
		if err := os.Remove(m.path); err != nil {
			return err
		}
		d.Log.Info("old backup removed", "file", m.path)
	}
	return nil
}

// rank returns -1 for a backup with a time in the future, 1 for the backup that
// was just made, and 0 for any other.
func rank(m made, now time.Time, just string) int {
	switch {
	case m.path == just:
		return 1
	case m.at.After(now):
		return -1
	}
	return 0
}

// removePartial removes unfinished backups of killed servers.
func (d *Daily) removePartial(id uuid.UUID) {
	left, _ := filepath.Glob(filepath.Join(d.Dir, dailyPrefix+idPart(id)+"-*"+dailySuffix+partial)) // the pattern is valid
	for _, path := range left {
		if err := os.Remove(path); err != nil {
			d.Log.Warn("an unfinished backup could not be removed", "file", path, "cause", err.Error())
		}
	}
}

// readManifest reads the manifest of a backup without verifying the other
// entries.
func readManifest(path string) (m Manifest, err error) {
	file, err := os.Open(path)
	if err != nil {
		return m, err
	}
	defer func() { _ = file.Close() }() // read only
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
