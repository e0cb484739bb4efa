package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Position says where a line is.
type Position struct {
	Epoch  int
	Server string
	File   string // relative to the location of the archive
	Offset int64  // of the batch in the file
	Batch  uint64 // sequence number in the journal
	Line   int    // in the batch, from 0
}

// Place is a part of a file that has no valid batch.
type Place struct {
	File   string
	Offset int64
	Bytes  int64
	Reason string
}

// String describes the place for the operator.
func (p Place) String() string {
	return fmt.Sprintf("%s: %s at byte %d (%d bytes)", p.File, p.Reason, p.Offset, p.Bytes)
}

// Report says what was read.
type Report struct {
	Lines, Batches, Files int64

	// Torn are ends of files in a folder where a write was interrupted. They were
	// not acknowledged, unless the file was damaged later: a damaged last batch of a
	// journal looks the same, because no batch follows whose number shows the gap.
	Torn []Place

	// Damaged are parts of files that are not readable, and batches that are
	// missing. They were acknowledged.
	Damaged []Place

	// Ignored are batches that a server wrote before it noticed that the next epoch
	// had begun. They were not acknowledged.
	Ignored int64

	Unlisted int64 // number of places that the lists omit, because there are too many
}

// maxPlaces limits the memory of a report about an archive that is full of zeros.
const maxPlaces = 1000

func (r *Report) add(to *[]Place, p Place) {
	if len(*to) == maxPlaces {
		r.Unlisted++
		return
	}
	*to = append(*to, p)
}

// Read calls each for all lines of all epochs and servers, oldest epoch first, in the
// order in which each server wrote them. The line is valid only during the call. An
// error of each ends Read and is returned.
//
// Read continues after damaged parts, reports them, and returns ErrDamaged at the end.
// Interrupted writes at the end of files are skipped and reported; a write in progress
// looks the same. The same line can occur more than once.
func (a *Archive) Read(ctx context.Context, each func(Position, []byte) error) (Report, error) {
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxLines))
	if err != nil {
		return Report{}, err
	}
	defer unpacker.Close()
	all, err := a.allEnds(ctx)
	if err != nil {
		return Report{}, err
	}
	r := reader{at: a.at, each: each, unpacker: unpacker}
	err = a.journals(ctx, func(epoch int, server, folder string) error {
		r.position, r.until = Position{Epoch: epoch, Server: server}, all.end(epoch, folder)
		delete(all[epoch], folder)
		return r.journal(ctx, folder)
	})
	for _, missing := range all {
		for folder, end := range missing {
			r.position, r.seq, r.until = Position{File: folder}, 0, end
			r.complete()
		}
	}
	if err == nil && len(r.report.Damaged) > 0 {
		err = fmt.Errorf("%w: %s", ErrDamaged, r.report.Damaged[0])
	}
	return r.report, err
}

// journal reads a journal. If batches are missing in S3, it is listed once more: objects
// may have been combined while they were listed.
func (r *reader) journal(ctx context.Context, folder string) error {
	before := r.report
	r.gaps, r.within = nil, nil
	err := r.files(ctx, folder)
	if err != nil || len(r.gaps) == 0 || !r.at.atomic() {
		return err
	}
	first := r.report
	r.report, r.within = before, r.gaps
	err = r.files(ctx, folder)
	r.report.Lines += first.Lines - before.Lines
	r.report.Batches += first.Batches - before.Batches
	r.report.Files = first.Files
	r.within = nil
	return err
}

// files reads the files of a journal.
func (r *reader) files(ctx context.Context, folder string) error {
	r.seq = 0
	err := repeat(func() error {
		return r.at.files(ctx, folder, func(name string) error { return r.file(ctx, name) })
	})
	r.complete()
	return err
}

// ReadEnds calls each for the lines of the last files of all journals of the newest
// epoch that has any. The line is valid only during the call. It looks for no damage.
func (a *Archive) ReadEnds(ctx context.Context, each func(Position, []byte) error) error {
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxLines))
	if err != nil {
		return err
	}
	defer unpacker.Close()
	all, err := a.allEnds(ctx)
	if err != nil {
		return err
	}
	type journal struct {
		epoch          int
		server, folder string
	}
	var newest []journal
	err = a.journals(ctx, func(epoch int, server, folder string) error {
		if len(newest) > 0 && newest[0].epoch != epoch {
			newest = nil
		}
		newest = append(newest, journal{epoch, server, folder})
		return nil
	})
	if err != nil {
		return err
	}
	for _, j := range newest {
		r := reader{at: a.at, each: each, unpacker: unpacker, position: Position{Epoch: j.epoch, Server: j.server}, until: all.end(j.epoch, j.folder)}
		if err := repeat(func() error { return r.end(ctx, j.folder) }); err != nil {
			return err
		}
	}
	return nil
}

