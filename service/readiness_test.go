package service_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/server"
	"khatm/service/internal/store/storetest"
)

func TestMasterKeyThatIsGone(t *testing.T) {
	h := open(t, nil)
	shop := h.till()
	shop.created(shop.simplified())
	file := filepath.Join(h.data, "master.key")
	if err := os.Rename(file, file+".away"); err != nil {
		t.Fatal(err)
	}
	shop.stopped("master_key", "restore the master key")
	if err := os.Rename(file+".away", file); err != nil {
		t.Fatal(err)
	}
	shop.goesOn("master_key")
	key := readFile(t, file)
	if err := os.WriteFile(file, []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	shop.stopped("master_key", "restore the master key")
	if strings.Contains(shop.ask("/readyz/issuing").body, "garbage") {
		t.Error("readiness quotes the key file")
	}
	if err := os.WriteFile(file, []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	shop.goesOn()
}

// A commit that fails stops issuing at once, and one that works lets it go on.
func TestCommitThatFails(t *testing.T) {
	var broken atomic.Bool
	h := open(t, func(c *server.Config) {
		server.Point(c, func(step string) error {
			if step == "commit" && broken.Load() {
				return errors.New("the disk is gone")
			}
			return nil
		})
	})
	shop := h.till()
	shop.created(shop.simplified())
	broken.Store(true)
	if a := shop.create(shop.simplified(fields{"notes": note("broken")})); a.status < 500 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	shop.stopped("commit", "the last write to the database failed")
	broken.Store(false)
	shop.goesOn("commit")
}

// A database that is away is seen although nobody creates.
func TestDatabaseThatIsAway(t *testing.T) {
	wire, address := lay(t, storetest.Postgres(t).URL)
	h := open(t, func(c *server.Config) { c.Database = address })
	shop := h.till()
	shop.created(shop.simplified())
	wire.set(true)
	begun := time.Now()
	becomes(t, "readiness tells of it", func() bool {
		return h.ask("/readyz/issuing").status == http.StatusServiceUnavailable && h.ask("/readyz").status == http.StatusServiceUnavailable
	})
	if took := time.Since(begun); took > 2*soon {
		t.Errorf("after %s", took)
	}
	if a := h.ask("/readyz/issuing"); !strings.Contains(a.body, "the last write to the database failed") {
		t.Error(a.body)
	}
	wire.set(false)
	shop.goesOn()
}

// A database that no longer answers, on connections that stay open, is seen
// within seconds although nobody creates.
func TestDatabaseThatIsSilent(t *testing.T) {
	wire, address := lay(t, storetest.Postgres(t).URL)
	h := open(t, func(c *server.Config) { c.Database = address })
	shop := h.till()
	shop.created(shop.simplified())
	wire.stall(true)
	becomes(t, "readiness tells of it", func() bool {
		a := h.ask("/readyz/issuing")
		return a.status == http.StatusServiceUnavailable && strings.Contains(a.body, "the last write to the database failed")
	})
	wire.stall(false)
	becomes(t, "issuing goes on", func() bool { return h.ask("/readyz/issuing").status == http.StatusOK })
	shop.created(shop.simplified(fields{"notes": note("afterwards")}))
}
