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
	each(t, func(t *testing.T, s *fixture) {
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

// A plan that the operator has changed is not reset at the next start.
func TestInstallationKeepsItsPlans(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		plans := org.FirstPlans()
		plans[0].Invoices = 99
		same(t, plans[0])(s.ChangePlan(s.ctx, s.by, plans[0].Slug, func(p *org.Plan) error { *p = plans[0]; return nil }))
		s.Close()
		same(t, plans)(storetest.Open(t, s.config).Plans(s.ctx))
	})
}

func TestStamp(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		same(t, device.Environment(""))(s.Environment(s.ctx))
		for _, statement := range []string{
			`UPDATE installation SET environment = 'moon'`,
			`UPDATE installation SET created_at = NULL`,
			`UPDATE installation SET master_key = 'short'`,
		} {
			if _, err := s.raw.Exec(statement); !isRefusal(err) {
				t.Errorf("%s: %v, want a refusal", statement, err)
			}
		}
		if err := s.Stamp(s.ctx, "moon"); err == nil {
			t.Error("Stamp with an unknown environment succeeded, want an error")
		}
		same(t, device.Environment(""))(s.Environment(s.ctx))
		ok(t, s.Stamp(s.ctx, device.Simulation))
		ok(t, s.Stamp(s.ctx, device.Simulation))
		for _, other := range []device.Environment{device.Simulator, device.Sandbox, device.Production} {
			err := s.Stamp(s.ctx, other)
			if err == nil {
				t.Fatalf("Stamp with a second environment %s succeeded, want an error", other)
			}
			for _, word := range []string{"simulation", string(other), "--authority simulation"} {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("error %q does not contain %q", err, word)
				}
			}
		}
		same(t, device.Simulation)(s.Environment(s.ctx))
		s.Close()
		again := storetest.Open(t, s.config)
		ok(t, again.Stamp(s.ctx, device.Simulation))
		if err := again.Stamp(s.ctx, device.Production); err == nil {
			t.Error("Stamp with another environment after a restart succeeded, want an error")
		}
	})
}

// runStamp waits for the end of its input, stamps the given environments and
// prints those that were accepted.
func runStamp(environments []string) error {
	s, err := store.Command(context.Background(), processConfig())
	if err != nil {
		return err
	}
	defer s.Close()
	fmt.Println("ready")
	waitForEOF()
	for _, e := range environments {
		if err := s.Stamp(context.Background(), device.Environment(e)); err == nil {
			fmt.Println(e)
		}
	}
	return nil
}

func TestConcurrentStamps(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		var all []*process
		for _, e := range device.Environments() {
			all = append(all, start(t, "stamp", s.config, string(e)))
		}
		for _, p := range all {
			if got := p.line(); got != "ready" {
				t.Fatalf("process printed %q, want ready", got)
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
			t.Errorf("accepted environments = %q, stored environment = %q, %v, want the same one", stamped, kept, err)
		}
	})
}

// Environment returns an error if the database has no installation row.
func TestEnvironmentWithoutAnInstallation(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		drop := `DROP TRIGGER installation_stays`
		if s.config.URL != "" {
			drop += ` ON installation`
		}
		s.execute(drop)
		s.execute(`DELETE FROM installation`)
		if _, err := s.Environment(s.ctx); err == nil || !strings.Contains(err.Error(), "has no installation") {
			t.Errorf("error without an installation row = %v, want \"has no installation\"", err)
		}
	})
}

func TestMasterKeyIsTiedOnce(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		first, second := "0123456789abcdef", "fedcba9876543210"
		same(t, "")(s.MasterKey(s.ctx))
		same(t, first)(s.TieMasterKey(s.ctx, first))
		same(t, first)(s.TieMasterKey(s.ctx, second))
		same(t, first)(s.MasterKey(s.ctx))
		ok(t, s.ChangeMasterKey(s.ctx, s.by, second))
		same(t, second)(s.TieMasterKey(s.ctx, first))
	})
}
