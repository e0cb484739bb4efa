package codec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/codec"
)

type invoiceBody struct {
	Device      uuid.UUID     `json:"device"`
	Seller      uuid.UUID     `json:"seller"`
	Buyer       *uuid.UUID    `json:"buyer" optional:"true"`
	Type        int           `json:"type_code" enum:"388,381,383,386"`
	Transaction string        `json:"transaction_code" minLength:"7" maxLength:"7"`
	Supply      codec.Date    `json:"supply_date"`
	SupplyEnd   codec.Date    `json:"supply_end_date"`
	Currency    string        `json:"currency" pattern:"^[A-Z]{3}$"`
	Rate        money.Decimal `json:"exchange_rate" exclusiveMinimum:"0"`
	Means       string        `json:"payment_means_type_code"`
	Notes       []noteBody    `json:"notes"`
	Lines       []lineBody    `json:"form_lines" maxItems:"4000"`
	Prepaid     []uuid.UUID   `json:"prepaid_invoices" optional:"true"`
}

type noteBody struct {
	Language string `json:"language_id" enum:"en,ar"`
	Note     string `json:"note" minLength:"1"`
}

type lineBody struct {
	Name     string        `json:"item_name" minLength:"4" maxLength:"50"`
	Price    money.Decimal `json:"item_net_price" exclusiveMinimum:"0" exclusiveMaximum:"1000000000" places:"2"`
	Quantity money.Decimal `json:"invoiced_quantity" exclusiveMinimum:"0" places:"6"`
	Unit     string        `json:"invoiced_quantity_unit_of_measure" minLength:"1"`
	Category string        `json:"vat_category_code" enum:"S,Z,E,O"`
	VAT      money.Decimal `json:"vat_rate"`
	Code     string        `json:"vat_exemption_reason_code" optional:"true"`
	Reason   string        `json:"vat_exemption_reason_text" optional:"true"`
}

func invoiceJSON(lines int) []byte {
	const line = `{"item_name":"قهوة عربية فاخرة","item_net_price":"45.50","invoiced_quantity":2,"invoiced_quantity_unit_of_measure":"PCE",` +
		`"vat_category_code":"S","vat_rate":15.0,"vat_exemption_reason_code":"","vat_exemption_reason_text":""},`
	return fmt.Appendf(nil, `{"device":"9b2a6a9e-6c0f-4a4e-8f0a-1d5d1d0f0f0f","seller":"9b2a6a9e-6c0f-4a4e-8f0a-1d5d1d0f0f0e",`+
		`"buyer":"9b2a6a9e-6c0f-4a4e-8f0a-1d5d1d0f0f0d","type_code":388,"transaction_code":"0100000","supply_date":"2026-01-31",`+
		`"supply_end_date":"2026-01-31","currency":"SAR","exchange_rate":1,"payment_means_type_code":"10",`+
		`"notes":[{"language_id":"ar","note":"شكرًا لكم"}],"lines":[],"document_level_allowances":[],"form_lines":[%s]}`,
		strings.TrimSuffix(strings.Repeat(line, lines), ","))
}

func BenchmarkDecode(b *testing.B) {
	for _, lines := range []int{3, 40, 400, 4000} {
		b.Run(fmt.Sprintf("%d lines", lines), func(b *testing.B) {
			body := invoiceJSON(lines)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				var in invoiceBody
				if problems := decode(body, &in, "invoice_schema_data", false); problems != nil {
					b.Fatal(problems)
				}
			}
		})
	}
}
