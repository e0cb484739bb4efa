package server_test

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/vault"
)

// startsWith starts a service again and returns its error, or "".
func startsWith(h *servicetest.Instance, change func(*server.Config)) string {
	h.TB.Helper()
	c := server.Defaults()
	c.Data, c.Database, c.Now = h.Data, h.Database, h.Clock.Now
	change(&c)
	s, err := server.New(context.Background(), c)
	if err != nil {
		return err.Error()
	}
	s.Close()
	return ""
}

// A lost master key is detected even if nothing in the database is sealed yet.
func TestLostMasterKeyIsNotReplaced(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		h.HTTP.Close()
		h.Service.Close()
		same := func(*server.Config) {}
		if why := startsWith(h, same); why != "" {
			t.Fatalf("start with the right key: %s", why)
		}
		file := filepath.Join(h.Data, "master.key")
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if why := startsWith(h, same); !strings.Contains(why, "restore it from its copy") {
			t.Errorf("start without the key: %q, want an error that asks to restore it", why)
		}
		if _, err := os.Stat(file); err == nil {
			t.Error("a new key was created")
		}
		foreign := func(c *server.Config) { c.MasterKey = server.NewSecret(servicetest.MasterKey) }
		if why := startsWith(h, foreign); !strings.Contains(why, "this database is sealed with master key") || !strings.Contains(why, "restore the key file") {
			t.Errorf("start with another key: %q, want an error that asks to restore the key file", why)
		}
	})
}

// A second server on a database must have the key of the first.
func TestMachinesOnOneDatabaseShareTheirMasterKey(t *testing.T) {
	t.Parallel()
	url := storetest.Postgres(t).URL
	h := servicetest.Open(t, func(c *server.Config) { c.Database = url })
	other := t.TempDir()
	elsewhere := func(c *server.Config) { c.Data = other }
	// Create another key, as if both servers had started at the same time.
	if _, err := vault.Load(vault.Config{File: filepath.Join(other, "master.key"), Create: true, Random: rand.Reader, Now: h.Clock.Now}); err != nil {
		t.Fatal(err)
	}
	if why := startsWith(h, elsewhere); !strings.Contains(why, "take it from the machine that first used this database") {
		t.Errorf("start with its own key: %q, want an error that says where to take the key from", why)
	}
	key, err := os.ReadFile(filepath.Join(h.Data, "master.key"))
	if err == nil {
		err = os.WriteFile(filepath.Join(other, "master.key"), key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if why := startsWith(h, elsewhere); why != "" {
		t.Errorf("start with the key of the first server: %s", why)
	}
}
