// Package vault encrypts secrets at rest: the private keys of devices, their
// credentials for the authority, and the tokens of links. Each secret is
// encrypted with its own data key, and the data key with a master key, so that
// the database alone reveals nothing and a rotation of the master key leaves
// the secrets untouched.
//
// The package does not store sealed values; callers do. A sealed value names
// its master key and is bound to a purpose and an owner: copied to another row
// it cannot be opened.
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

// ErrUnknownKey means that a value was sealed with a master key that is not in
// the ring.
var ErrUnknownKey = errors.New("not among the loaded master keys")

// Config says where the master keys come from: either File or Keys.
type Config struct {
	File   string // key file, one key per line, the first is active; readable by its owner only
	Create bool   // create a missing file; only safe if nothing has been sealed yet
	Keys   Secret // comma-separated base64 keys of 32 bytes, the first is active

	Random io.Reader        // secure randomness
	Now    func() time.Time // dates the keys of a file
}

// Ring holds the master keys of an installation. The first is active and seals;
// the others only open what they sealed. It is safe for concurrent use and
// prints without its keys.
type Ring struct {
	config  Config
	random  io.Reader
	reading sync.Mutex // serialises reads of the file
	held    atomic.Pointer[keys]
}

// keys is the content of a ring as last read.
type keys struct {
	all  []masterKey
	file fs.FileInfo // to detect that the file was replaced; nil without a file
}

// MasterKey describes a master key without its secret.
type MasterKey struct {
	ID      string // 16 hexadecimal digits
	Created string // YYYY-MM-DD; empty if not from a file
}

// Load reads the master keys, and creates the file if config.Create allows it.
func Load(config Config) (*Ring, error) {
	text := config.Keys.Reveal()
	defer clear(text)
	switch {
	case config.Random == nil || config.Now == nil:
		return nil, errors.New("load master keys: Config.Random or Config.Now is nil")
	case (config.File == "") == (len(text) == 0):
		return nil, errors.New("load master keys: set either a key file or the keys themselves")
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

// begin creates the missing file if that is allowed.
func (r *Ring) begin(missing error) error {
	if !r.config.Create {
		return fmt.Errorf("%w; restore it from its copy: without it no secret can be opened", missing)
	}
	if err := r.create(); err != nil {
		return err
	}
	_, err := r.read()
	return err
}

// Keys returns the master keys, the active one first.
func (r *Ring) Keys() []MasterKey {
	var list []MasterKey
	for _, key := range r.held.Load().all {
		list = append(list, MasterKey{ID: key.id.String(), Created: key.created})
	}
	return list
}

// current returns the keys as they are in the file now. They may have been
// rotated while the service runs, and a value sealed with a key about to be
// retired would be lost.
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

// Check returns an error if the key file cannot be read, so that nothing can be
// sealed.
func (r *Ring) Check() error {
	_, err := r.current()
	return err
}

// find returns the key with the given id, and reads the file again if the key
// is not in memory.
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

// read reads the keys from the file.
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

// String returns the number of keys and the active one.
func (r *Ring) String() string {
	list := r.Keys()
	return fmt.Sprintf("ring of %d, active %s", len(list), list[0].ID)
}

// Format prints String for every verb.
func (r *Ring) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, r.String()) }

// LogValue implements [slog.LogValuer].
func (r *Ring) LogValue() slog.Value { return slog.StringValue(r.String()) }

// sharedReader makes a random source safe for concurrent use.
type sharedReader struct {
	mu   sync.Mutex
	from io.Reader
}

// Read implements [io.Reader].
func (s *sharedReader) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.from.Read(p)
}
