package issue_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/servicetest"

	"github.com/google/uuid"
)

func TestConcurrentCreatesMakeOneChainADevice(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		var devices []uuid.UUID
		for range 5 {
			devices = append(devices, h.Issuing(h.Org, nil).ID)
		}
		each := testtool.Count(5, 10)
		var all sync.WaitGroup
		for w := range 20 {
			all.Go(func() {
				for n := range each {
					text := shop.Simplified(servicetest.Fields{"device": devices[(w+n)%5], "form_lines": []any{shop.Line(servicetest.Fields{"item_name": fmt.Sprint("Coffee ", w*100+n)})}})
					if a := shop.Create(text); a.Status != http.StatusAccepted {
						t.Errorf("create: got %d %s, want 202", a.Status, a.Body)
					}
				}
			})
		}
		all.Wait()
		if got := h.CheckChains(h.Org); got != 20*each {
			t.Errorf("the chains have %d documents, want %d", got, 20*each)
		}
	})
}
