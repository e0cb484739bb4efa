package admin

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"khatm/service/internal/blob"
	"khatm/service/internal/continuity"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/vault"
)

// Trail is what the proof of the audit trail came to.
type Trail struct {
	Entries int64  `json:"entries"`           // that were proved
	Head    int64  `json:"head"`              // the entry that the head kept outside names; 0: there is none
	Sound   bool   `json:"sound"`             // nothing was changed, dropped, added or cut off
	Problem string `json:"problem,omitempty"` // what is wrong, and at which entry
}

// ProveTrail proves the audit trail from its first entry to its last against
// the head that is kept outside the database. An entry of the last second may
// not be linked yet; it is not part of the proof.
func (a *Admin) ProveTrail(ctx context.Context, progress func(entries int64)) (Trail, error) {
	// The head first: what is linked while we walk is beyond it.
	head, broken, err := a.openHead(ctx)
	if err != nil {
		return Trail{}, err
	}
	t := Trail{Head: head.Number}
	check := org.TrailCheck{Head: head}
	if broken == nil {
		err = a.store.WalkTrail(ctx, func(e org.Event, link org.Link) error {
			if broken = check.See(e, link); broken == nil {
				t.Entries = link.Number
				progress(link.Number)
			}
			return broken
		})
	}
	if broken == nil && err == nil {
		_, broken = check.End()
	}
	if broken != nil {
		t.Problem = broken.Error()
		return t, nil
	}
	t.Sound = err == nil
	return t, err
}

// openHead opens the head that is kept outside; broken says that what is there
// is no head of ours.
func (a *Admin) openHead(ctx context.Context) (head org.Link, broken, err error) {
	sealed, err := a.head(ctx)
	if err != nil || sealed == nil {
		return head, nil, err
	}
	whole, broken, err := a.unsealHead(ctx, sealed)
	return whole.Link, broken, err
}

// unsealHead opens a head, and returns that of a recovery instead if there was
// one since.
func (a *Admin) unsealHead(ctx context.Context, sealed []byte) (head org.TrailHead, broken, err error) {
	state, err := a.store.Continuity(ctx)
	if err != nil {
		return head, nil, err
	}
	ring, err := a.ring(ctx)
	if err != nil {
		return head, nil, err
	}
	plain, err := ring.Open(org.TrailHeadPurpose, org.TrailHeadOwner, sealed)
	if err == nil {
		head, err = org.ParseTrailHead(plain)
	}
	if err == nil {
		head, err = continuity.Head(head, state, ring.Open)
	}
	if err != nil {
		return org.TrailHead{Generation: head.Generation}, fmt.Errorf("the head kept outside the database (%s) cannot be trusted: %w", org.TrailHeadFile, err), nil
	}
	return head, nil, nil
}

// head reads the sealed head of the trail; nil if none is kept here.
func (a *Admin) head(ctx context.Context) ([]byte, error) {
	if _, err := os.Stat(filepath.Join(a.config.Data, "files")); err != nil {
		return nil, nil //nolint:nilerr // no server has kept a file here yet
	}
	files, err := a.config.files()
	if err != nil {
		return nil, err
	}
	defer files.Close() //nolint:errcheck // it was only read
	return readHead(ctx, files)
}

// headFile is where the head of the trail stands, for people.
func (c Config) headFile() string {
	return full(filepath.Join(c.Data, "files", filepath.FromSlash(org.TrailHeadFile)))
}

// maxHead is more than a sealed head has.
const maxHead = 4 << 10

func readHead(ctx context.Context, files *blob.Disk) ([]byte, error) {
	file, _, err := files.Open(ctx, org.TrailHeadFile)
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the head of the audit trail: %w", err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	return io.ReadAll(io.LimitReader(file, maxHead))
}

// replaceHead keeps the head of a recovery in place of the one in this data
// folder, which may not even open.
func (a *Admin) replaceHead(ctx context.Context, ring *vault.Ring, head org.TrailHead) error {
	if _, err := os.Stat(filepath.Join(a.config.Data, "files")); err != nil {
		return nil //nolint:nilerr // no server has kept a file here yet
	}
	sealed, err := ring.Seal(org.TrailHeadPurpose, org.TrailHeadOwner, head.Bytes())
	if err != nil {
		return err
	}
	files, err := a.config.files()
	if err != nil {
		return err
	}
	defer files.Close() //nolint:errcheck // what was put is durable by then
	_, err = files.Put(ctx, org.TrailHeadFile, bytes.NewReader(sealed), maxHead)
	return err
}

// rewrapHead moves the head of the trail to the active master key.
func (a *Admin) rewrapHead(ctx context.Context, ring *vault.Ring) (moved bool, err error) {
	before, err := a.head(ctx)
	if err != nil || before == nil {
		return false, err
	}
	after, changed, err := ring.Rewrap(org.TrailHeadPurpose, org.TrailHeadOwner, before)
	if err != nil || !changed {
		return false, err
	}
	files, err := a.config.files()
	if err != nil {
		return false, err
	}
	defer files.Close() //nolint:errcheck // what was put is durable by then
	// A server that has kept a newer head meanwhile has sealed it under the new
	// key; an older one must not take its place.
	if now, err := readHead(ctx, files); err != nil || !bytes.Equal(now, before) {
		return false, err
	}
	_, err = files.Put(ctx, org.TrailHeadFile, bytes.NewReader(after), maxHead)
	return err == nil, err
}
