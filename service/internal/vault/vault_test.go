package vault_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"khatm/service/internal/vault"
)

const (
	purpose = "device-key"
	owner   = "0190a6a0-0000-7000-8000-000000000001"
)

// keyOf returns a base64 master key of 32 equal bytes.
func keyOf(b byte) string {
	return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{b}, 32))
}

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// given returns a ring with the given keys.
func given(t testing.TB, keys ...string) *vault.Ring {
	t.Helper()
	return load(t, vault.Config{Keys: vault.NewSecret([]byte(strings.Join(keys, ",")))})
}

// filed returns a ring with a key file, which is created if missing.
func filed(t testing.TB, path string) *vault.Ring {
	t.Helper()
	return load(t, vault.Config{File: path, Create: true})
}

func load(t testing.TB, config vault.Config) *vault.Ring {
	t.Helper()
	config.Random, config.Now = rand.Reader, noon
	ring, err := vault.Load(config)
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func sealed(t testing.TB, ring *vault.Ring, plain string) []byte {
	t.Helper()
	out, err := ring.Seal(purpose, owner, []byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func mustOpen(t testing.TB, ring *vault.Ring, sealed []byte, want string) {
	t.Helper()
	got, err := ring.Open(purpose, owner, sealed)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Fatalf("Open = %q, want %q", got, want)
	}
}

func TestLoadRefuses(t *testing.T) {
	text := func(s string) vault.Secret { return vault.NewSecret([]byte(s)) }
	file := filepath.Join(t.TempDir(), "master.key")
	random := iotest.ErrReader(io.ErrUnexpectedEOF)
	cases := []struct {
		name   string
		config vault.Config
		want   string
	}{
		{"no source", vault.Config{Random: random, Now: noon}, "either a key file or the keys"},
		{"two sources", vault.Config{File: file, Keys: text(keyOf(1)), Random: random, Now: noon}, "either a key file or the keys"},
		{"no randomness", vault.Config{Keys: text(keyOf(1)), Now: noon}, "Random"},
		{"no clock", vault.Config{Keys: text(keyOf(1)), Random: random}, "Now"},
		{"no base64", vault.Config{Keys: text("not a key"), Random: random, Now: noon}, "key 1: is not valid base64; create one with openssl rand -base64 32"},
		{"short key", vault.Config{Keys: text(keyOf(1) + ",AAAA"), Random: random, Now: noon}, "key 2: has "},
		{"empty part", vault.Config{Keys: text(keyOf(1) + ","), Random: random, Now: noon}, "key 2: has "},
		{"same key twice", vault.Config{Keys: text(keyOf(1) + "," + keyOf(2) + "," + keyOf(1)), Random: random, Now: noon}, "key 3: is a duplicate"},
		{"stray bits", vault.Config{Keys: text(strings.TrimSuffix(keyOf(0), "A=") + "B="), Random: random, Now: noon}, "key 1: is not valid base64"},
		{"missing file", vault.Config{File: file, Random: random, Now: noon}, "restore it from its copy"},
		{"missing folder", vault.Config{File: filepath.Join(file, "a", "b"), Create: true, Random: random, Now: noon}, "key file"},
		{"no randomness for a file", vault.Config{File: file, Create: true, Random: random, Now: noon}, "generate a master key"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ring, err := vault.Load(c.config)
			if err == nil || ring != nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Load = %v, %v; want an error with %q", ring, err, c.want)
			}
		})
	}
}

func TestKeysAreListedWithoutSecrets(t *testing.T) {
	got := given(t, keyOf(1)+"\n", " "+keyOf(2)).Keys()
	if len(got) != 2 || got[0].ID == got[1].ID || got[0].Created != "" {
		t.Errorf("Keys = %v, want two different keys without dates", got)
	}
	path := filepath.Join(t.TempDir(), "master.key")
	if diff := cmp.Diff(filed(t, path).Keys(), filed(t, path).Keys()); diff != "" {
		t.Errorf("a second ring reads different keys:\n%s", diff)
	}
	if got := filed(t, path).Keys()[0].Created; got != "2026-03-01" {
		t.Errorf("Created = %s, want 2026-03-01", got)
	}
}

// The first key seals, and every key opens.
func TestActiveKeySeals(t *testing.T) {
	old, both := given(t, keyOf(1)), given(t, keyOf(2), keyOf(1))
	mustOpen(t, both, sealed(t, old, "before"), "before")
	after := sealed(t, both, "after")
	id, err := vault.KeyID(after)
	if want := both.Keys()[0].ID; err != nil || id != want {
		t.Errorf("sealed with key %s, %v; want %s", id, err, want)
	}
	mustOpen(t, given(t, keyOf(2)), after, "after")
}

// The random source need not be safe for concurrent use.
func TestRandomSourceIsReadByOneAtATime(t *testing.T) {
	source := &lonely{from: rand.Reader}
	ring, err := vault.Load(vault.Config{Keys: vault.NewSecret([]byte(keyOf(1))), Random: source, Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 200 {
				if _, err := ring.Seal(purpose, owner, []byte("secret")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if source.crowded.Load() {
		t.Error("the random source was read concurrently")
	}
}

// lonely detects concurrent reads.
type lonely struct {
	from    io.Reader
	busy    atomic.Bool
	crowded atomic.Bool
}

func (l *lonely) Read(p []byte) (int, error) {
	if !l.busy.CompareAndSwap(false, true) {
		l.crowded.Store(true)
	}
	defer l.busy.Store(false)
	runtime.Gosched()
	return l.from.Read(p)
}
