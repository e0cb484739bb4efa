package store_test

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/store"
)

// runWriter adds clients to an organisation, as a server or a command: count
// clients in each of the given number of goroutines, or until it is killed if
// count is 0. It prints the id of each acknowledged client and the microseconds
// that it took. A server also seals the audit trail.
func runWriter(args []string) error {
	how, of := args[0], uuid.MustParse(args[1])
	goroutines, _ := strconv.Atoi(args[2])
	count, _ := strconv.Atoi(args[3])
	open := store.Serve
	if how == "command" {
		open = store.Command
	}
	s, err := open(context.Background(), processConfig())
	if err != nil {
		return err
	}
	defer s.Close()
	by := system
	by.Tenant = org.TenantOf(of)
	failed := make(chan error, 1)
	fail := func(err error) {
		if err != nil {
			select {
			case failed <- err:
			default:
			}
		}
	}
	var all sync.WaitGroup
	var over atomic.Bool
	for range goroutines {
		all.Go(func() { fail(addClients(s, by, count)) })
	}
	var sealer sync.WaitGroup
	sealer.Go(func() {
		for how == "serve" && !over.Load() {
			_, _, err := s.SealTrail(context.Background(), org.Link{}, 20)
			fail(err)
		}
	})
	all.Wait()
	over.Store(true)
	sealer.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

func addClients(s *store.Store, by org.Actor, count int) error {
	for n := 0; count == 0 || n < count; n++ {
		c := sampleClient(uuid.Must(uuid.NewV7()))
		from := time.Now()
		if err := s.AddClient(context.Background(), by, c); err != nil {
			return err
		}
		// One call writes the whole line, so that a kill does not truncate it.
		if _, err := fmt.Println(c.ID, time.Since(from).Microseconds()); err != nil {
			return err
		}
	}
	return nil
}
