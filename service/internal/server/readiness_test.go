package server_test

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
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store/storetest"
)

func TestMasterKeyThatIsGone(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	shop := h.NewSeller()
	shop.Created(shop.Simplified())
	file := filepath.Join(h.Data, "master.key")
	if err := os.Rename(file, file+".away"); err != nil {
		t.Fatal(err)
	}
	shop.Stopped("master_key", "restore the master key")
	if err := os.Rename(file+".away", file); err != nil {
		t.Fatal(err)
	}
	shop.Continues("master_key")
	key := servicetest.ReadFile(t, file)
	if err := os.WriteFile(file, []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	shop.Stopped("master_key", "restore the master key")
	if strings.Contains(shop.Ask("/readyz/issuing").Body, "garbage") {
		t.Error("/readyz/issuing quotes the key file")
	}
	if err := os.WriteFile(file, []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	shop.Continues()
}

// A failed commit stops issuing at once, and a successful one resumes it.
func TestCommitThatFails(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	h := servicetest.Open(t, func(c *server.Config) {
		server.Point(c, func(step string) error {
			if step == "commit" && broken.Load() {
				return errors.New("the disk is gone")
			}
			return nil
		})
	})
	shop := h.NewSeller()
	shop.Created(shop.Simplified())
	broken.Store(true)
	if a := shop.Create(shop.Simplified(servicetest.Fields{"notes": servicetest.Note("broken")})); a.Status < 500 {
		t.Fatalf("create with a failing commit: got %d %s, want 5xx", a.Status, a.Body)
	}
	shop.Stopped("commit", "the last write to the database failed")
	broken.Store(false)
	shop.Continues("commit")
}

// An unavailable database is detected without any request.
func TestDatabaseThatIsAway(t *testing.T) {
	t.Parallel()
	wire, address := servicetest.NewLink(t, storetest.Postgres(t).URL)
	h := servicetest.Open(t, func(c *server.Config) { c.Database = address })
	shop := h.NewSeller()
	shop.Created(shop.Simplified())
	wire.Set(true)
	begun := time.Now()
	servicetest.Eventually(t, "readiness reports it", func() bool {
		return h.Ask("/readyz/issuing").Status == http.StatusServiceUnavailable && h.Ask("/readyz").Status == http.StatusServiceUnavailable
	})
	if took := time.Since(begun); took > 2*servicetest.Soon {
		t.Errorf("readiness changed after %s, want at most %s", took, 2*servicetest.Soon)
	}
	if a := h.Ask("/readyz/issuing"); !strings.Contains(a.Body, "the last write to the database failed") {
		t.Errorf("/readyz/issuing = %s, want the failed write", a.Body)
	}
	wire.Set(false)
	shop.Continues()
}

// A database that stops answering on open connections is detected within
// seconds without any request.
func TestDatabaseThatIsSilent(t *testing.T) {
	t.Parallel()
	wire, address := servicetest.NewLink(t, storetest.Postgres(t).URL)
	h := servicetest.Open(t, func(c *server.Config) { c.Database = address })
	shop := h.NewSeller()
	shop.Created(shop.Simplified())
	wire.Stall(true)
	servicetest.Eventually(t, "readiness reports it", func() bool {
		a := h.Ask("/readyz/issuing")
		return a.Status == http.StatusServiceUnavailable && strings.Contains(a.Body, "the last write to the database failed")
	})
	wire.Stall(false)
	servicetest.Eventually(t, "issuing continues", func() bool { return h.Ask("/readyz/issuing").Status == http.StatusOK })
	shop.Created(shop.Simplified(servicetest.Fields{"notes": servicetest.Note("afterwards")}))
}
