package api

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

func (s *Surface) itemRows() []wire.Route {
	return []wire.Route{
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/items/", Name: "list-items", Tag: tagItems, Scope: org.ItemGet,
			Summary: "List items",
			Doc:     "Items of your catalogue, the newest first.",
		}, s.listItems),
		wire.Serve(wire.Route{
			Method: http.MethodPost, Path: "/api/items/", Name: "create-item", Tag: tagItems, Scope: org.ItemCreate,
			Summary: "Create an item",
			Doc:     "Adds an item to the catalogue. `item_data` is the item as JSON; further parts, of any name, may be its images.",
			Example: exampleItem,
			Status:  http.StatusCreated, MaxBody: 24 << 20,
		}, s.createItem),
		wire.Serve(wire.Route{
			Method: http.MethodGet, Path: "/api/items/{item_id}/", Name: "get-item", Tag: tagItems, Scope: org.ItemGet,
			Summary: "Read an item",
		}, s.getItem),
		wire.Serve(wire.Route{
			Method: http.MethodPatch, Path: "/api/items/{item_id}/", Name: "change-item", Tag: tagItems, Scope: org.ItemCreate,
			Summary: "Change an item",
			Doc:     "Fields that are sent replace what is kept; fields that are not sent stay. `stock: null` makes the stock unlimited.",
			Example: `{"item_net_price": "4100.00", "stock": "12.5"}`,
		}, s.changeItem),
	}
}

// Item is an item of the catalogue as answered.
type Item struct {
	UUID        uuid.UUID      `json:"uuid" example:"01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d7f" doc:"Id of the item."`
	Name        string         `json:"item_name" example:"Laptop 15 inch" doc:"Name that stands on the invoice."`
	NameArabic  string         `json:"item_name_arabic" example:"حاسوب محمول" doc:"Name in Arabic letters."`
	Description string         `json:"description" doc:"More about it."`
	Price       string         `json:"item_net_price" pattern:"^[0-9]+[.][0-9]{2}$" example:"4200.00" doc:"Price of one unit before VAT."`
	Unit        string         `json:"unit_of_measure" example:"PCE" doc:"What one unit is: a code of GET /api/invoices/units-of-measure/, or another that you gave."`
	Category    string         `json:"vat_category_code" example:"S" doc:"S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	Rate        money.Decimal  `json:"vat_rate" example:"15" doc:"VAT in percent."`
	ReasonCode  string         `json:"vat_exemption_reason_code" doc:"Why there is no VAT; empty in S."`
	ReasonText  string         `json:"vat_exemption_reason_text" doc:"The reason in words; empty in S."`
	Stock       *money.Decimal `json:"stock" example:"12.5" doc:"What is left; null is unlimited."`
	Images      []itemImage    `json:"images" doc:"Its pictures, in the order they were sent."`
	Active      bool           `json:"is_active" doc:"An inactive item cannot be billed."`
	CreatedAt   time.Time      `json:"created_at" example:"2026-11-15T12:00:00+03:00" doc:"When it was added."`
}

// itemImage is a picture of an item.
type itemImage struct {
	URL  string `json:"url" doc:"Where the image can be read with the same key."`
	Type string `json:"content_type" example:"image/png" doc:"Media type of the image."`
}

func (s *Surface) itemOf(i trade.Item) Item {
	out := Item{
		UUID: i.ID, Name: i.Name, NameArabic: i.NameArabic, Description: i.Description,
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
	Search string `query:"search_text" optional:"true" maxLength:"200" doc:"Words of names or description, in any spelling."`
}

type itemsList struct {
	Items []Item `json:"items" doc:"The items of this page."`
	Envelope
}

func (s *Surface) listItems(ctx context.Context, c wire.Caller, in *listItems) (*itemsList, error) {
	page, err := in.Page()
	if err != nil {
		return nil, err
	}
	found, err := s.Keeper.Items(ctx, c.Actor.Tenant, trade.Fold(in.Search), page)
	if err != nil {
		return nil, err
	}
	out := &itemsList{Envelope: EnvelopeOf(found, page)}
	for _, one := range found.Rows {
		out.Items = append(out.Items, s.itemOf(one))
	}
	return out, nil
}

type oneItem struct {
	ID uuid.UUID `path:"item_id" doc:"The item's uuid."`
}

func (s *Surface) getItem(ctx context.Context, c wire.Caller, in *oneItem) (*Item, error) {
	found, err := s.Keeper.Item(ctx, c.Actor.Tenant, in.ID)
	if err != nil {
		return nil, err
	}
	out := s.itemOf(found)
	return &out, nil
}
