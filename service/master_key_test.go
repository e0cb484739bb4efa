package service_test

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/vault"
)

// ring is the master keys of a house.
func (h *house) ring() *vault.Ring {
	h.t.Helper()
	ring, err := vault.Load(vault.Config{File: filepath.Join(h.data, "master.key"), Random: rand.Reader, Now: h.clock.Now})
	if err != nil {
		h.t.Fatal(err)
	}
	return ring
}

// startsWith starts a service once more and says what it was refused for.
func (h *house) startsWith(change func(*server.Config)) string {
	h.t.Helper()
	c := server.Defaults()
	c.Data, c.Database, c.Now = h.data, h.database, h.clock.Now
	change(&c)
	s, err := server.New(context.Background(), c)
	if err != nil {
		return err.Error()
	}
	s.Close()
	return ""
}

// Nothing is sealed in the database yet, and the key is missed all the same.
func TestLostMasterKeyIsNotReplaced(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		h.server.Close()
		h.service.Close()
		same := func(*server.Config) {}
		if why := h.startsWith(same); why != "" {
			t.Fatalf("with its key: %s", why)
		}
		file := filepath.Join(h.data, "master.key")
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if why := h.startsWith(same); !strings.Contains(why, "restore it from its copy") {
			t.Errorf("without its key: %q", why)
		}
		if _, err := os.Stat(file); err == nil {
			t.Error("another key was made")
		}
		foreign := func(c *server.Config) { c.MasterKey = server.NewSecret(masterKey) }
		if why := h.startsWith(foreign); !strings.Contains(why, "this database is sealed with master key") || !strings.Contains(why, "restore the key file") {
			t.Errorf("with another key: %q", why)
		}
	})
}

// The second machine on a database must have the key of the first.
func TestMachinesOnOneDatabaseShareTheirMasterKey(t *testing.T) {
	url := storetest.Postgres(t).URL
	h := open(t, func(c *server.Config) { c.Database = url })
	other := t.TempDir()
	elsewhere := func(c *server.Config) { c.Data = other }
	// A key of its own, as if both had looked before either was tied.
	if _, err := vault.Load(vault.Config{File: filepath.Join(other, "master.key"), Create: true, Random: rand.Reader, Now: h.clock.Now}); err != nil {
		t.Fatal(err)
	}
	if why := h.startsWith(elsewhere); !strings.Contains(why, "take it from the machine that first used this database") {
		t.Errorf("with a key of its own: %q", why)
	}
	key, err := os.ReadFile(filepath.Join(h.data, "master.key"))
	if err == nil {
		err = os.WriteFile(filepath.Join(other, "master.key"), key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if why := h.startsWith(elsewhere); why != "" {
		t.Errorf("with the first one's key: %s", why)
	}
}
