package service_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/codes"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// exported is a line that an export may have.
func (t *till) exported(code string) fields {
	return t.line(fields{"vat_category_code": "Z", "vat_rate": 0, "vat_exemption_reason_code": code, "vat_exemption_reason_text": "Export"})
}

func TestInterface_2_1_TypeCodes(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		original := shop.accepted(shop.created(shop.standard(fields{"notes": note("original")})))
		for kind, c := range map[string]struct{ body, number string }{
			"388": {shop.standard(), "INV-2026-000002"},
			"381": {shop.note(381, original), "CRN-2026-000001"},
			"383": {shop.note(383, original), "DBN-2026-000001"},
			"386": {shop.standard(fields{"type_code": 386}), "ADV-2026-000001"},
		} {
			holds(t, kind, shop.full(shop.created(c.body)), record{"type_code": jsonNumber(kind), "ref_num": c.number, "invoice_payable_amount": "9660.00"})
		}
		shop.provesChains(shop.org)
	})
}

// Each device issues what its invoice_type allows, and nothing else.
func TestInterface_2_8_DevicesAndTransactionCodes(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		devices := map[string]any{"1100": shop.device.ID}
		for _, kind := range []string{device.StandardOnly, device.SimplifiedOnly} {
			devices[kind] = h.issuing(h.org, func(d *device.Device) { d.InvoiceType = kind }).ID
		}
		bodies := map[string]fields{
			"0100000": {}, "0200000": {"transaction_code": "0200000"},
			"0100100": {"transaction_code": "0100100", "form_lines": []any{shop.exported("VATEX-SA-32")}},
		}
		allowed := map[string]string{"1000": "0100000 0100100", "0100": "0200000", "1100": "0100000 0200000 0100100"}
		for kind, id := range devices {
			for code, change := range bodies {
				body := shop.standard(change, fields{"device": id})
				if strings.Contains(allowed[kind], code) {
					same(t, kind+" "+code, shop.full(shop.created(body))["transaction_code"], any(code))
					continue
				}
				same(t, kind+" "+code, shop.refuses(kind+" "+code, body), []string{"The device's invoice_type " + kind + " does not allow transaction_code " + code + "."})
			}
		}
	})
}

func TestInterface_2_1_TransactionCodesThatAreNone(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		for _, code := range []string{"0110000", "0101000", "0100010", "0100001", "0210000", "0200100", "0300000", "010000", "01000000", " 0100000", "abcdefg", strings.Repeat("0", 50)} {
			a := shop.create(shop.standard(fields{"transaction_code": code}))
			holds(t, code, a.wants(t, http.StatusBadRequest), record{"message": "Invalid transaction_code"})
		}
	})
}

func TestDecisions_Export(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		foreign := h.client(h.org, "Gulf Traders")
		if _, err := h.service.Store().ChangeClient(t.Context(), h.operator(h.org), foreign.ID, func(c *trade.Client) error {
			c.VATNumber, c.CountryCode, c.Identifications = "", "AE", []org.Identification{{Type: "OTH", Value: "AE100200300"}}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for _, code := range []string{"VATEX-SA-32", "VATEX-SA-33"} {
			for _, buyer := range []any{foreign.ID, shop.buyer.ID} {
				got := shop.full(shop.created(shop.standard(fields{"transaction_code": "0100100", "buyer": buyer, "form_lines": []any{shop.exported(code)}})))
				holds(t, code, got, record{"transaction_code": "0100100", "invoice_total_vat_amount": "0.00", "invoice_payable_amount": "8400.00", "qr_code": nil})
			}
		}
		const told = "Every line of an export invoice must be category Z with reason VATEX-SA-32 or VATEX-SA-33."
		for _, code := range []string{"VATEX-SA-34-1", "VATEX-SA-EDU"} {
			same(t, code, shop.refuses(code, shop.standard(fields{"transaction_code": "0100100", "form_lines": []any{shop.exported("VATEX-SA-32"), shop.exported(code)}})), []string{told})
		}
		same(t, "foreign buyer of a standard invoice", shop.refuses("foreign", shop.standard(fields{"buyer": foreign.ID})),
			[]string{"The buyer of a standard invoice must have a vat_registration_number."})
		shop.provesChains(shop.org)
	})
}

func TestInterface_2_5_PaymentMeans(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		means := strings.Fields("10 20 23 25 26 30 31 46 48 49 54 55")
		for _, code := range means {
			change := fields{"payment_means_type_code": code}
			if code == "30" {
				change["reason_id"] = shop.reason.ID
			}
			want := record{"payment_means_type_code": code, "payment_terms": "", "reason_id": nil}
			if code == "30" {
				want["payment_terms"], want["reason_id"] = "Payment within 30 days", shop.reason.ID.String()
			}
			holds(t, code, shop.full(shop.created(shop.standard(change))), want)
		}
		same(t, "codes", len(codes.AllPaymentMeans()), len(means))
		holds(t, "terms in cash", shop.shown(shop.standard(fields{"reason_id": shop.reason.ID})), record{"payment_terms": "Payment within 30 days"})
		for _, reason := range []any{nil, unsent} {
			same(t, "without a reason", shop.refuses("30", shop.standard(fields{"payment_means_type_code": "30", "reason_id": reason})), []string{"Payment terms are required for credit payment."})
		}
	})
}

// The server refuses only an empty unit.
func TestInterface_2_6_Units(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		unit := func(code any) string {
			return shop.standard(fields{"form_lines": []any{shop.line(fields{"invoiced_quantity_unit_of_measure": code})}})
		}
		known := strings.Fields("PCE PCS PKT CTN BOX PALLET KGM GRM MGM MC GRN TNE DTN TON STN LTN STI LBR ONZ LTR K6 GLL BL MTQ FTQ H19 CDL MTK FTK INK ACR MTR CMT INH FOT YRD KWH JOU D10")
		same(t, "codes", len(known), 39)
		var lines []any
		for _, code := range known {
			lines = append(lines, shop.line(fields{"invoiced_quantity_unit_of_measure": code}))
		}
		same(t, "all of them", len(list(t, shop.full(shop.created(shop.standard(fields{"form_lines": lines}))), "lines")), 39)
		for _, code := range []string{"XYZ", "bucket", "حبة", "pce"} {
			same(t, code, first(t, shop.shown(unit(code))["lines"])["invoiced_quantity_unit_of_measure"], any(code))
		}
		for _, code := range []any{"", nil, unsent, "   "} {
			shop.refusesField(asJSON(t, code), "form_lines.0.invoiced_quantity_unit_of_measure", unit(code))
		}
	})
}
