package service_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"khatm/service/internal/servicetest"
)

// TestBenchArchive compares the rate of creates with an awaited archive in a folder
// and the rate without an archive. Servers with and without it take turns.
func TestBenchArchive(t *testing.T) {
	benchmarking(t)
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			var ratios []float64
			for range 5 {
				rates := map[bool]float64{}
				for _, archived := range []bool{false, true} {
					b := newLoaded(t, engine.NewDatabase(t))
					location := ""
					if archived {
						location = filepath.Join(t.TempDir(), "archive")
					}
					v := startProcess(t, b.data, b.database, "", "KHATM_TEST_SERVER_ARCHIVE="+location)
					b.creates(v, 10)
					began := time.Now()
					n := b.creates(v, 100)
					rates[archived] = float64(n) / time.Since(began).Seconds()
					v.kill()
				}
				ratios = append(ratios, rates[true]/rates[false])
				t.Logf("%.0f creates/s with an awaited archive, %.0f without: ratio %.2f", rates[true], rates[false], rates[true]/rates[false])
			}
			slices.Sort(ratios)
			median := ratios[len(ratios)/2]
			const limit = 0.75
			t.Logf("with an awaited archive the rate is %.2f of the rate without (at least %.2f)", median, limit)
			if median < limit {
				t.Errorf("with an awaited archive the rate is %.2f of the rate without, want at least %.2f", median, limit)
			}
		})
	}
}
