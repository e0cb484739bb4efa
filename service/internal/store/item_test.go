package store_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/trade"
)

func stockOf(text string) func(*trade.Item) {
	return func(i *trade.Item) {
		stock := decimalOf(text)
		i.Stock = &stock
	}
}

func TestItemIsReadAsItWasWritten(t *testing.T) {
	cases := []struct {
		name   string
		change func(*trade.Item)
	}{
		{"every field", func(*trade.Item) {}},
		{"no stock", func(i *trade.Item) { i.Stock = nil }},
		{"stock of zero", stockOf("0")},
		{"the largest stock", stockOf("999999999999999.999999")},
		{"the smallest stock", stockOf("0.000001")},
		{"no images", func(i *trade.Item) { i.Images = nil }},
		{"empty list of images", func(i *trade.Item) { i.Images = []trade.Image{} }},
		{"ten images", func(i *trade.Item) {
			i.Images = nil
			for range 10 {
				i.Images = append(i.Images, trade.Image{Key: strings.Repeat("k", 200), Type: "image/webp"})
			}
		}},
		{"inactive", func(i *trade.Item) { i.Active = false }},
		{"price of 0.01", func(i *trade.Item) { i.Price = decimalOf("0.01") }},
		{"fifty letters of Arabic", func(i *trade.Item) { i.Name = strings.Repeat("خ", 50) }},
		{"standard rated", func(i *trade.Item) {
			i.Category, i.Rate, i.ReasonCode, i.ReasonText = "S", money.FromInt(15), "", ""
		}},
	}
	filled(t, sampleItem(uuid.Max))
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				item := sampleItem(s.config.NewID())
				c.change(&item)
				ok(t, s.AddItem(s.ctx, s.by, item))
				same(t, item)(s.Item(s.ctx, s.by.Tenant, item.ID))
			})
		}
	})
}

func TestItemChanges(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		kept, neighbour := sampleItem(s.config.NewID()), sampleItem(s.config.NewID())
		ok(t, s.AddItem(s.ctx, s.by, kept))
		ok(t, s.AddItem(s.ctx, s.by, neighbour))
		want := trade.Item{ID: kept.ID, Name: "another", Price: money.FromInt(3), Unit: "PCE", Category: "S", Rate: money.FromInt(5), CreatedAt: kept.CreatedAt}
		seen := trade.Item{}
		same(t, want)(s.ChangeItem(s.ctx, s.by, kept.ID, func(i *trade.Item) error {
			seen, *i = *i, want
			i.ID = neighbour.ID // the write still goes to the requested item
			return nil
		}))
		same(t, kept)(seen, nil)
		same(t, want)(s.Item(s.ctx, s.by.Tenant, kept.ID))
		same(t, neighbour)(s.Item(s.ctx, s.by.Tenant, neighbour.ID))
	})
}

func TestItemCodesAreUnique(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		item := func(sku, barcode string) trade.Item {
			i := sampleItem(s.config.NewID())
			i.SKU, i.Barcode = sku, barcode
			return i
		}
		first, foreign := item("A-1", "628"), item("A-1", "628")
		ok(t, s.AddItem(s.ctx, s.by, first))
		ok(t, s.AddItem(s.ctx, s.other, foreign))
		for range 2 {
			ok(t, s.AddItem(s.ctx, s.by, item("", "")))
		}
		other := item("628", "A-1") // the codes are compared separately
		ok(t, s.AddItem(s.ctx, s.by, other))
		codeTaken(t, s.AddItem(s.ctx, s.by, item("A-1", "629")), "sku")
		codeTaken(t, s.AddItem(s.ctx, s.by, item("A-1", "628")), "sku")
		codeTaken(t, s.AddItem(s.ctx, s.by, item("A-2", "628")), "barcode")
		codeTaken(t, s.AddItem(s.ctx, s.by, item("", "628")), "barcode")
		_, err := s.ChangeItem(s.ctx, s.by, other.ID, func(i *trade.Item) error { i.SKU = "A-1"; return nil })
		codeTaken(t, err, "sku")
		same(t, other)(s.Item(s.ctx, s.by.Tenant, other.ID))
		changed := first
		changed.SKU = "A-3"
		same(t, changed)(s.ChangeItem(s.ctx, s.by, first.ID, func(i *trade.Item) error { i.SKU = "A-3"; return nil }))
		ok(t, s.AddItem(s.ctx, s.by, item("A-1", "")))
	})
}

// codeTaken expects a refusal because another item has the code at path.
func codeTaken(t testing.TB, err error, path string) {
	t.Helper()
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Kind() != fault.Invalid || len(refusal.Problems) != 1 || refusal.Problems[0].Path != path {
		t.Errorf("error = %v, want a refusal at %s", err, path)
	}
}

