package store_test

import (
	"context"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

func TestSmoke(t *testing.T) {
	storetest.Each(t, func(t *testing.T, c store.Config) {
		start := time.Now()
		s := storetest.Open(t, c)
		t.Log("open", time.Since(start))
		ctx := context.Background()
		o := org.Organisation{ID: c.NewID(), Name: "A", VATNumber: "300000000000003", Address: org.Address{CountryCode: "SA"}, Status: org.Active, Plan: "business", CreatedAt: c.Now()}
		if err := s.AddOrganisation(ctx, org.Operator(org.Tenant{}, "x"), o); err != nil {
			t.Fatal(err)
		}
		got, err := s.Organisation(ctx, org.TenantOf(o.ID))
		if err != nil || got != o {
			t.Fatal(got, err)
		}
		u, err := s.Usage(ctx, org.TenantOf(o.ID), c.Now())
		t.Log(u, err)
		n, head, err := s.SealTrail(ctx, 100)
		t.Log(n, head.Number, err)
		t.Log(s.Devices(ctx, org.TenantOf(o.ID), org.Page{Size: 20, Number: 1}))
		t.Log(s.Clients(ctx, org.TenantOf(o.ID), "", org.Page{Size: 20, Number: 1}))
	})
}
