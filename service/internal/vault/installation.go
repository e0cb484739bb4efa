package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Installation stores the id of the master key that a database needs. The id is
// empty before anything is sealed.
type Installation interface {
	MasterKey(ctx context.Context) (id string, err error)
	// TieMasterKey stores id unless one is stored already, and returns the stored
	// one.
	TieMasterKey(ctx context.Context, id string) (kept string, err error)
}

// LoadFor loads the master keys of an installation. If the installation has
// stored a key id, no key is created, and a ring without that key is refused:
// the key was lost, or the ring belongs to another installation.
func LoadFor(ctx context.Context, config Config, at Installation) (*Ring, error) {
	id, err := at.MasterKey(ctx)
	if err != nil {
		return nil, err
	}
	config.Create = config.Create && id == ""
	ring, err := Load(config)
	switch {
	case id == "":
		return ring, err
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("this database is sealed with master key %s: %w; copy it from another server that uses this database", id, err)
	case err != nil:
		return nil, err
	}
	return ring, ring.mustHold(id)
}

// Tie stores the id of the active key in the installation, unless one is
// stored. It must be called before sealing. If two processes with different
// keys call it at once, the second gets an error.
func (r *Ring) Tie(ctx context.Context, at Installation) error {
	id, err := at.TieMasterKey(ctx, r.Keys()[0].ID)
	if err != nil {
		return err
	}
	return r.mustHold(id)
}

func (r *Ring) mustHold(id string) error {
	var held []string
	for _, key := range r.Keys() {
		held = append(held, key.ID)
	}
	if slices.Contains(held, id) {
		return nil
	}
	from := "KHATM_MASTER_KEY"
	if r.config.File != "" {
		from = "key file " + r.config.File
	}
	return fmt.Errorf("this database is sealed with master key %s: %w; %s has %s: restore the key file from its copy, or take it from the machine that first used this database",
		id, ErrUnknownKey, from, strings.Join(held, ", "))
}