func TestOneOfConcurrentItemsGetsACode(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		const count = 8
		results := make(chan error, count)
		for range count {
			i := sampleItem(s.config.NewID())
			i.SKU = "A-1"
			go func() { results <- s.AddItem(s.ctx, s.by, i) }()
		}
		stored := 0
		for range count {
			if err := <-results; err == nil {
				stored++
			} else {
				codeTaken(t, err, "sku")
			}
		}
		if stored != 1 {
			t.Errorf("%d items were stored with the same SKU, want 1", stored)
		}
	})
}

func TestFailedItemChangeIsRolledBack(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		kept := sampleItem(s.config.NewID())
		ok(t, s.AddItem(s.ctx, s.by, kept))
		no := errors.New("no")
		_, err := s.ChangeItem(s.ctx, s.by, kept.ID, func(i *trade.Item) error {
			i.Name = "changed"
			return no
		})
		if !errors.Is(err, no) {
			t.Errorf("error of a failing change = %v, want %v", err, no)
		}
		same(t, kept)(s.Item(s.ctx, s.by.Tenant, kept.ID))
	})
}

func TestItemOfAnotherIsNotFound(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		foreign := sampleItem(s.config.NewID())
		ok(t, s.AddItem(s.ctx, s.other, foreign))
		for name, id := range map[string]uuid.UUID{"unknown id": s.config.NewID(), "item of another organisation": foreign.ID, "zero id": uuid.Nil} {
			t.Run(name, func(t *testing.T) {
				_, err := s.Item(s.ctx, s.by.Tenant, id)
				refused(t, err, fault.NotFound, "Item not found")
				_, err = s.ChangeItem(s.ctx, s.by, id, func(*trade.Item) error {
					t.Error("change was called for an item that was not found")
					return nil
				})
				refused(t, err, fault.NotFound, "Item not found")
			})
		}
		same(t, foreign)(s.Item(s.ctx, s.other.Tenant, foreign.ID))
	})
}

func TestItemsByID(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		first, second, foreign := sampleItem(s.config.NewID()), sampleItem(s.config.NewID()), sampleItem(s.config.NewID())
		second.Stock = nil
		ok(t, s.AddItem(s.ctx, s.by, first))
		ok(t, s.AddItem(s.ctx, s.by, second))
		ok(t, s.AddItem(s.ctx, s.other, foreign))
		both := map[uuid.UUID]trade.Item{first.ID: first, second.ID: second}
		none := map[uuid.UUID]trade.Item{}
		many := []uuid.UUID{second.ID, uuid.Nil, first.ID, foreign.ID, first.ID}
		same(t, both)(s.ItemsByID(s.ctx, s.by.Tenant, many))
		same(t, none)(s.ItemsByID(s.ctx, s.by.Tenant, nil))
		same(t, none)(s.ItemsByID(s.ctx, s.by.Tenant, []uuid.UUID{foreign.ID}))
		unknown := 40_000 // more than SQLite accepts in a statement
		if s.config.URL != "" {
			unknown = testtool.Count(5_000, 70_000) // several statements; or more than PostgreSQL accepts in one
		}
		for range unknown {
			many = append(many, s.config.NewID())
		}
		same(t, both)(s.ItemsByID(s.ctx, s.by.Tenant, many))
	})
}

func TestReasons(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		same(t, []trade.Reason{})(s.Reasons(s.ctx, s.by.Tenant))
		first, second, foreign := sampleReason(s.config.NewID()), sampleReason(s.config.NewID()), sampleReason(s.config.NewID())
		filled(t, first)
		ok(t, s.AddReason(s.ctx, s.by, first))
		ok(t, s.AddReason(s.ctx, s.by, second))
		ok(t, s.AddReason(s.ctx, s.other, foreign))
		ok(t, s.SetReason(s.ctx, s.by, first.ID, false))
		first.Active = false
		same(t, []trade.Reason{first, second})(s.Reasons(s.ctx, s.by.Tenant))
		same(t, first)(s.Reason(s.ctx, s.by.Tenant, first.ID))
		for _, id := range []uuid.UUID{foreign.ID, uuid.Nil, uuid.Max} {
			_, err := s.Reason(s.ctx, s.by.Tenant, id)
			refused(t, err, fault.NotFound, "Reason not found")
		}
		refused(t, s.SetReason(s.ctx, s.by, s.config.NewID(), false), fault.NotFound, "Reason not found")
		refused(t, s.SetReason(s.ctx, s.by, foreign.ID, false), fault.NotFound, "Reason not found")
		same(t, []trade.Reason{foreign})(s.Reasons(s.ctx, s.other.Tenant))
	})
}
