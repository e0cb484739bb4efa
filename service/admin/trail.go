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

// Trail is the result of ProveTrail.
type Trail struct {
	Entries int64  `json:"entries"`           // number of valid entries
	Head    int64  `json:"head"`              // entry of the head outside the database; 0 if there is no head
	Sound   bool   `json:"sound"`             // nothing was changed, removed, inserted or cut off
	Problem string `json:"problem,omitempty"` // what is wrong, and at which entry
}

// ProveTrail verifies the audit trail from its first to its last entry and
// compares it with the head that is stored outside the database. Entries of the
// last second may not be linked yet; they are left out.
func (a *Admin) ProveTrail(ctx context.Context, progress func(entries int64)) (Trail, error) {
	// Read the head before the trail: entries that are linked meanwhile are after
	// the head.
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

// openHead decrypts the head that is stored outside the database. broken is not nil
// if it is not a valid head of this installation.
func (a *Admin) openHead(ctx context.Context) (head org.Link, broken, err error) {
	sealed, err := a.head(ctx)
	if err != nil || sealed == nil {
		return head, nil, err
	}
	whole, broken, err := a.unsealHead(ctx, sealed)
	return whole.Link, broken, err
}

// unsealHead decrypts a head. If there was a recovery since, it returns the head of
// the recovery instead.
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
		return org.TrailHead{Generation: head.Generation}, fmt.Errorf("the head stored outside the database (%s) cannot be trusted: %w", org.TrailHeadFile, err), nil
	}
	return head, nil, nil
}

// head reads the encrypted head of the trail. It returns nil if the data folder has
// none.
func (a *Admin) head(ctx context.Context) ([]byte, error) {
	if _, err := os.Stat(filepath.Join(a.config.Data, "files")); err != nil {
		return nil, nil //nolint:nilerr // no server has stored a file here yet
	}
	files, err := a.config.files()
	if err != nil {
		return nil, err
	}
	defer files.Close() //nolint:errcheck // read only
	return readHead(ctx, files)
}

// headFile returns the path of the head of the trail, for messages.
func (c Config) headFile() string {
	return full(filepath.Join(c.Data, "files", filepath.FromSlash(org.TrailHeadFile)))
}

// maxHead is an upper limit for the size of an encrypted head.
const maxHead = 4 << 10

func readHead(ctx context.Context, files *blob.Disk) ([]byte, error) {
	file, _, err := files.Open(ctx, org.TrailHeadFile)
	if fault.KindOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the head of the audit trail: %w", err)
	}
	defer file.Close() //nolint:errcheck // read only
	return io.ReadAll(io.LimitReader(file, maxHead))
}

// replaceHead stores the head of a recovery in place of the one in the data
// folder, which may be invalid.
func (a *Admin) replaceHead(ctx context.Context, ring *vault.Ring, head org.TrailHead) error {
	if _, err := os.Stat(filepath.Join(a.config.Data, "files")); err != nil {
		return nil //nolint:nilerr // no server has stored a file here yet
	}
	sealed, err := ring.Seal(org.TrailHeadPurpose, org.TrailHeadOwner, head.Bytes())
	if err != nil {
		return err
	}
	files, err := a.config.files()
	if err != nil {
		return err
	}
	defer files.Close() //nolint:errcheck // Put has synced the file
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
	defer files.Close() //nolint:errcheck // Put has synced the file
	// A running server may have stored a newer head under the new key meanwhile,
	// which this older one must not replace.
	if now, err := readHead(ctx, files); err != nil || !bytes.Equal(now, before) {
		return false, err
	}
	_, err = files.Put(ctx, org.TrailHeadFile, bytes.NewReader(after), maxHead)
	return err == nil, err
}
