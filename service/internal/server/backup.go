package server

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"khatm/service/internal/backup"
	"khatm/service/internal/store"
)

// Backups says where a server puts a backup a day.
type Backups struct {
	Dir     string // empty: none are made
	Keep    int    // how many of them are kept
	Program string // version of this program
}

// backupTurn is how often it is looked whether a backup is due.
const backupTurn = time.Minute

func (b Backups) check() error {
	if b.Dir != "" && b.Keep < 1 {
		return fmt.Errorf("--backup-keep is %d; it must be at least 1", b.Keep)
	}
	return nil
}

// startBackups makes daily backups, if they are wanted.
func (s *Server) startBackups() {
	c := s.config
	if c.Backups.Dir == "" {
		return
	}
	var id uuid.UUID // read once
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
				Store: s.store, Files: s.files, Database: c.Database, Data: c.Data, Program: c.Backups.Program, Scheduled: true, Now: c.Now,
				Pace: backup.Gentle(c.Now),
			}, path)
		},
	})
	s.metrics.watchBackups(s.backups)
	s.loops.Start("make the daily backup", backupTurn, s.backups.Turn)
}

// watchBackups exports how the daily backups are.
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
		"khatm_backup_last_success_timestamp_seconds": {"When the last daily backup was made; 0: never.", func(f backup.Figures) float64 { return seconds(f.LastSuccess) }},
		"khatm_backup_last_failure_timestamp_seconds": {"When a daily backup last failed since the server started; 0: never.", func(f backup.Figures) float64 { return seconds(f.LastFailure) }},
		"khatm_backup_failures":                       {"Daily backups that failed since the server started.", func(f backup.Figures) float64 { return float64(f.Failures) }},
		"khatm_backup_size_bytes":                     {"Size of the last daily backup of this process; 0: none.", func(f backup.Figures) float64 { return float64(f.Size) }},
		"khatm_backup_duration_seconds":               {"How long the last daily backup of this process took; 0: none.", func(f backup.Figures) float64 { return f.Took.Seconds() }},
	} {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: gauge.help}, func() float64 { return gauge.value(d.Figures()) }))
	}
}
