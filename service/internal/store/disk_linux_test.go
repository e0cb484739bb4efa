package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// Writes to a full disk fail with an error of kind Unavailable, and no
// acknowledged write is lost. When there is space again, writes succeed.
func TestSQLiteOnAFullDisk(t *testing.T) {
	t.Parallel()
	p := prepare(t, "full disk", storetest.Empty(t))
	p.run.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	if err := p.run.Start(); err != nil {
		t.Skip("cannot mount a small disk:", err)
	}
	t.Cleanup(p.kill)
	if got := p.line(); got != "mounted" {
		t.Skip("cannot mount a small disk:", got)
	}
	ok(t, p.end())
}

// runFullDisk mounts a small disk and fills it with concurrent writes, three
// times.
func runFullDisk([]string) error {
	c := processConfig()
	if err := syscall.Mount("tmpfs", c.Dir, "tmpfs", 0, "size=40m"); err != nil {
		fmt.Println(err)
		return nil
	}
	fmt.Println("mounted")
	s, err := store.Serve(context.Background(), c)
	if err != nil {
		return err
	}
	defer s.Close()
	o := sampleOrganisation(c.NewID())
	if err := s.AddOrganisation(context.Background(), system, o); err != nil {
		return err
	}
	by := system
	by.Tenant = org.TenantOf(o.ID)
	ballast := func(n int) string { return filepath.Join(c.Dir, fmt.Sprint("ballast", n)) }
	for n := range 3 {
		if err := os.WriteFile(ballast(n), make([]byte, 5_000_000), 0o600); err != nil {
			return err
		}
	}
	taken := 0
	for round := range 3 {
		n, err := fillUp(s, by)
		if err != nil {
			return err
		}
		taken += n
		if err := os.Remove(ballast(round)); err != nil {
			return err
		}
		// There is space again.
		if err := s.AddReason(context.Background(), by, sampleReason(c.NewID())); err != nil {
			return fmt.Errorf("round %d: write after space was freed: %w", round, err)
		}
		list, err := s.Clients(context.Background(), by.Tenant, "", org.Page{Size: 1 << 20, Number: 1})
		if err != nil {
			return fmt.Errorf("round %d: list the clients: %w", round, err)
		}
		if list.Total != taken || len(list.Rows) != taken {
			return fmt.Errorf("round %d: %d rows exist and %d are counted, want the %d acknowledged writes", round, len(list.Rows), list.Total, taken)
		}
	}
	return nil
}

// fillUp writes in many goroutines until each has failed twice, and returns the
// number of acknowledged writes. Some write little, and some so much that a
// batch exceeds SQLite's cache: then the disk becomes full within a
// transaction, and SQLite rolls it back itself.
func fillUp(s *store.Store, by org.Actor) (taken int, failed error) {
	var acknowledged atomic.Int64
	errs := make(chan error, 32)
	var all sync.WaitGroup
	for n := range cap(errs) {
		all.Go(func() {
			for refusals := 0; refusals < 2; {
				c := sampleClient(uuid.Must(uuid.NewV7()))
				if n%2 == 0 {
					c.Logo = strings.Repeat("x", 2_000_000)
				}
				err := s.AddClient(context.Background(), by, c)
				if err == nil {
					acknowledged.Add(1)
					continue
				}
				refusals++
				if fault.KindOf(err) != fault.Unavailable {
					errs <- err
					return
				}
			}
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		failed = errors.Join(failed, fmt.Errorf("write to a full disk, want an error of kind Unavailable: %w", err))
	}
	return int(acknowledged.Load()), failed
}
