// Package vault keeps secrets at rest: the private keys of devices, what the
// authority gave them to sign in with, the tokens of links. Each is encrypted
// with a data key of its own, and the data key with a master key of a ring, so
// that the database alone opens nothing and a change of the master key touches
// no secret itself.
//
// It knows no database and no configuration: who seals keeps the bytes, and who
// starts says where the master keys come from. Sealed bytes name the master key
// they need and are bound to a purpose and an owner; moved to another row they
// do not open.
package vault

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// ErrUnknownKey says that a value was sealed under a master key which the ring
// does not hold.
var ErrUnknownKey = errors.New("the ring has no such master key")

// Config says where the master keys come from: a file or a text, one of the two.
type Config struct {
	File   string // one key a line, the first seals; only its owner may read it
	Create bool   // make the file if it is not there: right only where nothing is sealed yet
	Keys   Secret // base64 of 32 bytes, several separated by commas, the first seals

	Random io.Reader        // secure randomness
	Now    func() time.Time // dates the keys of a file
}

// Ring is the master keys of an installation. The first is active: it seals.
// The others still open what they sealed. It is safe for concurrent use, and it
// prints itself without its keys.
type Ring struct {
	config  Config
	random  io.Reader
	reading sync.Mutex // one reading of the file at a time
	held    atomic.Pointer[keys]
}

// keys is a ring as it was read.
type keys struct {
	all  []masterKey
	file fs.FileInfo // what was read, to see that it was replaced; nil without a file
}

// MasterKey tells of a key what is no secret.
type MasterKey struct {
	ID      string // 16 hexadecimal digits
	Created string // YYYY-MM-DD; empty if it does not come from a file
}

// Load reads the master keys, and makes them first if it may.
func Load(config Config) (*Ring, error) {
	text := config.Keys.Reveal()
	defer clear(text)
	switch {
	case config.Random == nil || config.Now == nil:
		return nil, errors.New("load master keys: no random source or no clock was given")
	case (config.File == "") == (len(text) == 0):
		return nil, errors.New("load master keys: give a key file or the keys themselves, one of the two")
	}
	r := &Ring{config: config, random: &sharedReader{from: config.Random}}
	if config.File == "" {
		all, err := parseKeys(text)
		if err != nil {
			return nil, fmt.Errorf("load master keys: %w", err)
		}
		r.config.Keys = Secret{} // one copy in memory is enough
		r.held.Store(&keys{all: all})
		return r, nil
	}
	_, err := r.read()
	if errors.Is(err, fs.ErrNotExist) {
		err = r.begin(err)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// begin makes the file that is not there, if it may be made.
func (r *Ring) begin(missing error) error {
	if !r.config.Create {
		return fmt.Errorf("%w; restore it from its copy, for without it no secret can be opened", missing)
	}
	if err := r.create(); err != nil {
		return err
	}
	_, err := r.read()
	return err
}

// Keys lists the master keys, the active one first.
func (r *Ring) Keys() []MasterKey {
	var list []MasterKey
	for _, key := range r.held.Load().all {
		list = append(list, MasterKey{ID: key.id.String(), Created: key.created})
	}
	return list
}

// current gives the keys as the file has them now. A command may have rotated
// them while the service runs, and what is sealed under a key that is about to
// be retired would be lost with it.
func (r *Ring) current() (*keys, error) {
	held := r.held.Load()
	if held.file == nil {
		return held, nil
	}
	now, err := os.Stat(r.config.File)
	if err == nil && os.SameFile(now, held.file) && now.ModTime().Equal(held.file.ModTime()) && now.Size() == held.file.Size() {
		return held, nil
	}
	return r.read()
}

// Check returns an error if the key file cannot be read now: nothing can be
// sealed then.
func (r *Ring) Check() error {
	_, err := r.current()
	return err
}

// find gives the key that a sealed value names.
func (r *Ring) find(id keyID) (masterKey, error) {
	held := r.held.Load()
	if key, found := held.find(id); found {
		return key, nil
	}
	if held.file != nil {
		again, err := r.read()
		if err != nil {
			return masterKey{}, err
		}
		if key, found := again.find(id); found {
			return key, nil
		}
	}
	return masterKey{}, fmt.Errorf("master key %s: %w", id, ErrUnknownKey)
}

func (k *keys) find(id keyID) (masterKey, bool) {
	for _, key := range k.all {
		if key.id == id {
			return key, true
		}
	}
	return masterKey{}, false
}

// read takes the keys from the file.
func (r *Ring) read() (*keys, error) {
	r.reading.Lock()
	defer r.reading.Unlock()
	text, info, err := readFile(r.config.File)
	if err != nil {
		return nil, err
	}
	defer clear(text)
	all, err := parseFile(text)
	if err != nil {
		return nil, fmt.Errorf("key file %s: %w", r.config.File, err)
	}
	now := &keys{all: all, file: info}
	r.held.Store(now)
	return now, nil
}

// String tells how many keys there are, and which is active.
func (r *Ring) String() string {
	list := r.Keys()
	return fmt.Sprintf("ring of %d, active %s", len(list), list[0].ID)
}

// Format prints String for every verb.
func (r *Ring) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, r.String()) }

// LogValue is String, for logs.
func (r *Ring) LogValue() slog.Value { return slog.StringValue(r.String()) }

// sharedReader lets callers draw from a source that serves one at a time.
type sharedReader struct {
	mu   sync.Mutex
	from io.Reader
}

// Read is of [io.Reader].
func (s *sharedReader) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.from.Read(p)
}
