package service_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"khatm/seal"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/witness"
)

// wholeBook reads every invoice of an organisation, the oldest first.
func (h *house) wholeBook(o org.Organisation) []ledger.Invoice {
	h.t.Helper()
	var book []ledger.Invoice
	page := org.Page{Size: 100, Number: 1}
	for {
		list, err := h.service.Store().Invoices(context.Background(), org.TenantOf(o.ID), ledger.Filter{}, page)
		if err != nil {
			h.t.Fatal(err)
		}
		book = append(book, list.Rows...)
		if list.Next == uuid.Nil {
			break
		}
		page.After = list.Next
	}
	slices.Reverse(book)
	return book
}

// provesChains holds every document of an organisation against the witness:
// counters from 1 without a gap, each document linked to the one before, hash,
// stamp and QR right, numbers of each series without a gap, times in order.
func (h *house) provesChains(o org.Organisation) int {
	h.t.Helper()
	type end struct {
		counter int64
		hash    string
		at      int64
	}
	ends := map[uuid.UUID]end{}
	numbers := map[string]bool{}
	book := h.wholeBook(o)
	slices.SortStableFunc(book, func(a, b ledger.Invoice) int { return int(a.Counter - b.Counter) })
	for _, i := range book {
		last, begun := ends[i.Device]
		if !begun {
			last.hash = seal.GenesisHash
		}
		xml, err := h.service.Store().SignedXML(context.Background(), org.TenantOf(o.ID), i.ID)
		if err != nil {
			h.t.Fatal(err)
		}
		report, err := witness.Verify(xml, witness.Expect{PreviousHash: last.hash, RequireStamp: true})
		if err != nil || len(report.Findings) > 0 {
			h.t.Fatalf("%s: %v %v", i.Number, err, report.Findings)
		}
		if i.Counter != last.counter+1 || i.PreviousHash != last.hash || report.Hash != i.Hash {
			h.t.Fatalf("%s: counter %d after %d, previous hash %s after %s", i.Number, i.Counter, last.counter, i.PreviousHash, last.hash)
		}
		if i.IssuedAt.UnixMilli() < last.at {
			h.t.Fatalf("%s was issued before the one before it", i.Number)
		}
		if numbers[i.Number] {
			h.t.Fatalf("number %s was given twice", i.Number)
		}
		numbers[i.Number] = true
		ends[i.Device] = end{i.Counter, i.Hash, i.IssuedAt.UnixMilli()}
	}
	return len(book)
}

func TestConcurrentCreatesMakeOneChainADevice(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		shop := h.till()
		var devices []uuid.UUID
		for range 5 {
			devices = append(devices, h.issuing(h.org, nil).ID)
		}
		var all sync.WaitGroup
		for w := range 20 {
			all.Go(func() {
				for n := range 10 {
					text := shop.simplified(fields{"device": devices[(w+n)%5], "form_lines": []any{shop.line(fields{"item_name": fmt.Sprint("Coffee ", w*100+n)})}})
					if a := shop.create(text); a.status != http.StatusAccepted {
						t.Errorf("%d %s", a.status, a.body)
					}
				}
			})
		}
		all.Wait()
		if got := h.provesChains(h.org); got != 200 {
			t.Errorf("%d documents", got)
		}
	})
}
