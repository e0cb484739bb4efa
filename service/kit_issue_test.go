package service_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/seal"
	"khatm/service/internal/device"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// issuing makes a device that can issue, with a key in the vault and a
// certificate of a rehearsal authority.
func (h *house) issuing(o org.Organisation, change func(*device.Device)) device.Device {
	h.t.Helper()
	id := h.service.NewID()
	key, sealed, err := h.service.Vault().NewDeviceKey(issue.DeviceKey, id.String())
	if err != nil {
		h.t.Fatal(err)
	}
	certificate, err := seal.Rehearsal(key, seal.Unit{
		CommonName: "TST-1", Provider: "Khatm", Model: "1", Serial: id.String(), VATNumber: o.VATNumber, UnitName: "Head office",
		Organisation: o.Name, InvoiceType: device.Both, Location: "RRRD2929", Industry: "Retail",
	}, h.clock.Now().Add(-time.Hour), rand.Reader)
	if err != nil {
		h.t.Fatal(err)
	}
	d := h.device(o, func(d *device.Device) {
		d.ID = id
		d.Token = certificate.Text
		d.Production = &device.Certificate{NotBefore: certificate.NotBefore, NotAfter: certificate.NotAfter}
		if change != nil {
			change(d)
		}
	})
	if err := h.service.Store().PutSecret(context.Background(), h.operator(o), issue.DeviceKey, id.String(), sealed); err != nil {
		h.t.Fatal(err)
	}
	return d
}

// till is an organisation that is ready to issue: a device, buyers, a reason.
type till struct {
	*house
	org     org.Organisation
	device  device.Device
	buyer   trade.Client
	reason  trade.Reason
	address string // of the invoices
}

func (h *house) till() *till {
	h.t.Helper()
	return h.tillOf(h.org)
}

func (h *house) tillOf(o org.Organisation) *till {
	h.t.Helper()
	r := trade.Reason{ID: h.service.NewID(), Description: "Payment within 30 days", Active: true, CreatedAt: h.clock.Now()}
	if err := h.service.Store().AddReason(context.Background(), h.operator(o), r); err != nil {
		h.t.Fatal(err)
	}
	return &till{house: h, org: o, device: h.issuing(o, nil), buyer: h.client(o, "Buyer Trading"), reason: r, address: "/v1/api/invoices/"}
}

// body is a request, by field. A field that is set to unsent is not sent.
type fields map[string]any

type absence struct{}

var unsent = absence{}

// standard is a right standard tax invoice, with changes.
func (t *till) standard(changes ...fields) string {
	b := fields{
		"device": t.device.ID, "seller": t.org.ID, "buyer": t.buyer.ID, "type_code": 388, "transaction_code": "0100000",
		"supply_date": "2026-11-15", "supply_end_date": "2026-11-15", "currency": "SAR", "exchange_rate": 1,
		"payment_means_type_code": "10", "notes": []any{}, "lines": []any{}, "document_level_allowances": []any{},
		"form_lines": []any{t.line(nil)},
	}
	return b.with(t.t, changes...)
}

// suppliedToday sets the dates of supply of a document that is issued by the
// real clock.
func suppliedToday() fields {
	today := time.Now().In(invoice.Riyadh()).Format(time.DateOnly)
	return fields{"supply_date": today, "supply_end_date": today}
}

// simplified is a right simplified tax invoice, with changes.
func (t *till) simplified(changes ...fields) string {
	return t.standard(append([]fields{{"transaction_code": "0200000", "buyer": unsent}}, changes...)...)
}

// line is a right line of form_lines, with changes.
func (t *till) line(changes fields) fields {
	l := fields{
		"item_name": "Laptop 15 inch", "item_net_price": "4200.00", "invoiced_quantity": 2, "invoiced_quantity_unit_of_measure": "PCE",
		"vat_category_code": "S", "vat_rate": 15, "vat_exemption_reason_code": "", "vat_exemption_reason_text": "",
	}
	for name, value := range changes {
		l[name] = value
		if value == unsent {
			delete(l, name)
		}
	}
	return l
}

func (b fields) with(t testing.TB, changes ...fields) string {
	t.Helper()
	all := fields{}
	for _, one := range append([]fields{b}, changes...) {
		for name, value := range one {
			all[name] = value
			if value == unsent {
				delete(all, name)
			}
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// create posts an invoice; createAs sends an idempotency key too.
func (t *till) create(text string) answer { return t.createAs("", text) }

func (t *till) createAs(key, text string) answer {
	t.t.Helper()
	return t.send(http.MethodPost, t.address, func(r *http.Request) {
		bearer(t.key)(r)
		jsonBody(text)(r)
		if key != "" {
			r.Header.Set("Idempotency-Key", key)
		}
	})
}

// created posts an invoice that must be accepted, and gives its id.
func (t *till) created(text string) uuid.UUID {
	t.t.Helper()
	a := t.create(text)
	if a.status != http.StatusAccepted {
		t.t.Fatalf("%d %s", a.status, a.body)
	}
	id, err := uuid.Parse(fmt.Sprint(a.json(t.t)["invoice_uuid"]))
	if err != nil {
		t.t.Fatal(err)
	}
	return id
}
