package admin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/blob"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/vault"
)

// copiedTogether is the number of records that are written in one transaction.
const copiedTogether = 200

// copying is the state of one GoLive.
type copying struct {
	ctx      context.Context
	from, to *Admin
	of       org.Tenant
	by       org.Actor // the operator, in the new installation
	files    [2]*blob.Files
	kinds    []MovedKind
	missing  int
	records  int
	progress func(records int)
	open     *vault.Ring // of the old installation, loaded when a secret is copied
	seal     *vault.Ring // of the new one
}

// all copies everything in an order in which no record refers to a later one.
func (c *copying) all(o org.Organisation) (err error) {
	if err := os.MkdirAll(c.to.config.Data, 0o700); err != nil {
		return err
	}
	for n, a := range []*Admin{c.from, c.to} {
		if c.files[n], err = a.files(c.ctx); err != nil {
			return err
		}
		defer c.files[n].Close() //nolint:errcheck // Put has synced the files
	}
	for _, step := range []func() error{
		func() error { return c.organisation(o) },
		c.branches, c.reasons, c.clients, c.items, c.members,
	} {
		if err := step(); err != nil {
			return fmt.Errorf("%w; run the command again to continue", err)
		}
	}
	return nil
}

// count adds the records of a kind that were read and those that were new.
func (c *copying) count(kind string, read, added int) {
	n := slices.IndexFunc(c.kinds, func(k MovedKind) bool { return k.Kind == kind })
	if n < 0 {
		n, c.kinds = len(c.kinds), append(c.kinds, MovedKind{Kind: kind})
	}
	c.kinds[n].Copied += added
	c.kinds[n].Present += read - added
	c.records += read
	if c.progress != nil {
		c.progress(c.records)
	}
}

func (c *copying) organisation(o org.Organisation) error {
	known, err := organisationIn(c.ctx, c.to.store, c.of)
	if err != nil || known {
		c.count("organisations", 1, 0)
		return err
	}
	if o.Logo, err = c.file(o.Logo); err != nil {
		return err
	}
	if err := c.to.store.AddOrganisation(c.ctx, c.to.by(org.Tenant{}), o); err != nil {
		return err
	}
	c.count("organisations", 1, 1)
	return nil
}

func (c *copying) branches() error {
	return copyAll(c, "branches", c.from.store.Branches, c.to.store.Branches, func(b org.Branch) uuid.UUID { return b.ID }, c.to.store.AddBranch)
}

func (c *copying) reasons() error {
	return copyAll(c, "reasons", c.from.store.Reasons, c.to.store.Reasons, func(r trade.Reason) uuid.UUID { return r.ID }, c.to.store.AddReason)
}

// copyAll copies records of which an organisation has few.
func copyAll[T any](c *copying, kind string, read, present func(context.Context, org.Tenant) ([]T, error), id func(T) uuid.UUID,
	add func(context.Context, org.Actor, T) error,
) error {
	rows, err := read(c.ctx, c.of)
	if err != nil {
		return err
	}
	kept, err := present(c.ctx, c.of)
	if err != nil {
		return err
	}
	known := map[uuid.UUID]bool{}
	for _, one := range kept {
		known[id(one)] = true
	}
	c.count(kind, 0, 0)
	for _, one := range rows {
		if known[id(one)] {
			c.count(kind, 1, 0)
			continue
		}
		if err := add(c.ctx, c.by, one); err != nil {
			return fmt.Errorf("copy %s: %w", kind, err)
		}
		c.count(kind, 1, 1)
	}
	return nil
}

func (c *copying) clients() error {
	return copyPages(c, "clients", c.from.store.ClientsAfter, func(b trade.Client) uuid.UUID { return b.ID }, func(b *trade.Client) (err error) {
		b.Logo, err = c.file(b.Logo)
		return err
	}, c.to.store.TakeClients)
}

func (c *copying) items() error {
	return copyPages(c, "items", c.from.store.ItemsAfter, func(i trade.Item) uuid.UUID { return i.ID }, func(i *trade.Item) error {
		var images []trade.Image
		for _, image := range i.Images {
			key, err := c.file(image.Key)
			if err != nil {
				return err
			}
			if key != "" {
				images = append(images, image)
			}
		}
		i.Images = images
		return nil
	}, c.to.store.TakeItems)
}

// copyPages copies records of which an organisation may have many, oldest first,
// so that the lists of the new installation have the same order.
func copyPages[T any](c *copying, kind string, read func(context.Context, org.Tenant, uuid.UUID, int) ([]T, error), id func(T) uuid.UUID,
	files func(*T) error, take func(context.Context, org.Actor, []T) (int, error),
) error {
	c.count(kind, 0, 0)
	for after := uuid.Nil; ; {
		rows, err := read(c.ctx, c.of, after, copiedTogether)
		if err != nil || len(rows) == 0 {
			return err
		}
		for n := range rows {
			if err := files(&rows[n]); err != nil {
				return err
			}
		}
		added, err := take(c.ctx, c.by, rows)
		if err != nil {
			return fmt.Errorf("copy %s: %w", kind, err)
		}
		c.count(kind, len(rows), added)
		after = id(rows[len(rows)-1])
	}
}

// file copies a file unless it is there, and returns its key. A file that the old
// installation has lost is counted, and "" returned.
func (c *copying) file(key string) (string, error) {
	if key == "" {
		return "", nil
	}
	if there, _, err := c.files[1].Open(c.ctx, key); err == nil {
		return key, there.Close()
	}
	from, size, err := c.files[0].Open(c.ctx, key)
	if fault.KindOf(err) == fault.NotFound {
		c.missing++
		return "", nil
	}
	if err != nil {
		return "", err
	}
	_, err = c.files[1].Put(c.ctx, key, from, size)
	return key, errors.Join(err, from.Close())
}

// members copies the accounts of the members with their passwords and second
// factors, so that they can sign in as before.
func (c *copying) members() error {
	all, err := c.from.store.Transfers(c.ctx, c.of)
	if err != nil {
		return err
	}
	c.count("members", 0, 0)
	for _, m := range all {
		if err := c.reseal(&m); err != nil {
			return fmt.Errorf("copy the second factor of %s: %w", m.Person.Email, err)
		}
		_, member, err := c.to.store.TakeMember(c.ctx, c.by, m)
		if err != nil {
			return fmt.Errorf("copy member %s: %w", m.Person.Email, err)
		}
		added := 0
		if member {
			added = 1
		}
		c.count("members", 1, added)
	}
	return nil
}

// reseal encrypts the second factor of a member with the master key of the new
// installation.
func (c *copying) reseal(m *account.Transfer) (err error) {
	if !m.Factor.Active() {
		return nil
	}
	if c.open == nil {
		if c.open, err = c.from.ring(c.ctx); err != nil {
			return err
		}
		if c.seal, err = c.to.ringToSeal(c.ctx); err != nil {
			return err
		}
	}
	owner := m.Person.ID.String()
	secret, err := c.open.Open(account.FactorPurpose, owner, m.Factor.Sealed)
	if err != nil {
		return err
	}
	m.Factor.Sealed, err = c.seal.Seal(account.FactorPurpose, owner, secret)
	return err
}
