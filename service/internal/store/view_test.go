package store_test

import (
	"errors"
	"fmt"
	"testing"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

func TestViews(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		noura, _ := s.signedIn()
		fahd, _ := s.signedIn()
		by, other := s.by, s.by
		by.ID, other.ID = noura.ID, fahd.ID
		v, clients := sampleView(s.config.NewID()), sampleView(s.config.NewID())
		clients.List = "clients"
		filled(t, v)
		ok(t, s.AddView(s.ctx, by, v))
		ok(t, s.AddView(s.ctx, by, clients))
		same(t, []org.View{clients, v})(s.Views(s.ctx, by.Tenant, noura.ID, ""))
		same(t, []org.View{v})(s.Views(s.ctx, by.Tenant, noura.ID, "invoices"))
		same(t, []org.View{})(s.Views(s.ctx, by.Tenant, noura.ID, "items"))
		same(t, []org.View{})(s.Views(s.ctx, by.Tenant, fahd.ID, ""))
		same(t, []org.View{})(s.Views(s.ctx, s.other.Tenant, noura.ID, ""))

		const taken = "You already have a view of this list with this name."
		again := sampleView(s.config.NewID())
		refused(t, s.AddView(s.ctx, by, again), fault.Invalid, taken)
		ok(t, s.AddView(s.ctx, other, again)) // another person may use the name
		again.ID, again.Name = s.config.NewID(), "All"
		ok(t, s.AddView(s.ctx, by, again))
		_, err := s.ChangeView(s.ctx, by, again.ID, func(v *org.View) error { v.Name = "Rejected"; return nil })
		refused(t, err, fault.Invalid, taken)
		no := errors.New("no")
		if _, err := s.ChangeView(s.ctx, by, again.ID, func(v *org.View) error { v.Name = "x"; return no }); !errors.Is(err, no) {
			t.Errorf("error of a refused change = %v, want %v", err, no)
		}
		again.Name, again.Query = "Every", ""
		same(t, again)(s.ChangeView(s.ctx, by, again.ID, func(v *org.View) error { v.Name, v.Query = "Every", ""; return nil }))
		same(t, []org.View{again, v})(s.Views(s.ctx, by.Tenant, noura.ID, "invoices"))

		// A person cannot change the views of another one, or of another organisation.
		abroad := s.other
		abroad.ID = noura.ID
		for _, who := range []org.Actor{other, abroad} {
			_, err := s.ChangeView(s.ctx, who, v.ID, func(*org.View) error { return nil })
			refused(t, err, fault.NotFound, "View not found")
			refused(t, s.RemoveView(s.ctx, who, v.ID), fault.NotFound, "View not found")
		}
		ok(t, s.RemoveView(s.ctx, by, again.ID))
		refused(t, s.RemoveView(s.ctx, by, again.ID), fault.NotFound, "View not found")
		same(t, []org.View{clients, v})(s.Views(s.ctx, by.Tenant, noura.ID, ""))

		for n := 2; n < org.MostViews; n++ {
			one := sampleView(s.config.NewID())
			one.Name = fmt.Sprint("view ", n)
			ok(t, s.AddView(s.ctx, by, one))
		}
		one := sampleView(s.config.NewID())
		one.Name = "one too many"
		refused(t, s.AddView(s.ctx, by, one), fault.Conflict, "You have saved 50 views, which is the maximum. Delete one first.")
	})
}
