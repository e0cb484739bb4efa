package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"khatm/service/internal/continuity"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/vault"
)

// MasterKey describes a master key.
type MasterKey struct {
	ID      string `json:"id"`
	Created string `json:"created"` // empty if the keys are in KHATM_MASTER_KEY
	Active  bool   `json:"active"`  // whether it encrypts new secrets
	Seals   int    `json:"seals"`   // number of secrets that need it
}

// Rewrapped is the result of Rotate or Rewrap.
type Rewrapped struct {
	Key  string `json:"key"`   // active master key
	Seen int    `json:"seen"`  // secrets checked
	Done int    `json:"moved"` // secrets moved to the active key
}

// CreateMasterKey creates a key file with a new master key and returns the id of the
// key. The file must not exist.
func CreateMasterKey(path string, now func() time.Time, random io.Reader) (id string, err error) {
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s exists already: choose another name", full(path))
	}
	ring, err := vault.Load(vault.Config{File: path, Create: true, Now: now, Random: random})
	if err != nil {
		return "", err
	}
	return ring.Keys()[0].ID, nil
}

// ring loads the master keys. It does not create them.
func (a *Admin) ring(ctx context.Context) (*vault.Ring, error) {
	ring, err := vault.LoadFor(ctx, a.config.vault(), a.store)
	if !errors.Is(err, fs.ErrNotExist) {
		return ring, err
	}
	sealed, failed := a.sealed(ctx)
	if failed != nil || sealed {
		return nil, errors.Join(err, failed)
	}
	return nil, fmt.Errorf("there is no master key in %s yet, and no secret that needs one: khatm serve creates it when it first starts", full(a.config.keyFile()))
}

// ringToSeal loads the master keys to encrypt a secret. It creates them if nothing
// was encrypted yet, because a device can be onboarded before the first start of a
// server.
func (a *Admin) ringToSeal(ctx context.Context) (*vault.Ring, error) {
	c := a.config.vault()
	if c.Create = c.File != ""; c.Create {
		// With PostgreSQL no command creates the data folder.
		if err := os.MkdirAll(a.config.Data, 0o700); err != nil {
			return nil, fmt.Errorf("create the data folder: %w", err)
		}
	}
	ring, err := vault.LoadFor(ctx, c, a.store)
	if err != nil {
		return nil, err
	}
	return ring, ring.Tie(ctx, a.store)
}

func (c Config) vault() vault.Config {
	v := vault.Config{Keys: c.MasterKey, Random: c.Random, Now: c.Now}
	if c.MasterKey.IsZero() {
		v.File = c.keyFile()
	}
	return v
}

func (c Config) keyFile() string {
	if c.MasterKeyFile != "" {
		return c.MasterKeyFile
	}
	return filepath.Join(c.Data, "master.key")
}

// sealed reports whether the installation has secrets that need a master key.
func (a *Admin) sealed(ctx context.Context) (bool, error) {
	id, err := a.store.MasterKey(ctx)
	return id != "", err
}

// MasterKeys returns the master keys, the active one first.
func (a *Admin) MasterKeys(ctx context.Context) ([]MasterKey, error) {
	ring, err := a.ring(ctx)
	if err != nil {
		return nil, err
	}
	needed, err := a.needed(ctx)
	if err != nil {
		return nil, err
	}
	list := []MasterKey{}
	for i, k := range ring.Keys() {
		list = append(list, MasterKey{ID: k.ID, Created: k.Created, Active: i == 0, Seals: needed[k.ID]})
	}
	return list, nil
}

// needed counts the secrets by the id of their master key.
func (a *Admin) needed(ctx context.Context) (map[string]int, error) {
	count := map[string]int{}
	note := func(sealed []byte) error {
		id, err := vault.KeyID(sealed)
		count[id]++
		return err
	}
	head, err := a.head(ctx)
	if err != nil {
		return nil, err
	}
	if head != nil {
		if err := note(head); err != nil {
			return nil, fmt.Errorf("the head of the audit trail: %w", err)
		}
	}
	state, err := a.store.Continuity(ctx)
	if err != nil {
		return nil, err
	}
	if state.TrailHead != nil {
		if err := note(state.TrailHead); err != nil {
			return nil, fmt.Errorf("the head of the last recovery: %w", err)
		}
	}
	return count, a.eachSecret(ctx, func(s store.Secret) error { return note(s.Sealed) })
}

