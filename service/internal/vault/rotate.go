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

// Rotate puts a fresh master key at the top of the file and returns its id. The
// older ones stay, and open what they sealed; Rewrap moves values to the new.
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

// Retire drops a master key that is not the active one. What is still sealed
// under it is lost: the caller has looked that there is nothing.
func (r *Ring) Retire(id string) error {
	return r.change(func(all []masterKey) ([]masterKey, error) {
		at := slices.IndexFunc(all, func(k masterKey) bool { return k.id.String() == id })
		switch at {
		case -1:
			return nil, fault.Missing("Master key " + id)
		case 0:
			return nil, fault.New(fault.Conflict, "Master key %s is the active one: rotate first, and rewrap what it sealed", id)
		}
		return slices.Delete(all, at, at+1), nil
	})
}

// change replaces the file, all of it or nothing. Two changes at once are made
// one after the other, so that none loses a key of the other.
func (r *Ring) change(to func([]masterKey) ([]masterKey, error)) error {
	path := r.config.File
	if path == "" {
		return fault.New(fault.Conflict, "The master keys were given as a text: put a new one before the others there, and take an old one out there")
	}
	err := alone(path, func() error {
		if at, err := os.Lstat(path); err == nil && !at.Mode().IsRegular() {
			return fault.New(fault.Conflict, "Key file %s is a link: the keys are changed where it comes from", path)
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

// create makes the file with one key, unless it is there by now.
func (r *Ring) create() error {
	path := r.config.File
	err := alone(path, func() error {
		key, err := drawMasterKey(r.random, r.today())
		if err != nil {
			return err
		}
		// A link, because it never takes the place of a file that is there: keys
		// that were in use for a moment only may have sealed something.
		err = place(path, []masterKey{key}, os.Link)
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("make key file %s: %w", path, err)
	}
	return nil
}

func (r *Ring) today() string { return r.config.Now().UTC().Format(time.DateOnly) }

// alone holds off other changes of the file, of this process and of others. The
// lock ends with the process; what one that was killed left behind is removed.
func alone(path string, change func() error) error {
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	return errors.Join(sweep(path), change(), lock.Unlock())
}

// temporary gives the two ends of the names under which files are written.
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

// place writes a file beside the path, makes it durable, and gives it its name
// at last.
func place(path string, all []masterKey, named func(from, to string) error) error {
	text := formatFile(all)
	defer clear(text)
	if len(text) > maxFile {
		return fault.New(fault.Conflict, "There are too many master keys: retire old ones first")
	}
	prefix, suffix := temporary(path)
	f, err := os.CreateTemp(filepath.Dir(path), prefix+"*"+suffix) // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // after a rename it is gone; else sweep comes
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
