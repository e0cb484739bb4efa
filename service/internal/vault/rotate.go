package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"khatm/service/internal/fault"
)

// Rotate adds a new master key at the top of the file and returns its id. Older
// keys stay and open what they sealed; Rewrap moves values to the new key.
func (r *Ring) Rotate() (id string, err error) {
	err = r.change(func(all []masterKey) ([]masterKey, error) {
		fresh, err := drawMasterKey(r.random, r.today())
		if err != nil {
			return nil, err
		}
		id = fresh.id.String()
		return slices.Insert(all, 0, fresh), nil
	})
	if err != nil {
		return "", err
	}
	return id, nil
}

// Retire removes a master key that is not active. Values still sealed with it
// are lost, so the caller must make sure that there are none.
func (r *Ring) Retire(id string) error {
	return r.change(func(all []masterKey) ([]masterKey, error) {
		at := slices.IndexFunc(all, func(k masterKey) bool { return k.id.String() == id })
		switch at {
		case -1:
			return nil, fault.Missing("Master key " + id)
		case 0:
			return nil, fault.New(fault.StateConflict, "Master key %s is active: rotate the keys first, then rewrap what it sealed", id)
		}
		return slices.Delete(all, at, at+1), nil
	})
}

// change replaces the file atomically. Concurrent changes run one after the
// other, so that none loses a key.
func (r *Ring) change(to func([]masterKey) ([]masterKey, error)) error {
	path := r.config.File
	if path == "" {
		return fault.New(fault.StateConflict, "The master keys come from KHATM_MASTER_KEY, not from a file: put a new key first in that variable, and remove old keys from it")
	}
	err := alone(path, func() error {
		if at, err := os.Lstat(path); err == nil && !at.Mode().IsRegular() {
			return fault.New(fault.StateConflict, "Key file %s is a symbolic link: change the keys at its source", path)
		}
		now, err := r.read()
		if err != nil {
			return err
		}
		all, err := to(slices.Clone(now.all))
		if err != nil {
			return err
		}
		return place(path, all, os.Rename)
	})
	if err != nil {
		return fmt.Errorf("change key file %s: %w", path, err)
	}
	_, err = r.read()
	return err
}

// create creates the file with one key, unless it exists by now.
func (r *Ring) create() error {
	path := r.config.File
	err := alone(path, func() error {
		key, err := drawMasterKey(r.random, r.today())
		if err != nil {
			return err
		}
		// Link does not replace an existing file: even a key used only for a moment
		// may have sealed something.
		err = place(path, []masterKey{key}, os.Link)
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("create key file %s: %w", path, err)
	}
	return nil
}

func (r *Ring) today() string { return r.config.Now().UTC().Format(time.DateOnly) }

// alone runs change under a file lock that excludes other processes too. The
// lock ends with the process. Temporary files of a killed process are removed
// first.
func alone(path string, change func() error) error {
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	return errors.Join(sweep(path), change(), lock.Unlock())
}

// temporary returns the prefix and suffix of the names of temporary files.
func temporary(path string) (prefix, suffix string) {
	return "." + filepath.Base(path) + ".", ".new"
}

func sweep(path string) error {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	prefix, suffix := temporary(path)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) && strings.HasSuffix(e.Name(), suffix) {
			err = errors.Join(err, os.Remove(filepath.Join(filepath.Dir(path), e.Name())))
		}
	}
	return err
}

// place writes a temporary file, syncs it, and then moves it to path with named.
func place(path string, all []masterKey, named func(from, to string) error) error {
	text := formatFile(all)
	defer clear(text)
	if len(text) > maxFile {
		return fault.New(fault.StateConflict, "There are too many master keys: retire old keys first")
	}
	prefix, suffix := temporary(path)
	f, err := os.CreateTemp(filepath.Dir(path), prefix+"*"+suffix) // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // gone after a rename; otherwise sweep removes it
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := named(f.Name(), path); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
