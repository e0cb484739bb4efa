package simulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"khatm/simulator/internal/ca"
	"khatm/simulator/internal/journal"
)

// Files of a state folder.
const (
	authorityFile = "authority.json" // certificates, with the issuers' secrets
	settingsFile  = "office.json"    // one-time passwords and settings
	journalFile   = "journal.jsonl"
	folderLock    = "lock"
)

// state is everything the simulator stores. A reset replaces it.
type state struct {
	ca        *ca.Authority
	journal   *journal.Journal
	passwords *passwords
	settings  *settings

	folder string      // "" if only the journal is kept
	locks  []io.Closer // held on the folder and on the journal
	files  []string    // files that a reset removes

	changed atomic.Int64 // number of the last change
	saving  sync.Mutex
	saved   int64 // number of the last change that is on disk; guarded by saving
}

// savedSettings is the content of settingsFile.
type savedSettings struct {
	Passwords []password `json:"passwords"`
	Settings  choices    `json:"settings"`
}

func openState(cfg Config, now func() time.Time) (*state, error) {
	r := &state{folder: cfg.State}
	path := cfg.Journal
	if r.folder != "" && path == "" {
		path = filepath.Join(r.folder, journalFile)
	}
	err := r.lock(path)
	if err == nil {
		err = r.read(cfg, path, now)
	}
	if err != nil {
		return nil, errors.Join(err, r.close())
	}
	return r, nil
}

// lock locks the folder and the journal. The journal has a lock of its own,
// because its path may be outside the folder.
func (r *state) lock(path string) error {
	if r.folder != "" {
		if err := os.MkdirAll(r.folder, 0o700); err != nil {
			return fmt.Errorf("create the state folder: %w", err)
		}
		lock, err := lockFile(filepath.Join(r.folder, folderLock))
		if err != nil {
			return fmt.Errorf("state folder %s: %w", r.folder, err)
		}
		r.locks = append(r.locks, lock)
		r.files = append(r.files, filepath.Join(r.folder, authorityFile), filepath.Join(r.folder, settingsFile))
	}
	if path != "" {
		lock, err := lockFile(path + ".lock")
		if err != nil {
			return fmt.Errorf("journal %s: %w", path, err)
		}
		r.locks = append(r.locks, lock)
		r.files = append(r.files, path, path+".answers")
	}
	return nil
}

// read loads the contents of the folder. A file that does not exist counts as
// empty.
func (r *state) read(cfg Config, path string, now func() time.Time) error {
	kept, err := r.load(authorityFile)
	if err != nil {
		return err
	}
	if r.ca, err = ca.New(ca.Config{Random: cfg.Random, Now: now(), State: kept}); err != nil {
		return err
	}
	var o savedSettings
	text, err := r.load(settingsFile)
	if err != nil {
		return err
	}
	if text != nil {
		if err := json.Unmarshal(text, &o); err != nil {
			return fmt.Errorf("read %s: %w", settingsFile, err)
		}
	}
	r.passwords = newPasswords(o.Passwords)
	if r.settings, err = newSettings(o.Settings); err != nil {
		return fmt.Errorf("read %s: %w", settingsFile, err)
	}
	if r.journal, err = journal.Open(journal.Config{Path: path, Sync: cfg.Sync, Now: now}); err != nil {
		return err
	}
	return r.save()
}

func (r *state) load(name string) ([]byte, error) {
	if r.folder == "" {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(r.folder, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// save writes every change made before the call to disk. Of several concurrent
// callers, one writes for all.
func (r *state) save() error {
	if r.folder == "" {
		return nil
	}
	mine := r.changed.Add(1)
	r.saving.Lock()
	defer r.saving.Unlock()
	if r.saved >= mine {
		return nil
	}
	covered := r.changed.Load()
	// The passwords are read before the certificates. If a password is used in
	// between, the saved state contains the password and its certificate; in
	// the other order a crash could lose both.
	open := r.passwords.all()
	certificates, err := r.ca.Export()
	if err != nil {
		return err
	}
	rest, err := json.MarshalIndent(savedSettings{open, r.settings.choices()}, "", "\t")
	if err != nil {
		return fmt.Errorf("encode %s: %w", settingsFile, err)
	}
	if err := replaceFile(filepath.Join(r.folder, authorityFile), certificates); err != nil {
		return err
	}
	if err := replaceFile(filepath.Join(r.folder, settingsFile), rest); err != nil {
		return err
	}
	r.saved = covered
	return nil
}

// replaceFile writes a new file and renames it over the old one, so that a
// crash leaves one of the two intact.
func replaceFile(path string, text []byte) error {
	next := path + ".next"
	file, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", next, err)
	}
	return os.Rename(next, path)
}

func (r *state) close() error {
	var err error
	if r.journal != nil {
		err = r.journal.Close()
	}
	for _, lock := range r.locks {
		err = errors.Join(err, lock.Close())
	}
	return err
}

// remove closes the state's files and removes them.
func (r *state) remove() error {
	err := r.close()
	for _, path := range r.files {
		if gone := os.Remove(path); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}
