package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"khatm/service/internal/store"
)

// maxManifest limits the size of a manifest, which is read into memory.
const maxManifest = 256 << 20

// contents is a backup file that has been read completely and whose digests are
// correct.
type contents struct {
	file     *os.File
	manifest Manifest
	at       map[string]int64 // offset of each entry in the file
}

// read reads a backup file and verifies all digests.
func read(ctx context.Context, file *os.File, p Pace, seen func(n int)) (*contents, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read %s: %w", file.Name(), err)
	}
	c := &contents{file: file, at: map[string]int64{}}
	in := &counted{in: file, pace: newPacer(ctx, p), seen: seen}
	found, texts, err := c.scan(tar.NewReader(in), in)
	if err != nil {
		return nil, fmt.Errorf("%s is damaged or not a backup: %w", file.Name(), err)
	}
	text, digest := texts[manifestEntry], string(texts[digestEntry])
	if text == nil || digest == "" {
		return nil, fmt.Errorf("%s is not a finished backup: it has no manifest", file.Name())
	}
	if !strings.HasPrefix(digest, fmt.Sprintf("%x ", sha256.Sum256(text))) {
		return nil, fmt.Errorf("%s is damaged: the digest of the manifest is not %.16s…", file.Name(), digest)
	}
	if c.manifest, err = parseManifest(text); err != nil {
		return nil, fmt.Errorf("%s: %w", file.Name(), err)
	}
	if err := compare(found, c.manifest); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", file.Name(), err)
	}
	return c, nil
}

// scan reads all entries and computes their digests. It returns the manifest
// and its digest separately, in texts.
func (c *contents) scan(archive *tar.Reader, in *counted) (found []Entry, texts map[string][]byte, err error) {
	texts = map[string][]byte{}
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return found, texts, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if h.Typeflag != tar.TypeReg {
			return nil, nil, fmt.Errorf("entry %q is not a file", h.Name)
		}
		if _, twice := c.at[h.Name]; twice {
			return nil, nil, fmt.Errorf("entry %q occurs twice", h.Name)
		}
		c.at[h.Name] = in.at
		hash := sha256.New()
		var out io.Writer = hash
		var text bytes.Buffer
		isText := h.Name == manifestEntry || h.Name == digestEntry
		if isText {
			if h.Size > maxManifest {
				return nil, nil, fmt.Errorf("the manifest has %d bytes, want at most %d", h.Size, maxManifest)
			}
			out = &text
		}
		if _, err := io.Copy(out, archive); err != nil {
			return nil, nil, fmt.Errorf("read entry %q: %w", h.Name, err)
		}
		if isText {
			texts[h.Name] = text.Bytes()
			continue
		}
		found = append(found, Entry{h.Name, h.Size, hex.EncodeToString(hash.Sum(nil))})
	}
}

// compare returns an error if the entries in the file differ from those in the
// manifest, or if there is no database entry.
func compare(found []Entry, m Manifest) error {
	if len(found) != len(m.Entries) {
		return fmt.Errorf("the file has %d entries, the manifest lists %d", len(found), len(m.Entries))
	}
	for i, want := range m.Entries {
		if got := found[i]; got != want {
			return fmt.Errorf("entry %q has %d bytes with digest %.16s…, the manifest says %q, %d bytes, %.16s…", got.Name, got.Size, got.SHA256, want.Name, want.Size, want.SHA256)
		}
	}
	if !slices.ContainsFunc(m.Entries, func(e Entry) bool { return e.Name == m.database() }) {
		return fmt.Errorf("the database entry %s is missing", m.database())
	}
	return nil
}

// entry returns a reader for one entry.
func (c *contents) entry(e Entry) *io.SectionReader {
	return io.NewSectionReader(c.file, c.at[e.Name], e.Size)
}

// databaseEntry returns the entry of the database.
func (c *contents) databaseEntry() Entry {
	name := c.manifest.database()
	return c.manifest.Entries[slices.IndexFunc(c.manifest.Entries, func(e Entry) bool { return e.Name == name })]
}

// verify reads a backup back and checks the digests, the structure of the
// database and its contents against the manifest.
func (c Config) verify(ctx context.Context, file *os.File, written Manifest) error {
	size := int64(0)
	for _, e := range written.Entries {
		size += e.Size
	}
	seen := c.Progress.counter(Verifying, 2*size)
	got, err := read(ctx, file, c.Pace, seen)
	if err != nil {
		return fmt.Errorf("verify the backup: %w", err)
	}
	version := 0
	if c.Database != "" {
		if version, err = c.Store.PostgresVersion(ctx); err != nil {
			return fmt.Errorf("verify the backup: %w", err)
		}
	}
	if err := got.check(ctx, version, c.Pace, seen); err != nil {
		return fmt.Errorf("verify the backup: %w", err)
	}
	return nil
}

// check verifies the database of a backup. version is the version of the
// PostgreSQL server that was backed up.
func (c *contents) check(ctx context.Context, version int, p Pace, seen func(n int)) error {
	e := c.databaseEntry()
	in := &countedAt{in: c.entry(e), pace: newPacer(ctx, p), seen: seen}
	if c.manifest.Engine == PostgreSQL {
		return checkDump(ctx, version, io.NewSectionReader(in, 0, e.Size), c.manifest.Counts.Documents)
	}
	holds, err := store.CheckCopy(ctx, in, e.Size)
	if err == nil {
		err = c.manifest.describes(holds)
	}
	return err
}

// counted is a throttled reader that counts the bytes read.
type counted struct {
	in   io.Reader
	pace *pacer
	seen func(n int)
	at   int64
}

// Read implements [io.Reader].
func (r *counted) Read(b []byte) (int, error) {
	n, err := r.in.Read(b)
	r.at += int64(n)
	r.seen(n)
	if paused := r.pace.did(n); paused != nil {
		return n, paused
	}
	return n, err
}

// countedAt is a throttled [io.ReaderAt] that counts the bytes read.
type countedAt struct {
	in   io.ReaderAt
	pace *pacer
	seen func(n int)
}

// ReadAt implements [io.ReaderAt].
func (r *countedAt) ReadAt(b []byte, at int64) (int, error) {
	n, err := r.in.ReadAt(b, at)
	r.seen(n)
	if paused := r.pace.did(n); paused != nil {
		return n, paused
	}
	return n, err
}
