package server

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/backup"
	"khatm/service/internal/metric"
	"khatm/service/internal/store"
)

// Backups configures the daily backups of a server.
type Backups struct {
	Dir     string // empty disables backups
	Keep    int    // number of backups to keep
	Program string // version of this program, written to the backup
}

// backupTurn is how often the server checks whether a backup is due.
const backupTurn = time.Minute

func (b Backups) check() error {
	if b.Dir != "" && b.Keep < 1 {
		return fmt.Errorf("--backup-keep is %d; it must be at least 1", b.Keep)
	}
	return nil
}

// startBackups starts the daily backups, if configured.
func (s *Server) startBackups() {
	c := s.config
	if c.Backups.Dir == "" {
		return
	}
	var id uuid.UUID // cached
	s.backups = backup.NewDaily(backup.DailyConfig{
		Dir: c.Backups.Dir, Keep: c.Backups.Keep, Now: c.Now, Log: c.Log,
		Installation: func(ctx context.Context) (uuid.UUID, error) {
			if id != uuid.Nil {
				return id, nil
			}
			err := s.store.Snapshot(ctx, func(kept *store.Snapshot) error {
				holds, err := kept.Contents(ctx)
				id = holds.Installation
				return err
			})
			return id, err
		},
		Make: func(ctx context.Context, path string) (backup.Manifest, error) {
			return backup.Make(ctx, backup.Config{
				Store: s.store, Files: s.files.Disk, Database: c.Database, Data: c.Data, Program: c.Backups.Program, Scheduled: true, Now: c.Now,
				Pace: backup.Gentle(c.Now),
			}, path)
		},
	})
	s.metrics.watchBackups(s.backups)
	s.loops.Start("make the daily backup", backupTurn, s.backups.Turn)
}

// watchBackups registers the metrics of the daily backups.
func (m *metrics) watchBackups(d *backup.Daily) {
	seconds := func(t time.Time) float64 {
		if t.IsZero() {
			return 0
		}
		return float64(t.UnixMilli()) / 1000
	}
	for name, gauge := range map[string]struct {
		help  string
		value func(backup.Figures) float64
	}{
		"khatm_backup_last_success_timestamp_seconds": {"Unix time of the last daily backup; 0 if there is none.", func(f backup.Figures) float64 { return seconds(f.LastSuccess) }},
		"khatm_backup_last_failure_timestamp_seconds": {"Unix time of the last failed daily backup since the server started; 0 if there is none.", func(f backup.Figures) float64 { return seconds(f.LastFailure) }},
		"khatm_backup_failures":                       {"Number of daily backups that failed since the server started.", func(f backup.Figures) float64 { return float64(f.Failures) }},
		"khatm_backup_size_bytes":                     {"Size of the last daily backup made by this process; 0 if there is none.", func(f backup.Figures) float64 { return float64(f.Size) }},
		"khatm_backup_duration_seconds":               {"Duration of the last daily backup made by this process; 0 if there is none.", func(f backup.Figures) float64 { return f.Took.Seconds() }},
	} {
		m.registry.Read(metric.Gauge(name, gauge.help), func() float64 { return gauge.value(d.Figures()) })
	}
}
