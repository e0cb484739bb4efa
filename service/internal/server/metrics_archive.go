package server

import (
	"context"
	"time"

	"khatm/service/internal/archive"
	"khatm/service/internal/metric"
	"khatm/service/internal/store"
)

// watchArchive registers the metrics of the archive.
func (m *metrics) watchArchive(a *archive.Archive, kept *store.Store, now func() time.Time) {
	count := func(name, help string, read func(archive.Stats) float64) {
		m.registry.Read(metric.Counter(name, help), func() float64 { return read(a.Stats()) })
	}
	count("khatm_archive_lines_total", "Documents and changes that were written to the archive.", func(s archive.Stats) float64 { return float64(s.Lines) })
	count("khatm_archive_bytes_total", "Bytes that were written to the archive, after compression.", func(s archive.Stats) float64 { return float64(s.Bytes) })
	count("khatm_archive_failures_total", "Writes to the archive that failed.", func(s archive.Stats) float64 { return float64(s.Failures) })
	count("khatm_archive_objects_combined_total", "Objects of an archive in S3 that were combined into larger ones.", func(s archive.Stats) float64 { return float64(s.Combined) })
	m.registry.Read(metric.Gauge("khatm_archive_last_write_timestamp_seconds", "Time of the last write to the archive; 0 before the first."), func() float64 {
		at := a.Stats().LastWrite
		if at.IsZero() {
			return 0
		}
		return float64(at.Unix())
	})
	m.registry.Read(metric.Gauge("khatm_archive_behind", "1 while the archive lacks something that was committed, otherwise 0."), func() float64 {
		if kept.ArchiveBehind() != nil {
			return 1
		}
		return 0
	})
	m.registry.Collect(backlog{kept, now}.collect)
}

var (
	archiveWaiting = metric.Gauge("khatm_archive_waiting", "Documents and changes that are not in the archive yet.", "what")
	archiveAge     = metric.Gauge("khatm_archive_waiting_seconds", "Age of the oldest document that is not in the archive yet; 0 if there is none.")
)

// backlog collects the metrics of what is not in the archive yet.
type backlog struct {
	kept *store.Store
	now  func() time.Time
}

// collect leaves out values that the database does not return in time.
func (b backlog) collect(to *metric.Page) {
	ctx, cancel := context.WithTimeout(context.Background(), countTime)
	defer cancel()
	waiting, err := b.kept.ArchiveBacklog(ctx)
	if err != nil {
		return
	}
	to.Add(archiveWaiting, float64(waiting.Documents), "documents")
	to.Add(archiveWaiting, float64(waiting.Changes), "changes")
	age := 0.0
	if waiting.Documents > 0 {
		age = max(0, b.now().Sub(waiting.Oldest).Seconds())
	}
	to.Add(archiveAge, age)
}
