package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// Limits of a combined object: number of objects, whose names are kept in memory, and
// bytes, which are kept in memory too. Larger objects would need a multipart upload.
const (
	maxCombined      = 10_000
	maxCombinedBytes = 15 << 20
)

// files calls each for the objects of a journal, except those that a combined object
// replaces.
func (b *bucket) files(ctx context.Context, folder string, each func(string) error) error {
	covered := uint64(0)
	return b.each(ctx, folder, true, func(o minio.ObjectInfo) error {
		_, last, ok := batchesOf(o.Key)
		if !ok || last <= covered {
			return nil
		}
		covered = last
		return each(strings.TrimPrefix(o.Key, b.Prefix))
	})
}

// last lists the last days of a journal only.
func (b *bucket) last(ctx context.Context, folder string, most int) (names []string, err error) {
	days, err := b.list(ctx, folder)
	if err != nil {
		return nil, err
	}
	for _, day := range slices.Backward(days) {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			continue
		}
		var some []string
		err := b.files(ctx, path.Join(folder, day), func(name string) error {
			if some = append(some, name); len(some) > most {
				some = some[1:]
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		names = append(some, names...)
		if len(names) >= most {
			break
		}
	}
	return names[max(0, len(names)-most):], nil
}

// part is an object of one batch.
type part struct {
	key string
	seq uint64
}

// compact combines the objects of each day after one day and before another one. The
// last object of the journal stays: if its writer did not get the response, it stores
// the same object again, which must still fail then.
func (b *bucket) compact(ctx context.Context, folder, after, before string) (combined int, err error) {
	days, err := b.list(ctx, folder)
	if err != nil {
		return 0, err
	}
	days = slices.DeleteFunc(days, func(name string) bool { return len(name) != len(before) })
	for n, day := range days {
		if day <= after || day >= before {
			continue
		}
		c := compaction{b: b, folder: path.Join(folder, day), last: n == len(days)-1}
		if failed := c.run(ctx); failed != nil {
			err = errors.Join(err, fmt.Errorf("compact %s: %w", c.folder, failed))
		}
		combined += c.combined
	}
	return combined, err
}

// compaction combines the objects of one day.
type compaction struct {
	b      *bucket
	folder string
	last   bool // it is the last day of the journal

	covered    uint64 // last batch in combined objects
	unverified string // combined object of an earlier call that was not read yet
	next       *part  // that was listed last
	parts      []part // to be combined next
	text       []byte // their content
	combined   int    // number of objects that were combined
}

func (c *compaction) run(ctx context.Context) error {
	err := c.b.each(ctx, c.folder, false, func(o minio.ObjectInfo) error {
		first, last, ok := batchesOf(o.Key)
		if !ok {
			return nil
		}
		if err := c.addNext(ctx); err != nil {
			return err
		}
		switch {
		case last <= c.covered:
			return c.replaced(ctx, o.Key)
		case first != last:
			err := c.combine(ctx)
			c.covered, c.unverified = last, o.Key
			return err
		}
		c.next = &part{o.Key, first}
		return nil
	})
	if err == nil && !c.last {
		err = c.addNext(ctx)
	}
	if err != nil {
		return err
	}
	return c.combine(ctx)
}

func (c *compaction) addNext(ctx context.Context) error {
	if c.next == nil {
		return nil
	}
	p := *c.next
	c.next = nil
	return c.add(ctx, p)
}

// replaced removes an object that a combined one of an earlier call replaces.
func (c *compaction) replaced(ctx context.Context, key string) error {
	if c.b.Lock != "" {
		return nil
	}
	if c.unverified != "" {
		if err := c.verify(ctx, c.unverified); err != nil {
			return err
		}
		c.unverified = ""
	}
	return c.remove(ctx, key)
}

// remove removes an object that a verified one replaces. Locked objects stay.
func (c *compaction) remove(ctx context.Context, key string) error {
	if c.b.Lock != "" {
		return nil
	}
	if err := c.b.client.RemoveObject(ctx, c.b.Bucket, key, minio.RemoveObjectOptions{}); err != nil {
		return fmt.Errorf("remove %s: %w", key, err)
	}
	return nil
}

// verify checks that a combined object is readable before the objects that it
// replaces are removed.
func (c *compaction) verify(ctx context.Context, key string) error {
	first, last, _ := batchesOf(key)
	r, err := c.b.open(ctx, strings.TrimPrefix(key, c.b.Prefix))
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // read only
	s := scanner{from: r}
	for seq := first; ; seq++ {
		found, err := s.next()
		if errors.Is(err, io.EOF) && seq == last+1 {
			return nil
		}
		if err != nil || found.batch == nil || found.head.seq != seq {
			return errors.Join(fmt.Errorf("%w: %s: batch %d", ErrDamaged, key, seq), err)
		}
	}
}

// add reads an object to combine it.
func (c *compaction) add(ctx context.Context, p part) error {
	text, err := c.b.read(ctx, strings.TrimPrefix(p.key, c.b.Prefix))
	if err != nil {
		return err
	}
	if h, ok := parseHead(text); !ok || h.size() != len(text) || h.seq != p.seq || !h.verifies(text) {
		return fmt.Errorf("%w: %s", ErrDamaged, p.key)
	}
	n := len(c.parts)
	if n > 0 && (p.seq != c.parts[n-1].seq+1 || n == maxCombined || len(c.text)+len(text) > maxCombinedBytes) {
		if err := c.combine(ctx); err != nil {
			return err
		}
	}
	c.parts, c.text = append(c.parts, p), append(c.text, text...)
	return nil
}

// combine stores one object with the collected batches and reads it back.
func (c *compaction) combine(ctx context.Context) error {
	parts := c.parts
	if len(parts) < 2 {
		c.parts, c.text = nil, nil
		return nil
	}
	name := path.Join(c.folder, objectName(parts[0].seq, parts[len(parts)-1].seq))
	if err := c.b.create(ctx, name, c.text); err != nil {
		return err
	}
	if err := c.verify(ctx, name); err != nil {
		return err
	}
	c.combined += len(parts)
	c.parts, c.text = nil, nil
	for _, p := range parts {
		if err := c.remove(ctx, p.key); err != nil {
			return err
		}
	}
	return nil
}
