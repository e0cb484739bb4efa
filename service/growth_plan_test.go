package service_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/servicetest"
)

// growth is the state of a run of TestGrowth. It is kept in a file, so that the
// run can be resumed; the number of documents is read from the database.
type growth struct {
	Total   int       // documents at the end of the run
	Start   time.Time // date of the first document
	Sellers []grown
	Figures figures

	path string
}

// grown is an organisation that documents are loaded into.
type grown struct {
	ID      uuid.UUID
	Key     string // API key; empty if nothing is measured with this organisation
	Devices []uuid.UUID
	Buyers  []uuid.UUID
	Dormant []uuid.UUID // buyers of the first documents only
}

const (
	growthSellers = 500
	growthSpan    = 24 * 30 * 24 * time.Hour // from the first document to the last
	growthDormant = 50
)

// largest and smallest are the organisations that are measured.
func (g *growth) largest() *grown  { return &g.Sellers[0] }
func (g *growth) smallest() *grown { return &g.Sellers[growthSellers-1] }

// growthShare returns the share of an organisation in all documents, in parts of
// growthShares(): three have a tenth each, the next twenty have 1.5 % each, and the
// others have the remaining 40 %, the first of them three times as much as the last.
func growthShare(seller int) int {
	switch {
	case seller < 3:
		return 10_000_000
	case seller < 23:
		return 1_500_000
	}
	const small = growthSellers - 23
	average := 40_000_000 / small
	return average/2 + average*(small-1-(seller-23))/(small-1)
}

// growthShares returns the sum of all shares.
func growthShares() int {
	sum := 0
	for n := range growthSellers {
		sum += growthShare(n)
	}
	return sum
}

// growthQuotas returns how many of a number of documents each organisation has.
func growthQuotas(documents int) []int {
	quotas := make([]int, growthSellers)
	sum, before, all := 0, 0, growthShares()
	for n := range quotas {
		sum += growthShare(n)
		to := documents * sum / all
		quotas[n], before = to-before, to
	}
	return quotas
}

// growthSteps returns the sizes at which a run measures.
func growthSteps(total int) []int {
	steps := slices.DeleteFunc([]int{10_000, 100_000, 1_000_000}, func(n int) bool { return n >= total })
	return append(steps, total)
}

// date returns the date of a document.
func (g *growth) date(document int) time.Time {
	return g.Start.Add(time.Duration(float64(growthSpan) * float64(document) / float64(g.Total)))
}

// openGrowth reads the state of a run, or returns a new one with no organisations.
func openGrowth(path string, total int) (*growth, error) {
	g := &growth{Start: time.Now().Add(-growthSpan).Truncate(time.Second), Figures: figures{}}
	text, err := os.ReadFile(path)
	switch {
	case err == nil:
		err = json.Unmarshal(text, g)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	g.path, g.Total = path, total
	return g, err
}

// save writes the state of a run. A crash leaves either the old or the new one.
func (g *growth) save(t *testing.T) {
	t.Helper()
	text, err := json.MarshalIndent(g, "", " ")
	if err == nil {
		err = os.WriteFile(g.path+".new", text, 0o600)
	}
	if err == nil {
		err = os.Rename(g.path+".new", g.path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestGrowthPlan checks the distribution of the documents over organisations and
// dates.
func TestGrowthPlan(t *testing.T) {
	for _, documents := range []int{0, 1, 10_000, 50_000, 3_000_000} {
		sum := 0
		for _, quota := range growthQuotas(documents) {
			sum += quota
		}
		servicetest.Equal(t, fmt.Sprintf("sum of the quotas of %d documents", documents), sum, documents)
	}
	quotas := growthQuotas(3_000_000)
	for n, quota := range quotas {
		switch {
		case n < 3 && (quota < 290_000 || quota > 310_000):
			t.Errorf("large organisation %d has %d of 3,000,000 documents, want about 300,000", n, quota)
		case n >= 23 && (quota < 1_000 || quota > 4_000):
			t.Errorf("small organisation %d has %d of 3,000,000 documents, want 1,000 to 4,000", n, quota)
		}
	}
	if quotas[growthSellers-1] >= quotas[23] {
		t.Errorf("the last organisation has %d documents, the first small one %d; want fewer", quotas[growthSellers-1], quotas[23])
	}
	for total, want := range map[int][]int{
		5_000: {5_000}, 10_000: {10_000}, 50_000: {10_000, 50_000}, 3_000_000: {10_000, 100_000, 1_000_000, 3_000_000},
	} {
		servicetest.Same(t, fmt.Sprint("steps to ", total), growthSteps(total), want)
	}
	g := &growth{Total: 3_000_000, Start: time.Date(2024, 11, 1, 0, 0, 0, 0, time.UTC)}
	servicetest.Equal(t, "date of the first document", g.date(0), g.Start)
	servicetest.Equal(t, "date of the last document", g.date(3_000_000), g.Start.Add(growthSpan))
}

// TestGrowthState checks that a run finds its state again.
func TestGrowthState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "growth.json")
	g, err := openGrowth(path, 10_000)
	if err != nil || len(g.Sellers) > 0 {
		t.Fatalf("new state: %d organisations, %v; want none", len(g.Sellers), err)
	}
	g.Sellers = []grown{{ID: uuid.New(), Key: "key"}}
	g.Figures.set("list", 10_000, figure{Median: time.Millisecond})
	g.save(t)
	again, err := openGrowth(path, 50_000)
	if err != nil {
		t.Fatal(err)
	}
	servicetest.Equal(t, "total", again.Total, 50_000)
	g.Total = 50_000
	servicetest.Same(t, "organisations", again.Sellers, g.Sellers)
	servicetest.Same(t, "figures", again.Figures, g.Figures)
	if !again.Start.Equal(g.Start) {
		t.Errorf("start = %s, want %s", again.Start, g.Start)
	}
}
