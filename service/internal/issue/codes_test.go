package issue_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/codes"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/trade"
)

// exportLine returns a line for an export invoice.
func exportLine(t *servicetest.Seller, code string) servicetest.Fields {
	return t.Line(servicetest.Fields{"vat_category_code": "Z", "vat_rate": 0, "vat_exemption_reason_code": code, "vat_exemption_reason_text": "Export"})
}

func TestInterface_2_1_TypeCodes(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		original := shop.Accepted(shop.Created(shop.Standard(servicetest.Fields{"notes": servicetest.Note("original")})))
		for kind, c := range map[string]struct{ body, number string }{
			"388": {shop.Standard(), "INV-2026-000002"},
			"381": {shop.Note(381, original), "CRN-2026-000001"},
			"383": {shop.Note(383, original), "DBN-2026-000001"},
			"386": {shop.Standard(servicetest.Fields{"type_code": 386}), "ADV-2026-000001"},
		} {
			holds(t, kind, shop.Full(shop.Created(c.body)), servicetest.Record{"type_code": jsonNumber(kind), "ref_num": c.number, "invoice_payable_amount": "9660.00"})
		}
		shop.CheckChains(shop.Org)
	})
}

// Each device issues the documents that its invoice_type allows, and no others.
func TestInterface_2_8_DevicesAndTransactionCodes(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		devices := map[string]any{"1100": shop.Device.ID}
		for _, kind := range []string{device.StandardOnly, device.SimplifiedOnly} {
			devices[kind] = h.Issuing(h.Org, func(d *device.Device) { d.InvoiceType = kind }).ID
		}
		bodies := map[string]servicetest.Fields{
			"0100000": {}, "0200000": {"transaction_code": "0200000"},
			"0100100": {"transaction_code": "0100100", "form_lines": []any{exportLine(shop, "VATEX-SA-32")}},
		}
		allowed := map[string]string{"1000": "0100000 0100100", "0100": "0200000", "1100": "0100000 0200000 0100100"}
		for kind, id := range devices {
			for code, change := range bodies {
				body := shop.Standard(change, servicetest.Fields{"device": id})
				if strings.Contains(allowed[kind], code) {
					servicetest.Same(t, kind+" "+code, shop.Full(shop.Created(body))["transaction_code"], any(code))
					continue
				}
				servicetest.Same(t, kind+" "+code, refuses(shop, kind+" "+code, body), []string{"The device's invoice_type " + kind + " does not allow transaction_code " + code + "."})
			}
		}
	})
}

func TestInterface_2_1_InvalidTransactionCodes(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		for _, code := range []string{"0110000", "0101000", "0100010", "0100001", "0210000", "0200100", "0300000", "010000", "01000000", " 0100000", "abcdefg", strings.Repeat("0", 50)} {
			a := shop.Create(shop.Standard(servicetest.Fields{"transaction_code": code}))
			holds(t, code, a.Wants(t, http.StatusBadRequest), servicetest.Record{"message": "Invalid transaction_code"})
		}
	})
}

func TestDecisions_Export(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		foreign := h.Client(h.Org, "Gulf Traders")
		if _, err := h.Service.Store().ChangeClient(t.Context(), h.Operator(h.Org), foreign.ID, func(c *trade.Client) error {
			c.VATNumber, c.CountryCode, c.Identifications = "", "AE", []org.Identification{{Type: "OTH", Value: "AE100200300"}}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for _, code := range []string{"VATEX-SA-32", "VATEX-SA-33"} {
			for _, buyer := range []any{foreign.ID, shop.Buyer.ID} {
				got := shop.Full(shop.Created(shop.Standard(servicetest.Fields{"transaction_code": "0100100", "buyer": buyer, "form_lines": []any{exportLine(shop, code)}})))
				holds(t, code, got, servicetest.Record{"transaction_code": "0100100", "invoice_total_vat_amount": "0.00", "invoice_payable_amount": "8400.00", "qr_code": nil})
			}
		}
		const told = "Every line of an export invoice must be category Z with reason VATEX-SA-32 or VATEX-SA-33."
		for _, code := range []string{"VATEX-SA-34-1", "VATEX-SA-EDU"} {
			servicetest.Same(t, code, refuses(shop, code, shop.Standard(servicetest.Fields{"transaction_code": "0100100", "form_lines": []any{exportLine(shop, "VATEX-SA-32"), exportLine(shop, code)}})), []string{told})
		}
		servicetest.Same(t, "foreign buyer of a standard invoice", refuses(shop, "foreign", shop.Standard(servicetest.Fields{"buyer": foreign.ID})),
			[]string{"The buyer of a standard invoice must have a vat_registration_number."})
		shop.CheckChains(shop.Org)
	})
}

func TestInterface_2_5_PaymentMeans(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		means := strings.Fields("10 20 23 25 26 30 31 46 48 49 54 55")
		for _, code := range means {
			change := servicetest.Fields{"payment_means_type_code": code}
			if code == "30" {
				change["reason_id"] = shop.Reason.ID
			}
			want := servicetest.Record{"payment_means_type_code": code, "payment_terms": "", "reason_id": nil}
			if code == "30" {
				want["payment_terms"], want["reason_id"] = "Payment within 30 days", shop.Reason.ID.String()
			}
			holds(t, code, shop.Full(shop.Created(shop.Standard(change))), want)
		}
		servicetest.Same(t, "codes", len(codes.AllPaymentMeans()), len(means))
		holds(t, "terms in cash", shown(shop, shop.Standard(servicetest.Fields{"reason_id": shop.Reason.ID})), servicetest.Record{"payment_terms": "Payment within 30 days"})
		for _, reason := range []any{nil, servicetest.Unsent} {
			servicetest.Same(t, "without a reason", refuses(shop, "30", shop.Standard(servicetest.Fields{"payment_means_type_code": "30", "reason_id": reason})), []string{"Payment terms are required for credit payment."})
		}
	})
}

// Only an empty unit is refused.
func TestInterface_2_6_Units(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		unit := func(code any) string {
			return shop.Standard(servicetest.Fields{"form_lines": []any{shop.Line(servicetest.Fields{"invoiced_quantity_unit_of_measure": code})}})
		}
		known := strings.Fields("PCE PCS PKT CTN BOX PALLET KGM GRM MGM MC GRN TNE DTN TON STN LTN STI LBR ONZ LTR K6 GLL BL MTQ FTQ H19 CDL MTK FTK INK ACR MTR CMT INH FOT YRD KWH JOU D10")
		servicetest.Same(t, "codes", len(known), 39)
		var lines []any
		for _, code := range known {
			lines = append(lines, shop.Line(servicetest.Fields{"invoiced_quantity_unit_of_measure": code}))
		}
		servicetest.Same(t, "all of them", len(servicetest.List(t, shop.Full(shop.Created(shop.Standard(servicetest.Fields{"form_lines": lines}))), "lines")), 39)
		for _, code := range []string{"XYZ", "bucket", "حبة", "pce"} {
			servicetest.Same(t, code, servicetest.First(t, shown(shop, unit(code))["lines"])["invoiced_quantity_unit_of_measure"], any(code))
		}
		for _, code := range []any{"", nil, servicetest.Unsent, "   "} {
			refusesField(shop, servicetest.AsJSON(t, code), "form_lines.0.invoiced_quantity_unit_of_measure", unit(code))
		}
	})
}
