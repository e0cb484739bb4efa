package store_test

import (
	"sync"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
)

func sampleReset(id uuid.UUID) account.Reset {
	return account.Reset{ID: id, At: instantOf(0), Email: "noura@example.sa", Language: "ar", Address: "192.0.2.1", Request: "a request"}
}

// Requests wait until they are answered. Their number is limited.
func TestResetRequests(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		var all []account.Reset
		for range account.MostResets {
			all = append(all, sampleReset(s.config.NewID()))
			ok(t, s.AddReset(s.ctx, all[len(all)-1]))
		}
		if err := s.AddReset(s.ctx, sampleReset(s.config.NewID())); fault.CodeOf(err) != fault.ServerBusy {
			t.Errorf("error of one more request = %v, want %s", err, fault.ServerBusy)
		}
		same(t, all)(s.Resets(s.ctx))
		ok(t, s.EndReset(s.ctx, all[0].ID))
		same(t, all[1:])(s.Resets(s.ctx))
		ok(t, s.AddReset(s.ctx, all[0]))
	})
}

// Of several servers that answer a request, one sends an e-mail.
func TestResetRequestIsAnsweredOnce(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		p := s.user(t)
		first, letter := samplePasswordLink(s, p, 1)
		var all sync.WaitGroup
		for n := range 4 {
			l, letter := first, letter
			l.ID, l.Digest, letter.ID = s.config.NewID(), digestOf(byte(n+1)), s.config.NewID()
			all.Go(func() {
				if err := s.AddPasswordLink(s.ctx, s.by, l, letter); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for _, table := range []string{"access_link", "letter"} {
			same(t, 1)(s.count(`SELECT count(*) FROM `+table), nil)
		}
		same(t, 0)(s.count(`SELECT count(*) FROM reset_request`), nil)
	})
}
