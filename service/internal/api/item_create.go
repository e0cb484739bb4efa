package api

import (
	"context"
	"errors"
	"strconv"

	"khatm/money"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// itemData is the body of a new item.
type itemData struct {
	Name        string         `json:"item_name" minLength:"4" maxLength:"50" example:"Laptop 15 inch" doc:"Name as printed on the invoice, 4 to 50 characters."`
	NameArabic  string         `json:"item_name_arabic" optional:"true" maxLength:"50" example:"حاسوب محمول" doc:"Name in Arabic letters."`
	Description string         `json:"description" optional:"true" maxLength:"1000" doc:"Description of the item."`
	SKU         string         `json:"sku" optional:"true" maxLength:"64" example:"LAP-15" doc:"Your number for the item, at most 64 characters; different for each item."`
	Barcode     string         `json:"barcode" optional:"true" maxLength:"64" example:"6281000000014" doc:"Number on the package of the item, at most 64 characters; different for each item."`
	Price       money.Decimal  `json:"item_net_price" exclusiveMinimum:"0" exclusiveMaximum:"1000000000" places:"2" example:"4200.00" doc:"Unit price before VAT, such as 4200.00. It is used in the currency of the document, without conversion."`
	Unit        string         `json:"unit_of_measure" minLength:"1" maxLength:"127" example:"PCE" doc:"Code of the unit of measure, such as PCE from GET /api/invoices/units-of-measure/. Other codes are accepted too."`
	Category    string         `json:"vat_category_code" enum:"S,Z,E,O" example:"S" doc:"VAT category: S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	Rate        money.Decimal  `json:"vat_rate" minimum:"0" maximum:"100" example:"15" doc:"VAT rate in percent: greater than 0 in category S, 0 in Z, E and O."`
	ReasonCode  string         `json:"vat_exemption_reason_code" optional:"true" maxLength:"50" doc:"Code of the exemption reason, such as VATEX-SA-32. Required in categories Z, E and O; empty in S."`
	ReasonText  string         `json:"vat_exemption_reason_text" optional:"true" maxLength:"1000" doc:"Exemption reason in words. Required in categories Z, E and O; empty in S."`
	Stock       *money.Decimal `json:"stock" optional:"true" minimum:"0" exclusiveMaximum:"1000000000000000" places:"6" doc:"Quantity in stock, such as 12.5; unlimited if null or not sent."`
	Active      bool           `json:"is_active" default:"true" doc:"Whether the item can be used in invoices."`
}

// exampleItem is an item with the standard rate.
const exampleItem = `{
	"item_name": "Laptop 15 inch",
	"item_name_arabic": "حاسوب محمول",
	"item_net_price": "4200.00",
	"unit_of_measure": "PCE",
	"vat_category_code": "S",
	"vat_rate": "15",
	"stock": "12.5"
}`

type createItem struct {
	Data   itemData      `form:"item_data" doc:"The item as JSON."`
	Images []wire.Upload `files:"*" media:"image/png,image/jpeg,image/webp" doc:"Up to 10 images as PNG, JPEG or WebP, at most 2 MiB each."`
}

type itemCreated struct {
	Message  string `json:"message" doc:"Human-readable result, such as Item created."`
	Location string `json:"location" header:"Location" example:"/api/items/01933b6e-7c5a-7b9e-8c1d-2f3a4b5c6d7f/" doc:"Path of the item below the base URL."`
	Item
}

func (s *Surface) createItem(ctx context.Context, c wire.Caller, in *createItem) (*itemCreated, error) {
	item := in.Data.item()
	item.ID, item.CreatedAt = s.NewID(), s.Now()
	item.Images = make([]trade.Image, len(in.Images)) // so that Check sees their number
	if err := wrong("item_data", item.Check(), "images"); err != nil {
		return nil, err
	}
	var kept []string
	for n := range in.Images {
		key, kind, err := s.KeepPicture(ctx, c.Actor.Tenant, "item", "images."+strconv.Itoa(n), &in.Images[n])
		if err != nil {
			s.DropPictures(ctx, kept...)
			return nil, err
		}
		kept = append(kept, key)
		item.Images[n] = trade.Image{Key: key, Type: kind}
	}
	if err := s.Keeper.AddItem(ctx, c.Actor, item); err != nil {
		s.DropPictures(ctx, kept...)
		var refused *fault.Error
		if errors.As(err, &refused) && len(refused.Problems) > 0 {
			return nil, wrong("item_data", refused.Problems)
		}
		return nil, err
	}
	return &itemCreated{Message: "Item created.", Location: "/api/items/" + item.ID.String() + "/", Item: s.ItemOf(item)}, nil
}

func (d itemData) item() trade.Item {
	return trade.Item{
		Name: d.Name, NameArabic: d.NameArabic, Description: d.Description, SKU: d.SKU, Barcode: d.Barcode,
		Price: d.Price, Unit: d.Unit, Category: d.Category, Rate: d.Rate, ReasonCode: d.ReasonCode, ReasonText: d.ReasonText,
		Stock: d.Stock, Active: d.Active,
	}
}

// itemChange is the body of a change to an item.
type itemChange struct {
	Name        codec.Sent[string]        `json:"item_name" minLength:"4" maxLength:"50" doc:"Name as printed on the invoice, 4 to 50 characters."`
	NameArabic  codec.Sent[string]        `json:"item_name_arabic" maxLength:"50" doc:"Name in Arabic letters."`
	Description codec.Sent[string]        `json:"description" maxLength:"1000" doc:"Description of the item."`
	SKU         codec.Sent[string]        `json:"sku" maxLength:"64" doc:"Your number for the item, at most 64 characters; different for each item. null removes it."`
	Barcode     codec.Sent[string]        `json:"barcode" maxLength:"64" doc:"Number on the package of the item, at most 64 characters; different for each item. null removes it."`
	Price       codec.Sent[money.Decimal] `json:"item_net_price" exclusiveMinimum:"0" exclusiveMaximum:"1000000000" places:"2" example:"4100.00" doc:"Unit price before VAT, such as 4100.00."`
	Unit        codec.Sent[string]        `json:"unit_of_measure" minLength:"1" maxLength:"127" doc:"Code of the unit of measure, such as PCE from GET /api/invoices/units-of-measure/. Other codes are accepted too."`
	Category    codec.Sent[string]        `json:"vat_category_code" enum:"S,Z,E,O" doc:"VAT category: S standard rate, Z zero rate, E exempt, O not subject to VAT."`
	Rate        codec.Sent[money.Decimal] `json:"vat_rate" minimum:"0" maximum:"100" doc:"VAT rate in percent: greater than 0 in category S, 0 in Z, E and O."`
	ReasonCode  codec.Sent[string]        `json:"vat_exemption_reason_code" maxLength:"50" doc:"Code of the exemption reason, such as VATEX-SA-32. Required in categories Z, E and O; empty in S."`
	ReasonText  codec.Sent[string]        `json:"vat_exemption_reason_text" maxLength:"1000" doc:"Exemption reason in words. Required in categories Z, E and O; empty in S."`
	Stock       codec.Sent[money.Decimal] `json:"stock" minimum:"0" exclusiveMaximum:"1000000000000000" places:"6" doc:"Quantity in stock, such as 12.5; null if unlimited."`
	Active      codec.Sent[bool]          `json:"is_active" doc:"Whether the item can be used in invoices."`
}

type changeItem struct {
	oneItem
	Body itemChange `body:"json"`
}

func (s *Surface) changeItem(ctx context.Context, c wire.Caller, in *changeItem) (*Item, error) {
	changed, err := s.Keeper.ChangeItem(ctx, c.Actor, in.ID, func(item *trade.Item) error {
		in.Body.apply(item)
		return wrong("", item.Check())
	})
	if err != nil {
		return nil, err
	}
	out := s.ItemOf(changed)
	return &out, nil
}

func (d itemChange) apply(i *trade.Item) {
	d.Name.Apply(&i.Name)
	d.NameArabic.Apply(&i.NameArabic)
	d.Description.Apply(&i.Description)
	d.SKU.Apply(&i.SKU)
	d.Barcode.Apply(&i.Barcode)
	d.Price.Apply(&i.Price)
	d.Unit.Apply(&i.Unit)
	d.Category.Apply(&i.Category)
	d.Rate.Apply(&i.Rate)
	d.ReasonCode.Apply(&i.ReasonCode)
	d.ReasonText.Apply(&i.ReasonText)
	if d.Active.Given {
		i.Active = d.Active.Value || d.Active.Null // null means true, as for a new item
	}
	switch {
	case d.Stock.Null:
		i.Stock = nil
	case d.Stock.Given:
		i.Stock = &d.Stock.Value
	}
}
