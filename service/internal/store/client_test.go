package store_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

func TestClientIsReadAsItWasWritten(t *testing.T) {
	cases := []struct {
		name   string
		change func(*trade.Client)
	}{
		{"every field", func(*trade.Client) {}},
		{"no identification", func(c *trade.Client) { c.Identifications = nil }},
		{"empty list of identifications", func(c *trade.Client) { c.Identifications = []org.Identification{} }},
		{"required fields only", func(c *trade.Client) {
			*c = trade.Client{ID: c.ID, Name: "x", Address: org.Address{CountryCode: "SA"}, CreatedAt: c.CreatedAt}
		}},
	}
	filled(t, sampleClient(uuid.Max))
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				client := sampleClient(s.config.NewID())
				c.change(&client)
				ok(t, s.AddClient(s.ctx, s.by, client))
				same(t, client)(s.Client(s.ctx, s.by.Tenant, client.ID))
			})
		}
	})
}

func TestClientChanges(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		kept, neighbour := sampleClient(s.config.NewID()), sampleClient(s.config.NewID())
		ok(t, s.AddClient(s.ctx, s.by, kept))
		ok(t, s.AddClient(s.ctx, s.by, neighbour))
		want := trade.Client{ID: kept.ID, Name: "another", Address: org.Address{City: "مكة", CountryCode: "SA"}, CreatedAt: kept.CreatedAt}
		seen := trade.Client{}
		same(t, want)(s.ChangeClient(s.ctx, s.by, kept.ID, func(c *trade.Client) error {
			seen, *c = *c, want
			return nil
		}))
		same(t, kept)(seen, nil)
		same(t, want)(s.Client(s.ctx, s.by.Tenant, kept.ID))
		same(t, neighbour)(s.Client(s.ctx, s.by.Tenant, neighbour.ID))
	})
}

func TestFailedClientChangeIsRolledBack(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		kept := sampleClient(s.config.NewID())
		ok(t, s.AddClient(s.ctx, s.by, kept))
		no := errors.New("no")
		_, err := s.ChangeClient(s.ctx, s.by, kept.ID, func(c *trade.Client) error {
			c.Name = "changed"
			return no
		})
		if !errors.Is(err, no) {
			t.Errorf("error of a failing change = %v, want %v", err, no)
		}
		same(t, kept)(s.Client(s.ctx, s.by.Tenant, kept.ID))
	})
}

// A change cannot redirect the write to another client by changing the id.
func TestClientKeepsItsID(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		kept, neighbour := sampleClient(s.config.NewID()), sampleClient(s.config.NewID())
		ok(t, s.AddClient(s.ctx, s.by, kept))
		ok(t, s.AddClient(s.ctx, s.by, neighbour))
		want := kept
		want.Name = "changed"
		same(t, want)(s.ChangeClient(s.ctx, s.by, kept.ID, func(c *trade.Client) error {
			c.ID, c.Name = neighbour.ID, "changed"
			return nil
		}))
		same(t, want)(s.Client(s.ctx, s.by.Tenant, kept.ID))
		same(t, neighbour)(s.Client(s.ctx, s.by.Tenant, neighbour.ID))
	})
}

// The error for a client of another organisation is the same as for one that
// does not exist.
func TestClientOfAnotherIsNotFound(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		foreign := sampleClient(s.config.NewID())
		ok(t, s.AddClient(s.ctx, s.other, foreign))
		for name, id := range map[string]uuid.UUID{"unknown id": s.config.NewID(), "client of another organisation": foreign.ID, "zero id": uuid.Nil} {
			t.Run(name, func(t *testing.T) {
				_, err := s.Client(s.ctx, s.by.Tenant, id)
				refused(t, err, fault.NotFound, "Buyer not found")
				_, err = s.ChangeClient(s.ctx, s.by, id, func(*trade.Client) error {
					t.Error("change was called for a client that was not found")
					return nil
				})
				refused(t, err, fault.NotFound, "Buyer not found")
			})
		}
		same(t, foreign)(s.Client(s.ctx, s.other.Tenant, foreign.ID))
	})
}

func TestClientIDsAreUniqueWithinAnOrganisation(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		c := sampleClient(s.config.NewID())
		ok(t, s.AddClient(s.ctx, s.by, c))
		if err := s.AddClient(s.ctx, s.by, c); err == nil {
			t.Error("inserting the same client twice succeeded, want an error")
		}
		theirs := c
		theirs.Name = "theirs"
		ok(t, s.AddClient(s.ctx, s.other, theirs)) // ids are unique only within an organisation
		same(t, c)(s.Client(s.ctx, s.by.Tenant, c.ID))
		same(t, theirs)(s.Client(s.ctx, s.other.Tenant, c.ID))
	})
}
