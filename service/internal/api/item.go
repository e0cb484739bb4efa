package api

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

func (s *Surface) itemRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/items/", Name: "list-items", Tag: tagItems, Scope: org.ItemGet,
			Summary: "List items",
			Doc:     "Returns the items of your catalogue, newest first.",
		}, s.listItems),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/items/", Name: "create-item", Tag: tagItems, Scope: org.ItemCreate,
			Codes:   []fault.Code{fault.PicturesBusy, fault.FilesUnavailable},
			Summary: "Create an item",
			Doc:     "Adds an item to the catalogue. Send the item as JSON in the part `item_data` and its images, if any, in further parts with any names.",
			Example: exampleItem,
			Status:  http.StatusCreated, MaxBody: 24 << 20,
		}, s.createItem),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/items/{item_id}/", Name: "get-item", Tag: tagItems, Scope: org.ItemGet,
			Codes:   []fault.Code{fault.ItemNotFound},
			Summary: "Read an item",
		}, s.getItem),
		wire.Serve(wire.Route{
			Method: http.MethodPatch, Path: "/api/items/{item_id}/", Name: "change-item", Tag: tagItems, Scope: org.ItemCreate,
			Codes:   []fault.Code{fault.ItemNotFound},
			Summary: "Change an item",
			Doc:     "Replaces the fields that are sent and keeps the others. `stock: null` makes the stock unlimited.",
			Example: `{"item_net_price": "4100.00", "stock": "12.5"}`,
		}, s.changeItem),
	}
}

// Item is a catalogue item in a response.
type Item struct {
	UUID        uuid.UUID      `json:"uuid" example:"01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d7f" doc:"UUID of the item."`
	Name        string         `json:"item_name" example:"Laptop 15 inch" doc:"Name as printed on the invoice."`
	NameArabic  string         `json:"item_name_arabic" example:"حاسوب محمول" doc:"Name in Arabic letters."`
	Description string         `json:"description" doc:"Description of the item."`
	SKU         string         `json:"sku" example:"LAP-15" doc:"Your number for the item; empty if it has none."`
	Barcode     string         `json:"barcode" example:"6281000000014" doc:"Number on the package of the item; empty if it has none."`
	Price       string         `json:"item_net_price" pattern:"^[0-9]+[.][0-9]{2}$" example:"4200.00" doc:"Unit price before VAT, such as 4200.00. It is used in the currency of the document, without conversion."`
	Unit        string         `json:"unit_of_measure" example:"PCE" doc:"Code of the unit of measure: one from GET /api/invoices/units-of-measure/ or your own."`
	Category    string         `json:"vat_category_code" enum:"S,Z,E,O" example:"S" doc:"VAT category: S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	Rate        money.Decimal  `json:"vat_rate" example:"15" doc:"VAT rate in percent, such as 15."`
	ReasonCode  string         `json:"vat_exemption_reason_code" doc:"Code of the exemption reason, such as VATEX-SA-32; empty in category S."`
	ReasonText  string         `json:"vat_exemption_reason_text" doc:"Exemption reason in words; empty in category S."`
	Stock       *money.Decimal `json:"stock" example:"12.5" doc:"Quantity in stock, such as 12.5; null if unlimited. Tax invoices and debit notes reduce it, credit notes and rejected documents give it back."`
	Images      []itemImage    `json:"images" doc:"Images in the order they were sent."`
	Active      bool           `json:"is_active" doc:"Whether the item can be used in invoices."`
	CreatedAt   time.Time      `json:"created_at" example:"2026-11-15T12:00:00+03:00" doc:"Time the item was created."`
}

// itemImage is an image of an item.
type itemImage struct {
	URL  string `json:"url" doc:"URL of the image, which can be read with the same API key."`
	Type string `json:"content_type" example:"image/png" doc:"Media type of the image, such as image/png."`
}

// ItemOf returns the response for an item.
func (s *Surface) ItemOf(i trade.Item) Item {
	out := Item{
		UUID: i.ID, Name: i.Name, NameArabic: i.NameArabic, Description: i.Description, SKU: i.SKU, Barcode: i.Barcode,
		Price: i.Price.Fixed2(), Unit: i.Unit, Category: i.Category, Rate: i.Rate, ReasonCode: i.ReasonCode, ReasonText: i.ReasonText,
		Stock: i.Stock, Active: i.Active, CreatedAt: i.CreatedAt,
	}
	for n, image := range i.Images {
		out.Images = append(out.Images, itemImage{
			URL:  s.URL + Base + "/api/items/" + i.ID.String() + "/images/" + strconv.Itoa(n+1) + "/",
			Type: image.Type,
		})
	}
	return out
}

type listItems struct {
	PageQuery
	Search string `query:"search_text" optional:"true" maxLength:"200" doc:"Words of the names or the description, or part of the SKU or the barcode; spelling variants match."`
}

type itemsList struct {
	Items []Item `json:"items" doc:"Items on this page."`
	Envelope
}

func (s *Surface) listItems(ctx context.Context, c wire.Caller, in *listItems) (*itemsList, error) {
	rows, envelope, err := Records(ctx, c.Actor.Tenant, in.PageQuery, func(ctx context.Context, of org.Tenant, p org.Page) (org.List[trade.Item], error) {
		return s.Keeper.Items(ctx, of, trade.Fold(in.Search), p)
	}, s.ItemOf)
	return &itemsList{rows, envelope}, err
}

type oneItem struct {
	ID uuid.UUID `path:"item_id" doc:"UUID of the item."`
}

func (s *Surface) getItem(ctx context.Context, c wire.Caller, in *oneItem) (*Item, error) {
	found, err := s.Keeper.Item(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	out := s.ItemOf(found)
	return &out, nil
}
