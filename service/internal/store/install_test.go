package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

func TestInstallationIsWrittenOnce(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		id := s.texts(`SELECT CAST(id AS TEXT) FROM installation`)
		s.Close()
		for range 2 {
			again, err := store.Serve(s.ctx, s.config)
			ok(t, err)
			again.Close()
			command, err := store.Command(s.ctx, s.config)
			ok(t, err)
			same(t, org.FirstPlans())(command.Plans(s.ctx))
			command.Close()
		}
		same(t, id)(s.texts(`SELECT CAST(id AS TEXT) FROM installation`), nil)
	})
}

// A plan that the operator changed is not set back at the next start.
func TestInstallationKeepsItsPlans(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		plans := org.FirstPlans()
		plans[0].Invoices = 99
		same(t, plans[0])(s.ChangePlan(s.ctx, s.by, plans[0].Slug, func(p *org.Plan) error { *p = plans[0]; return nil }))
		s.Close()
		same(t, plans)(storetest.Open(t, s.config).Plans(s.ctx))
	})
}

func TestEnvironmentIsStampedByTheFirstServer(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		same(t, device.Environment(""))(s.Environment(s.ctx))
		for _, statement := range []string{
			`UPDATE installation SET environment = 'moon'`,
			`UPDATE installation SET created_at = NULL`,
			`UPDATE installation SET master_key = 'short'`,
		} {
			if _, err := s.raw.Exec(statement); !isRefusal(err) {
				t.Errorf("%s: %v", statement, err)
			}
		}
		if err := s.Stamp(s.ctx, "moon"); err == nil {
			t.Error("an environment that is none was stamped")
		}
		same(t, device.Environment(""))(s.Environment(s.ctx))
		ok(t, s.Stamp(s.ctx, device.Simulation))
		ok(t, s.Stamp(s.ctx, device.Simulation))
		for _, other := range []device.Environment{device.Simulator, device.Sandbox, device.Production} {
			err := s.Stamp(s.ctx, other)
			if err == nil {
				t.Fatalf("%s was stamped too", other)
			}
			for _, word := range []string{"simulation", string(other), "--authority simulation"} {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%v does not say %q", err, word)
				}
			}
		}
		same(t, device.Simulation)(s.Environment(s.ctx))
		s.Close()
		again := storetest.Open(t, s.config)
		ok(t, again.Stamp(s.ctx, device.Simulation))
		if err := again.Stamp(s.ctx, device.Production); err == nil {
			t.Error("another was stamped after a restart")
		}
	})
}

// playStamp stamps the environments it is given, when it is told, and prints
// those it was allowed.
func playStamp(environments []string) error {
	s, err := store.Command(context.Background(), mine())
	if err != nil {
		return err
	}
	defer s.Close()
	fmt.Println("ready")
	untilTold()
	for _, e := range environments {
		if err := s.Stamp(context.Background(), device.Environment(e)); err == nil {
			fmt.Println(e)
		}
	}
	return nil
}

func TestEnvironmentIsOneForProcessesThatStampAtOnce(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		var all []*process
		for _, e := range device.Environments() {
			all = append(all, start(t, "stamp", s.config, string(e)))
		}
		for _, p := range all {
			if got := p.line(); got != "ready" {
				t.Fatalf("said %q", got)
			}
		}
		var stamped []string
		for _, p := range all {
			ok(t, p.stdin.Close())
		}
		for _, p := range all {
			stamped = append(stamped, p.rest()...)
			ok(t, p.end())
		}
		kept, err := s.Environment(s.ctx)
		if err != nil || !slices.Equal(stamped, []string{string(kept)}) {
			t.Errorf("stamped %q, kept %q, %v", stamped, kept, err)
		}
	})
}

// A database that is not an installation says so.
func TestEnvironmentWithoutAnInstallation(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		drop := `DROP TRIGGER installation_stays`
		if s.config.URL != "" {
			drop += ` ON installation`
		}
		s.execute(drop)
		s.execute(`DELETE FROM installation`)
		if _, err := s.Environment(s.ctx); err == nil || !strings.Contains(err.Error(), "not an installation") {
			t.Errorf("got %v", err)
		}
	})
}

func TestMasterKeyIsTiedOnce(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		first, second := "0123456789abcdef", "fedcba9876543210"
		same(t, "")(s.MasterKey(s.ctx))
		same(t, first)(s.TieMasterKey(s.ctx, first))
		same(t, first)(s.TieMasterKey(s.ctx, second))
		same(t, first)(s.MasterKey(s.ctx))
		ok(t, s.ChangeMasterKey(s.ctx, s.by, second))
		same(t, second)(s.TieMasterKey(s.ctx, first))
	})
}
