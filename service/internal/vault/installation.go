package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Installation remembers the id of the master key that it cannot do without;
// empty before anything was sealed.
type Installation interface {
	MasterKey(ctx context.Context) (id string, err error)
	// TieMasterKey remembers an id, unless one is remembered, and gives the one
	// that is.
	TieMasterKey(ctx context.Context, id string) (kept string, err error)
}

// LoadFor loads the master keys of an installation. Where it remembers a key,
// none is made, and a ring without that key is refused: the key was lost, or it
// is another installation's.
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
		return nil, fmt.Errorf("this database is sealed with master key %s: %w; another machine on it has it too", id, err)
	case err != nil:
		return nil, err
	}
	return ring, ring.mustHold(id)
}

// Tie has an installation remember the active key, if it remembers none. Who
// seals does it first. Of two that come at once with different keys the second
// is refused.
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
	from := "the text that was given"
	if r.config.File != "" {
		from = "key file " + r.config.File
	}
	return fmt.Errorf("this database is sealed with master key %s: %w; %s has %s: restore the key file from its copy, or take it from the machine that first used this database",
		id, ErrUnknownKey, from, strings.Join(held, ", "))
}