// repeat calls read again if an object that was listed does not exist any more,
// because it was combined with others. Lines can occur more than once.
func repeat(read func() error) (err error) {
	for range 20 {
		if err = read(); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

// end reads the last files of a journal: more than one, because changes are not
// archived in strict order, and many if each has one batch only. Files that have no
// batch do not count, because a server that was killed several times leaves several.
func (r *reader) end(ctx context.Context, folder string) error {
	wanted, listed := 2, math.MaxInt
	if r.at.atomic() {
		wanted, listed = 50, 50
	}
	names, err := r.at.last(ctx, folder, listed)
	if err != nil {
		return err
	}
	for _, name := range slices.Backward(names) {
		before := r.report.Batches
		r.seq = 0
		if err := r.file(ctx, name); err != nil {
			return err
		}
		if r.report.Batches > before {
			wanted--
		}
		if wanted == 0 {
			break
		}
	}
	return nil
}

// journals calls each for the journals of all epochs and servers.
func (a *Archive) journals(ctx context.Context, each func(epoch int, server, folder string) error) error {
	epochs, err := a.at.list(ctx, "journal")
	if err != nil {
		return fmt.Errorf("list the archive: %w", err)
	}
	for _, name := range epochs {
		epoch, err := strconv.Atoi(name)
		if err != nil || epochName(epoch) != name {
			return fmt.Errorf("%w: journal/%s is not an epoch", ErrDamaged, name)
		}
		servers, err := a.at.list(ctx, path.Join("journal", name))
		if err != nil {
			return fmt.Errorf("list the archive: %w", err)
		}
		for _, server := range servers {
			if err := each(epoch, server, journalFolder(epoch, server)); err != nil {
				return err
			}
		}
	}
	return nil
}

func journalFolder(epoch int, server string) string {
	return path.Join("journal", epochName(epoch), server)
}

// extension ends the names of all files with batches.
const extension = ".jsonl.zst"

// reader reads the files of a journal one after the other.
type reader struct {
	at       location
	each     func(Position, []byte) error
	unpacker *zstd.Decoder
	position Position
	seq      uint64      // of the last batch
	until    *journalEnd // end of the journal; nil if everything is valid
	gaps     []gap       // batches that are missing
	within   []gap       // read only batches in these gaps, unless it is empty
	lines    []byte
	report   Report
}

// gap is between two batches.
type gap struct{ after, before uint64 }

func (r *reader) wanted(seq uint64) bool {
	return len(r.within) == 0 || slices.ContainsFunc(r.within, func(g gap) bool { return seq > g.after && seq < g.before })
}

func (r *reader) file(ctx context.Context, name string) error {
	f, err := r.at.open(ctx, name)
	if err != nil {
		return fmt.Errorf("open %s: %w", name, err)
	}
	defer f.Close() //nolint:errcheck // read only
	r.report.Files++
	r.position.File = name
	s := scanner{from: f}
	for first := true; ; first = false {
		if err := ctx.Err(); err != nil {
			return err
		}
		found, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		switch valid := r.until.includes(name, found, r.at.atomic()); {
		case found.batch == nil && (valid || found.last && found.whole || r.at.atomic()):
			r.skipped(found)
			continue
		case !valid:
			if found.batch != nil {
				r.report.Ignored++
			}
			continue
		}
		if r.at.atomic() && found.head.seq <= r.seq {
			continue // two objects overlap, because two servers combined others
		}
		r.follow(found, first)
		if !r.wanted(found.head.seq) {
			continue
		}
		if err := r.batch(found); err != nil {
			return err
		}
	}
}

// complete reports an ended journal that lacks its last batch.
func (r *reader) complete() {
	if r.until != nil && r.until.File != "" && r.seq != r.until.Batch {
		r.report.add(&r.report.Damaged, Place{
			File: r.until.File, Offset: r.until.Size,
			Reason: fmt.Sprintf("the last batch is %d, but batch %d was archived", r.seq, r.until.Batch),
		})
	}
}

// skipped reports a part of a file that is not a batch.
func (r *reader) skipped(f found) {
	p := Place{File: r.position.File, Offset: f.offset, Bytes: f.bytes}
	switch {
	case !f.last || r.at.atomic():
		p.Reason = "damaged batch"
		r.report.add(&r.report.Damaged, p)
	case f.whole:
		p.Reason = "interrupted write or damaged last batch"
		r.report.add(&r.report.Torn, p)
	default:
		p.Reason = "interrupted write"
		r.report.add(&r.report.Torn, p)
	}
}

// follow checks that a batch follows the one before. After a failed write, the first
// batch of a file has the number of the last batch before, which may have been stored
// nevertheless.
func (r *reader) follow(f found, first bool) {
	seq := f.head.seq
	if seq > r.seq+1 {
		r.gaps = append(r.gaps, gap{r.seq, seq})
	}
	if seq > r.seq+1 || seq <= r.seq && !(first && seq == r.seq) {
		r.report.add(&r.report.Damaged, Place{
			File: r.position.File, Offset: f.offset,
			Reason: fmt.Sprintf("batch %d follows batch %d, so that batches are missing or in the wrong order", seq, r.seq),
		})
	}
	r.seq = seq
}

// batch calls each for the lines of a batch.
func (r *reader) batch(f found) error {
	lines, err := r.unpacker.DecodeAll(f.batch[headSize:], r.lines[:0])
	r.lines = lines
	if err != nil || len(lines) != f.head.lines || !bytes.HasSuffix(lines, []byte("\n")) {
		r.report.add(&r.report.Damaged, Place{
			File: r.position.File, Offset: f.offset, Bytes: f.bytes,
			Reason: strings.TrimSuffix(fmt.Sprintf("batch with other content than its head says: %v", err), ": <nil>"),
		})
		return nil
	}
	r.report.Batches++
	r.position.Offset, r.position.Batch, r.position.Line = f.offset, f.head.seq, 0
	for line := range bytes.Lines(lines) {
		if err := r.each(r.position, line[:len(line)-1]); err != nil {
			return err
		}
		r.position.Line++
		r.report.Lines++
	}
	return nil
}
