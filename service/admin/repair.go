package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"khatm/service/internal/archive"
	"khatm/service/internal/store"
	"khatm/witness"
)

// Repair describes a repair of damaged documents.
type Repair struct {
	Location string // of the archive; empty for that of the servers
	Known    bool   // only documents that are known to be damaged; otherwise all are checked first
	Rate     int    // documents checked per second

	Checked func(done, total int) // progress of the check
	Read    func(lines int64)     // progress of reading the archive
}

// Repaired is the result of Repair.
type Repaired struct {
	Checked  int                `json:"checked"` // documents; 0 if only known ones were repaired
	Repaired []RepairedDocument `json:"repaired"`
	Damaged  []DamagedDocument  `json:"damaged"`           // still damaged
	Archive  string             `json:"archive,omitempty"` // damage of the archive
}

// RepairedDocument is a document of which something was repaired.
type RepairedDocument struct {
	Organisation string   `json:"organisation"`
	Invoice      string   `json:"invoice"`
	Number       string   `json:"ref_num"`
	What         []string `json:"repaired"`
}

// ErrNoArchive means that the location of the archive is not known.
var ErrNoArchive = errors.New("this installation has no archive")

// Repair finds damaged documents and replaces what is damaged by what the archive
// has, if the digests show that it is right. The server may be running.
func (a *Admin) Repair(ctx context.Context, r Repair) (done Repaired, err error) {
	done = Repaired{Repaired: []RepairedDocument{}, Damaged: []DamagedDocument{}}
	open, err := a.existingArchive(ctx, r.Location)
	if err != nil {
		return done, err
	}
	defer func() { _ = open.Close() }()
	damaged, err := a.findDamaged(ctx, r, &done)
	if err != nil || len(damaged) == 0 {
		return done, err
	}
	result, err := a.store.Repair(ctx, damaged, store.Repairing{
		By: a.by, Hash: witness.Hash,
		Read: func(each func([]byte) error) error {
			lines := int64(0)
			_, err := open.Read(ctx, func(_ archive.Position, line []byte) error {
				lines++
				r.Read(lines)
				return each(line)
			})
			if errors.Is(err, archive.ErrDamaged) {
				done.Archive, err = err.Error(), nil
			}
			return err
		},
	})
	for _, d := range result.Documents {
		done.Repaired = append(done.Repaired, RepairedDocument{d.Organisation.String(), d.Invoice.String(), d.Number, d.What})
	}
	done.Damaged = checkedOf(0, result.Remaining).Damaged
	return done, err
}

// findDamaged returns the damaged documents.
func (a *Admin) findDamaged(ctx context.Context, r Repair, done *Repaired) ([]store.DamagedDocument, error) {
	if r.Known {
		damaged, _, err := a.store.Damages(ctx, math.MaxInt32)
		return damaged, err
	}
	found, err := a.scrub(ctx, r.Rate, r.Checked)
	done.Checked = found.Documents
	return found.Damaged, err
}

// existingArchive opens the archive at a location, or that of the servers if the
// location is empty, for reading.
func (a *Admin) existingArchive(ctx context.Context, location string) (*archive.Archive, error) {
	use, err := a.store.ArchiveUse(ctx)
	if err != nil {
		return nil, err
	}
	if location = cmp.Or(location, use.Location); location == "" {
		return nil, fmt.Errorf("%w: give the location of one with --archive", ErrNoArchive)
	}
	installation, err := a.store.Installation(ctx)
	if err != nil {
		return nil, err
	}
	open, err := archive.Open(ctx, archive.Options{
		Location: location, Server: "command", Installation: installation.String(), Existing: true, Now: a.config.Now, Random: a.config.Random,
	})
	if err != nil {
		return nil, err
	}
	newest, err := open.Newest(ctx)
	if err == nil && newest.Number == 0 {
		err = fmt.Errorf("there is no archive in %s", location)
	}
	if err != nil {
		return nil, errors.Join(err, open.Close())
	}
	return open, nil
}
