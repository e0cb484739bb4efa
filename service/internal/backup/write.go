package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// tarBlock is the block size of a tar file.
const tarBlock = 512

// writer writes a backup file, a tar archive. It writes the header of an entry
// after its data, so that the size need not be known before.
type writer struct {
	file    *os.File
	out     *paced
	at      time.Time // modification time of every entry
	entries []Entry
}

func newWriter(ctx context.Context, file *os.File, p Pace, at time.Time, seen func(n int)) *writer {
	return &writer{file: file, at: at, out: &paced{file: file, disks: []string{filepath.Dir(file.Name())}, pace: newPacer(ctx, p), seen: seen}}
}

// add writes an entry with the data that fill produces.
func (w *writer) add(name string, fill func(io.Writer) error) error {
	head, err := header(name, 0, w.at)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	start := w.out.at
	w.out.at += int64(len(head))
	hash := sha256.New()
	buffered := bufio.NewWriterSize(w.out, 1<<20)
	if err := fill(io.MultiWriter(buffered, hash)); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	size := w.out.at - start - int64(len(head))
	if _, err := w.out.Write(make([]byte, (tarBlock-size%tarBlock)%tarBlock)); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if head, err = header(name, size, w.at); err == nil {
		_, err = w.file.WriteAt(head, start)
	}
	if err != nil {
		return fmt.Errorf("write the header of %s: %w", name, err)
	}
	w.entries = append(w.entries, Entry{name, size, hex.EncodeToString(hash.Sum(nil))})
	return nil
}

// header returns the header of an entry. Its length depends only on the name.
func header(name string, size int64, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	err := tar.NewWriter(&b).WriteHeader(&tar.Header{
		Format: tar.FormatGNU, Typeflag: tar.TypeReg, Name: name, Mode: 0o600, Size: size, ModTime: at.Truncate(time.Second),
	})
	return b.Bytes(), err
}

// finish writes the manifest and the end of the archive and syncs the file.
func (w *writer) finish(m *Manifest) error {
	m.Entries = w.entries
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the manifest: %w", err)
	}
	text = append(text, '\n')
	digest := fmt.Sprintf("%x  %s\n", sha256.Sum256(text), manifestEntry)
	for _, e := range []struct{ name, text string }{{manifestEntry, string(text)}, {digestEntry, digest}} {
		if err := w.add(e.name, func(out io.Writer) error { return writeAll(out, e.text) }); err != nil {
			return err
		}
	}
	if _, err := w.out.Write(make([]byte, 2*tarBlock)); err != nil {
		return fmt.Errorf("write the end of the backup: %w", err)
	}
	if err := w.file.Sync(); err != nil {
		return fmt.Errorf("sync the backup: %w", err)
	}
	return nil
}

func writeAll(out io.Writer, text string) error {
	_, err := io.WriteString(out, text)
	return err
}

// paced is a throttled writer that syncs the file in small portions.
type paced struct {
	file     *os.File
	disks    []string // folders on disks that must keep spareSpace free
	pace     *pacer
	seen     func(n int)
	at       int64
	unsynced int64
}

// Write implements [io.Writer].
func (p *paced) Write(b []byte) (int, error) {
	n, err := p.file.WriteAt(b, p.at)
	p.at += int64(n)
	p.seen(n)
	if p.unsynced += int64(n); err == nil && p.unsynced >= syncAfter {
		err = writeBack(p.file, p.at-p.unsynced, p.at)
		p.unsynced = 0
		for _, dir := range p.disks {
			err = errors.Join(err, checkSpace(dir, 0))
		}
	}
	if err == nil {
		err = p.pace.did(n)
	}
	return n, err
}
