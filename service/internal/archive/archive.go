// Package archive keeps a second, durable copy of what an installation issues,
// outside its database: an append-only journal of JSON lines in a folder or in an
// S3 bucket. It does not know what the lines contain. docs/archive.md describes the
// format.
//
// The history of an archive is divided into epochs. Servers that share a database
// write in the same epoch, each its own journal. A recovery begins the next epoch,
// after which no server can write in an earlier one.
package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Options configures an archive.
type Options struct {
	// Location is a folder, which is created if its parent exists, or an address
	// such as s3://bucket/prefix?endpoint=https://host&region=me-central-1.
	Location string

	// Server names the journal of this server: letters a-z, digits, dots, hyphens
	// and underscores, at most 64. Two processes cannot write as the same server.
	Server string

	// Installation identifies the data that is archived. An archive holds that of
	// one installation.
	Installation string

	// Existing requires that the archive exists, so that Open creates nothing.
	Existing bool

	Now    func() time.Time
	Random io.Reader // distinguishes epochs that two servers try to begin at once

	// FileSize is the size at which a file in a folder is complete and the next one
	// begins. The default is 64 MiB.
	FileSize int64
}

// Errors that callers distinguish.
var (
	// ErrSuperseded means that a newer epoch exists. The server must not issue
	// documents any more: another one has taken over.
	ErrSuperseded = errors.New("another server has taken over: the archive has a newer epoch")

	// ErrCopied means that another server writes in the same epoch with a copy of the
	// database. No server with either of them may issue documents until one has taken
	// over.
	ErrCopied = errors.New("another server writes to the archive with a copy of this database")

	// ErrForeign means that the archive belongs to another installation.
	ErrForeign = errors.New("the archive belongs to another installation")

	// ErrDamaged means that acknowledged data of the archive is damaged or missing.
	// The report of [Archive.Read] says where.
	ErrDamaged = errors.New("the archive is damaged")

	// ErrClosed is returned by calls after [Archive.Close].
	ErrClosed = errors.New("the archive is closed")

	// ErrInvalid means that the arguments of a call are wrong, so that repeating it
	// is useless.
	ErrInvalid = errors.New("invalid use of the archive")
)

// Archive is an open archive. It is safe for concurrent use.
type Archive struct {
	at     location
	server string
	owner  string // the installation
	now    func() time.Time
	random io.Reader
	packer *zstd.Encoder

	live   context.Context // of all writes; cancelled by Close
	cancel context.CancelFunc
	writer sync.WaitGroup // the goroutine that writes, if there is one
	packed []byte         // memory of that goroutine for a batch

	mu      sync.Mutex
	epoch   int
	journal journal  // nil before Begin or Join
	waiting []*group // of callers of Append, in the order in which they are written
	spare   []byte   // memory for the lines of a group
	writing bool
	reached journalPosition // last batch that was acknowledged
	ended   error           // why nothing can be written any more
	stats   Stats
}

// location is a folder or a bucket. Names are relative to it and have slashes.
type location interface {
	// create stores a small file and returns an error that wraps fs.ErrExist if
	// there is a different one.
	create(ctx context.Context, name string, text []byte) error
	// replace stores a small file that is allowed to be lost.
	replace(ctx context.Context, name string, text []byte) error
	// read returns a small file, or an error that wraps fs.ErrNotExist.
	read(ctx context.Context, name string) ([]byte, error)
	exists(ctx context.Context, name string) (bool, error)
	// modified returns when each file of a folder was stored, by the clock of the location,
	// and the time of this clock now.
	modified(ctx context.Context, folder string) (map[string]time.Time, time.Time, error)
	// list returns the names of the entries of a folder, in order.
	list(ctx context.Context, folder string) ([]string, error)

	// journal opens the journal in a folder for writing.
	journal(ctx context.Context, folder string) (journal, error)
	// files calls each for the files of a journal, in the order of their batches.
	files(ctx context.Context, folder string, each func(name string) error) error
	open(ctx context.Context, name string) (io.ReadCloser, error)
	// last returns the names of at most so many last files of a journal, in the order of
	// their batches.
	last(ctx context.Context, folder string, most int) ([]string, error)
	// settle makes everything durable that can be read from a journal.
	settle(ctx context.Context, folder string) error
	// atomic reports whether a file is stored completely or not at all.
	atomic() bool
	// compact combines the files of the days between two days, and returns how many
	// it combined.
	compact(ctx context.Context, folder, after, before string) (int, error)
}

