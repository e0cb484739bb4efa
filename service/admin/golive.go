package admin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/uuid"

	"khatm/service/internal/blob"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
)

// Move describes what GoLive copies, and into which environment.
type Move struct {
	Organisation string // id; empty if the installation has only one organisation
	Environment  string // environment of the new installation
	Progress     func(records int)
}

// Moved is the result of GoLive.
type Moved struct {
	Organisation Organisation `json:"organisation"`
	Environment  string       `json:"environment"`
	Records      []MovedKind  `json:"records"`
	MissingFiles int          `json:"missing_files"` // pictures that the old installation has lost
}

// MovedKind counts the records of one kind.
type MovedKind struct {
	Kind    string `json:"kind"`
	Copied  int    `json:"copied"`
	Present int    `json:"present"` // were in the new installation and stay as they are
}

// GoLive copies an organisation with its logo, branches, reasons, clients, items
// and members into the installation to, which belongs to another environment of
// the authority and has no documents. Records keep their ids. What the new
// installation already has stays unchanged, so that GoLive can be repeated.
func (a *Admin) GoLive(ctx context.Context, to Config, m Move) (Moved, error) {
	o, err := a.moving(ctx, m.Organisation)
	if err != nil {
		return Moved{}, err
	}
	if err := a.otherEnvironment(ctx, m.Environment); err != nil {
		return Moved{}, err
	}
	if a.config.samePlace(to) {
		return Moved{}, errSameInstallation
	}
	if blob.SameLocation(a.config.Blob, to.Blob) {
		return Moved{}, errSameFiles
	}
	to.Create = true
	target, err := Open(ctx, to)
	if err != nil {
		return Moved{}, fmt.Errorf("open the new installation: %w", err)
	}
	defer target.Close()
	if err := a.canMoveTo(ctx, target, o, m.Environment); err != nil {
		return Moved{}, err
	}
	c := &copying{ctx: ctx, from: a, to: target, of: org.TenantOf(o.ID), by: target.by(org.TenantOf(o.ID)), progress: m.Progress}
	err = c.all(o)
	return Moved{Organisation: organisationOf(o), Environment: m.Environment, Records: c.kinds, MissingFiles: c.missing}, err
}

// moving returns the organisation to copy.
func (a *Admin) moving(ctx context.Context, id string) (org.Organisation, error) {
	if id != "" {
		return a.find(ctx, id)
	}
	some, err := a.store.Organisations(ctx, uuid.Nil, 2)
	if err != nil {
		return org.Organisation{}, err
	}
	if len(some) != 1 {
		return org.Organisation{}, errors.New("choose the organisation to copy with --org; see khatm org list")
	}
	return some[0], nil
}

// otherEnvironment returns an error if this installation belongs to the
// environment.
func (a *Admin) otherEnvironment(ctx context.Context, e string) error {
	if !slices.Contains(device.Environments(), device.Environment(e)) {
		return fmt.Errorf("%q is not an environment of the authority", e)
	}
	kept, err := a.store.Environment(ctx)
	if err == nil && string(kept) == e {
		err = fmt.Errorf("the installation in %s already belongs to the authority's %s environment: copy it into another one", a.config.place(), e)
	}
	return err
}

var errSameInstallation = errors.New("the new installation must be another one: choose an empty folder with --to, and for PostgreSQL also an empty database with KHATM_TO_DATABASE")

var errSameFiles = errors.New("the new installation must have its own place for uploaded files, because it would lose pictures that are removed in the old one: choose another bucket or prefix with KHATM_TO_BLOB")

// samePlace reports whether two configurations have the same database.
func (c Config) samePlace(other Config) bool {
	if c.Database != "" || other.Database != "" {
		return c.Database == other.Database
	}
	mine, err := os.Stat(filepath.Join(c.Data, embedded))
	if err != nil {
		return false
	}
	theirs, err := os.Stat(filepath.Join(other.Data, embedded))
	return err == nil && os.SameFile(mine, theirs)
}

// canMoveTo checks the new installation and assigns it to the environment.
func (a *Admin) canMoveTo(ctx context.Context, target *Admin, o org.Organisation, e string) error {
	mine, err := a.store.Installation(ctx)
	if err != nil {
		return err
	}
	theirs, err := target.store.Installation(ctx)
	if err != nil {
		return err
	}
	if mine == theirs { // the same database, or a copy of it
		return errSameInstallation
	}
	issued, err := target.store.CountDocuments(ctx)
	if err != nil {
		return err
	}
	if issued > 0 {
		return fmt.Errorf("the new installation has issued %d documents: records can only be copied before the first one", issued)
	}
	plans, err := target.store.Plans(ctx)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(plans, func(p org.Plan) bool { return p.Slug == o.Plan }) {
		return fmt.Errorf("the new installation has no plan %q: put the organisation on one of its plans with khatm org plan", o.Plan)
	}
	err = target.store.ChooseEnvironment(ctx, target.by(org.Tenant{}), device.Environment(e))
	if fault.KindOf(err) == fault.Conflict {
		return fmt.Errorf("the new installation cannot be used for %s: %w", e, err)
	}
	return err
}

// organisationIn reports whether an installation has an organisation.
func organisationIn(ctx context.Context, s *store.Store, of org.Tenant) (bool, error) {
	_, err := s.Organisation(ctx, of)
	if fault.KindOf(err) == fault.NotFound {
		return false, nil
	}
	return err == nil, err
}
