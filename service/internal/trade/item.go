package trade

import (
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/fault"
)

// Item is a product or service of the catalogue.
type Item struct {
	ID          uuid.UUID
	Name        string // printed on the document
	NameArabic  string
	Description string
	SKU         string        // number of the seller for the item; unique if not empty, like Barcode
	Barcode     string        // number on the package
	Price       money.Decimal // per unit, excluding VAT
	Unit        string
	Category    string // VAT category: S, Z, E or O
	Rate        money.Decimal
	ReasonCode  string         // reason for not charging VAT; empty in category S, like ReasonText
	ReasonText  string         // the reason as text
	Stock       *money.Decimal // nil if unlimited
	Images      []Image
	Active      bool // can be billed
	CreatedAt   time.Time
}

// Image is a stored picture of an item.
type Image struct {
	Key  string
	Type string // media type, such as image/png
}

// MaxImages is the number of images that an item can have.
const MaxImages = 10

// Limits of an item. Those of name and price are the limits of an invoice line.
const (
	minItemName    = 4
	maxItemName    = 50
	maxPricePlaces = 2
	maxStockPlaces = 6
	maxItemCode    = 64
)

// stockLimit exceeds every possible quantity of a line: at the lowest price of
// 0.01, the line reaches its maximum amount first.
var (
	priceLimit = money.FromInt(1_000_000_000)
	stockLimit = money.FromInt(1_000_000_000_000_000)
)

// Folded returns the folded search text: names, description and codes.
func (i Item) Folded() string {
	return Fold(i.Name + " " + i.NameArabic + " " + i.Description + " " + i.SKU + " " + i.Barcode)
}

// Check normalises the item and returns all problems, in the order of the JSON
// fields.
func (i *Item) Check() []fault.Problem {
	i.tidy()
	var ps problems
	if ps.text("item_name", i.Name, maxItemName, required) && utf8.RuneCountInString(i.Name) < minItemName {
		ps.add("item_name", "must have at least %d characters", fault.MinCharactersAR, minItemName)
	}
	ps.arabic("item_name_arabic", i.NameArabic, maxItemName)
	ps.text("description", i.Description, maxText, optional)
	ps.text("sku", i.SKU, maxItemCode, optional)
	ps.text("barcode", i.Barcode, maxItemCode, optional)
	switch {
	case i.Price.Sign() <= 0:
		ps.add("item_net_price", "must be greater than 0", "يجب أن يكون السعر أكبر من 0.")
	case !i.Price.Less(priceLimit):
		ps.add("item_net_price", "must be less than %s", "يجب أن يكون السعر أقل من %s.", priceLimit)
	case i.Price.Places() > maxPricePlaces:
		ps.add("item_net_price", "must have at most %d decimal places", fault.MaxPlacesAR, maxPricePlaces)
	}
	ps.text("unit_of_measure", i.Unit, maxShort, required)
	i.checkVAT(&ps)
	i.checkStock(&ps)
	if len(i.Images) > MaxImages {
		ps.add("images", "must have at most %d items", fault.MaxItemsAR, MaxImages)
	}
	return ps
}

func (i *Item) tidy() {
	for _, text := range []*string{&i.Name, &i.NameArabic, &i.SKU, &i.Barcode, &i.Unit, &i.Category, &i.ReasonCode} {
		*text = line(*text)
	}
	for _, text := range []*string{&i.Description, &i.ReasonText} {
		*text = paragraph(*text)
	}
}

func (i *Item) checkStock(ps *problems) {
	switch {
	case i.Stock == nil:
	case i.Stock.Sign() < 0:
		ps.add("stock", "must be at least 0; null is unlimited", "يجب أن يكون المخزون 0 أو أكثر.")
	case !i.Stock.Less(stockLimit):
		ps.add("stock", "must be less than %s; null is unlimited", "يجب أن يكون المخزون أقل من %s.", stockLimit)
	case i.Stock.Places() > maxStockPlaces:
		ps.add("stock", "must have at most %d decimal places", fault.MaxPlacesAR, maxStockPlaces)
	}
}