// journal is the journal of one server and epoch, open for writing.
type journal interface {
	// write makes a batch durable and returns the number of bytes.
	write(ctx context.Context, p packed) (int, error)
	// position returns the last batch that is durable.
	position() journalPosition
	close() error
}

// journalPosition is the last batch of a journal.
type journalPosition struct {
	folder string
	batch  uint64
}

var serverName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// Open opens the archive at a folder or an s3:// address. It can be read at once, and
// written after Begin or Join.
func Open(ctx context.Context, o Options) (*Archive, error) {
	if !serverName.MatchString(o.Server) {
		return nil, fmt.Errorf("%w: server name %q", ErrInvalid, o.Server)
	}
	at, err := openLocation(ctx, o)
	if err != nil {
		return nil, err
	}
	// Higher levels need several times the CPU for a tenth of the size.
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	live, cancel := context.WithCancel(context.WithoutCancel(ctx))
	return &Archive{at: at, server: o.Server, owner: o.Installation, now: o.Now, random: o.Random, packer: packer, live: live, cancel: cancel}, nil
}

func openLocation(ctx context.Context, o Options) (location, error) {
	if IsBucket(o.Location) {
		return openBucket(ctx, o.Location, o.Now)
	}
	if _, err := os.Stat(o.Location); o.Existing && err != nil {
		return nil, fmt.Errorf("open the archive: %w", err)
	}
	return openFolder(o.Location, o.FileSize)
}

// Close ends the calls in progress, with ErrClosed if their lines are not written
// yet, and releases the journal.
func (a *Archive) Close() error {
	a.mu.Lock()
	a.ended = ErrClosed
	a.mu.Unlock()
	a.writer.Wait()
	a.cancel()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.journal == nil {
		return nil
	}
	defer func() { a.journal = nil }()
	return a.journal.close()
}

// dayEnds is how long after midnight a day is complete. Clocks differ.
const dayEnds = time.Hour

// LastDay returns the last day that is complete at a time, as YYYY-MM-DD in UTC.
func LastDay(now time.Time) string {
	return now.Add(-dayEnds).UTC().AddDate(0, 0, -1).Format(time.DateOnly)
}

// Compact combines the objects that an archive in S3 got on the complete days after a
// day, which is empty for all, into few large ones. It returns the last of these days.
// It does not delay writes, and can be interrupted and repeated. One server at a time
// should call it. It changes nothing in a folder.
func (a *Archive) Compact(ctx context.Context, after string) (through string, err error) {
	through = LastDay(a.now())
	before := a.now().Add(-dayEnds).UTC().Format(time.DateOnly)
	var failed error // the other journals are compacted nevertheless
	err = a.journals(ctx, func(_ int, _, folder string) error {
		combined, err := a.at.compact(ctx, folder, after, before)
		failed = errors.Join(failed, err)
		a.mu.Lock()
		a.stats.Combined += int64(combined)
		a.mu.Unlock()
		return ctx.Err()
	})
	return through, errors.Join(err, failed)
}

// Stats are figures of this process, for metrics.
type Stats struct {
	Batches, Lines, Bytes int64     // written, after compression
	LastWrite             time.Time // zero before the first write
	Failures              int64     // writes that failed
	Combined              int64     // objects that were combined into larger ones
	LastFailure           time.Time
	Ended                 error // why nothing can be written any more, or nil
}

// Stats returns the figures since Open.
func (a *Archive) Stats() Stats {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.stats
	s.Ended = a.ended
	return s
}
