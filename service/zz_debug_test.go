package service_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/service"
	"khatm/service/internal/ledger"
	"khatm/simulator"
)

func TestZZ(t *testing.T) {
	for _, engine := range engines()[:1] {
		office := openOffice(t, simulator.Config{Seed: 7})
		s := office.opens(t, func(c *service.Config) {
			engine.set(t, c)
			c.Log, c.Sending.Workers, c.Sending.LeaseMargin = quiet(), 16, 30*time.Second
		})
		shop := s.shop()
		office.mood(faults)
		ids := shop.many(2000)
		t.Log("created", time.Now().Format("04:05"))
		shop.askUntilFinal(ids, 3*time.Minute)
		t.Log("final", time.Now().Format("04:05"))
		causes := map[string]int{}
		hist := map[string]int{}
		for _, id := range ids {
			for _, a := range shop.attempts(id) {
				if a.Outcome == ledger.Unknown {
					raw := ""
					if a.Cause == "" {
						raw = string(a.Raw[:min(len(a.Raw), 40)])
					}
					causes[a.Cause+"|"+raw]++
					if strings.HasPrefix(a.Cause, "no answer in time: context") {
						hist[fmt.Sprintf("%s sent=%v %s %s", a.ClaimedAt.Format("04:05.0"), a.Sent, a.Route, a.Took.Round(20*time.Millisecond))]++
					}
				}
			}
		}
		for _, k := range slices.Sorted(maps.Keys(hist)) {
			t.Log(k, hist[k])
		}
		for c, n := range causes {
			if n > 3 {
				t.Logf("%s %5d %q", engine.name, n, c)
			}
		}
	}
}