// eachSecret calls see with every encrypted secret. It changes none.
func (a *Admin) eachSecret(ctx context.Context, see func(store.Secret) error) error {
	_, _, err := a.store.RewrapSecrets(ctx, func(s store.Secret) ([]byte, bool, error) { return nil, false, see(s) })
	return err
}

// errShared is the error of Rotate for a database that several machines may use.
var errShared = errors.New("other machines may use this database, and they cannot decrypt secrets without the new key: " +
	"if this is the only machine, add --alone; otherwise add the new key at the end of every machine's key file (or KHATM_MASTER_KEY), then move it to the front on every machine, then run khatm vault rewrap")

// Rotate creates a new master key and moves every secret to it. Alone confirms
// that no other machine uses the database.
func (a *Admin) Rotate(ctx context.Context, alone bool, progress func(seen int)) (Rewrapped, error) {
	if a.config.Database != "" && !alone {
		return Rewrapped{}, errShared
	}
	ring, err := a.ring(ctx)
	if err != nil {
		return Rewrapped{}, err
	}
	id, err := ring.Rotate()
	if err != nil {
		return Rewrapped{}, err
	}
	if err := a.note(ctx, "vault.rotate", id); err != nil {
		return Rewrapped{}, fmt.Errorf("%w; khatm vault rewrap continues from here", err)
	}
	return a.rewrap(ctx, ring, progress)
}

// Rewrap moves every secret to the active master key. It can be interrupted and
// run again.
func (a *Admin) Rewrap(ctx context.Context, progress func(seen int)) (Rewrapped, error) {
	ring, err := a.ring(ctx)
	if err != nil {
		return Rewrapped{}, err
	}
	return a.rewrap(ctx, ring, progress)
}

func (a *Admin) rewrap(ctx context.Context, ring *vault.Ring, progress func(seen int)) (Rewrapped, error) {
	moved := Rewrapped{Key: ring.Keys()[0].ID}
	seen := 0
	var err error
	moved.Seen, moved.Done, err = a.store.RewrapSecrets(ctx, func(s store.Secret) ([]byte, bool, error) {
		seen++
		progress(seen)
		return ring.Rewrap(s.Purpose, s.Owner, s.Sealed)
	})
	if err != nil {
		return moved, fmt.Errorf("%w; khatm vault rewrap continues from here", err)
	}
	headMoved, err := a.rewrapHead(ctx, ring)
	if headMoved {
		moved.Seen, moved.Done = moved.Seen+1, moved.Done+1
	}
	if err != nil {
		return moved, err
	}
	_, err = a.store.RewrapTrailHead(ctx, func(sealed []byte) ([]byte, bool, error) {
		return continuity.RewrapHead(sealed, ring.Rewrap)
	})
	if err != nil {
		return moved, err
	}
	// Only now is the old key no longer needed.
	if kept, err := a.store.MasterKey(ctx); err != nil || kept == moved.Key {
		return moved, err
	}
	return moved, a.store.ChangeMasterKey(ctx, a.by(org.Tenant{}), moved.Key)
}

// note records a change of the master keys in the audit trail, even if ctx was
// cancelled meanwhile.
func (a *Admin) note(ctx context.Context, action, id string) error {
	if err := a.store.Note(context.WithoutCancel(ctx), a.by(org.Tenant{}), action, id); err != nil {
		return fmt.Errorf("the master keys were changed, but the audit trail has no entry for it: %w", err)
	}
	return nil
}

// Retire removes an old master key, unless a secret still needs it.
func (a *Admin) Retire(ctx context.Context, id string) error {
	ring, err := a.ring(ctx)
	if err != nil {
		return err
	}
	needed, err := a.needed(ctx)
	if err != nil {
		return err
	}
	if n := needed[id]; n > 0 && id != ring.Keys()[0].ID {
		return fmt.Errorf("%d secrets still need master key %s: run khatm vault rewrap to move them to the active one", n, id)
	}
	kept, err := a.store.MasterKey(ctx)
	if err != nil {
		return err
	}
	if kept == id && id != ring.Keys()[0].ID {
		return fmt.Errorf("some secrets may still need master key %s: run khatm vault rewrap to move them to the active one", id)
	}
	err = ring.Retire(id)
	if fault.KindOf(err) == fault.NotFound {
		return fmt.Errorf("there is no master key %s: see khatm vault keys", id)
	}
	if err != nil {
		return err
	}
	return a.note(ctx, "vault.retire", id)
}

// keyFileFound reports whether the key file exists, readable or not.
func (c Config) keyFileFound() bool {
	_, err := os.Lstat(c.keyFile())
	return err == nil
}
