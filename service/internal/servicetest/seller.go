package servicetest

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
	"khatm/pdfa"
	"khatm/seal"
	"khatm/service/internal/device"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// Issuing creates a device that can issue, with a key in the vault and a test
// certificate.
func (h *Instance) Issuing(o org.Organisation, change func(*device.Device)) device.Device {
	h.TB.Helper()
	id := h.Service.NewID()
	key, sealed, err := h.Service.Vault().NewDeviceKey(issue.DeviceKey, id.String())
	if err != nil {
		h.TB.Fatal(err)
	}
	certificate, err := seal.TestCertificate(key, seal.Unit{
		CommonName: "TST-1", Provider: "Khatm", Model: "1", Serial: id.String(), VATNumber: o.VATNumber, UnitName: "Head office",
		Organisation: o.Name, InvoiceType: device.Both, Location: "RRRD2929", Industry: "Retail",
	}, h.Clock.Now().Add(-time.Hour), rand.Reader)
	if err != nil {
		h.TB.Fatal(err)
	}
	d := h.Device(o, func(d *device.Device) {
		d.ID = id
		d.Token = certificate.Text
		d.Production = &device.Certificate{NotBefore: certificate.NotBefore, NotAfter: certificate.NotAfter}
		if change != nil {
			change(d)
		}
	})
	if err := h.Service.Store().PutSecret(context.Background(), h.Operator(o), issue.DeviceKey, id.String(), sealed); err != nil {
		h.TB.Fatal(err)
	}
	return d
}

// Seller is an organisation that is ready to issue, with a device, a buyer and
// a reason.
type Seller struct {
	*Instance
	Org     org.Organisation
	Device  device.Device
	Buyer   trade.Client
	Reason  trade.Reason
	Address string // path of the invoices
}

// NewSeller makes the instance's organisation ready to issue.
func (h *Instance) NewSeller() *Seller {
	h.TB.Helper()
	return h.SellerOf(h.Org)
}

// SellerOf makes an organisation ready to issue.
func (h *Instance) SellerOf(o org.Organisation) *Seller {
	h.TB.Helper()
	r := trade.Reason{ID: h.Service.NewID(), Description: "Payment within 30 days", Active: true, CreatedAt: h.Clock.Now()}
	if err := h.Service.Store().AddReason(context.Background(), h.Operator(o), r); err != nil {
		h.TB.Fatal(err)
	}
	return &Seller{Instance: h, Org: o, Device: h.Issuing(o, nil), Buyer: h.Client(o, "Buyer Trading"), Reason: r, Address: "/v1/api/invoices/"}
}

// Fields are the fields of a request. A field set to Unsent is left out.
type Fields map[string]any

type absence struct{}

// Unsent marks a field to leave out.
var Unsent = absence{}

// Standard returns a valid standard tax invoice, with changes.
func (t *Seller) Standard(changes ...Fields) string {
	b := Fields{
		"device": t.Device.ID, "seller": t.Org.ID, "buyer": t.Buyer.ID, "type_code": 388, "transaction_code": "0100000",
		"supply_date": "2026-11-15", "supply_end_date": "2026-11-15", "currency": "SAR", "exchange_rate": 1,
		"payment_means_type_code": "10", "notes": []any{}, "lines": []any{}, "document_level_allowances": []any{},
		"form_lines": []any{t.Line(nil)},
	}
	return b.with(t.TB, changes...)
}

// SuppliedToday returns supply dates of today, for tests with the real clock.
func SuppliedToday() Fields {
	today := time.Now().In(invoice.Riyadh()).Format(time.DateOnly)
	return Fields{"supply_date": today, "supply_end_date": today}
}

// Simplified returns a valid simplified tax invoice, with changes.
func (t *Seller) Simplified(changes ...Fields) string {
	return t.Standard(append([]Fields{{"transaction_code": "0200000", "buyer": Unsent}}, changes...)...)
}

// Line returns a valid entry of form_lines, with changes.
func (t *Seller) Line(changes Fields) Fields {
	l := Fields{
		"item_name": "Laptop 15 inch", "item_net_price": "4200.00", "invoiced_quantity": 2, "invoiced_quantity_unit_of_measure": "PCE",
		"vat_category_code": "S", "vat_rate": 15, "vat_exemption_reason_code": "", "vat_exemption_reason_text": "",
	}
	for name, value := range changes {
		l[name] = value
		if value == Unsent {
			delete(l, name)
		}
	}
	return l
}

func (b Fields) with(t testing.TB, changes ...Fields) string {
	t.Helper()
	all := Fields{}
	for _, one := range append([]Fields{b}, changes...) {
		for name, value := range one {
			all[name] = value
			if value == Unsent {
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

// Create posts an invoice.
func (t *Seller) Create(text string) Answer { return t.CreateAs("", text) }

// CreateAs posts an invoice with an idempotency key.
func (t *Seller) CreateAs(key, text string) Answer {
	t.TB.Helper()
	return t.Send(http.MethodPost, t.Address, func(r *http.Request) {
		Bearer(t.Key)(r)
		JSONBody(text)(r)
		if key != "" {
			r.Header.Set("Idempotency-Key", key)
		}
	})
}

// Created posts an invoice, which must succeed, and returns its id.
func (t *Seller) Created(text string) uuid.UUID {
	t.TB.Helper()
	a := t.Create(text)
	if a.Status != http.StatusAccepted {
		t.TB.Fatalf("create: got %d %s, want 202", a.Status, a.Body)
	}
	id, err := uuid.Parse(fmt.Sprint(a.JSON(t.TB)["invoice_uuid"]))
	if err != nil {
		t.TB.Fatal(err)
	}
	return id
}

// Preview previews an invoice with the instance's key.
func (t *Seller) Preview(text string) Answer {
	t.TB.Helper()
	return t.Call(http.MethodPost, "/v1/api/invoices/preview/", text)
}

// Full returns the full invoice.
func (t *Seller) Full(id uuid.UUID) Record {
	t.TB.Helper()
	return t.Read(t.TB, "/api/invoices/"+id.String()+"/")
}

// First returns the first object of a list.
func First(t testing.TB, list any) Record {
	t.Helper()
	rows, _ := list.([]any)
	if len(rows) == 0 {
		t.Fatalf("%v has no entries", list)
	}
	row, _ := rows[0].(Record)
	return row
}

// Parsed returns an id as a UUID.
func Parsed(t testing.TB, id string) uuid.UUID {
	t.Helper()
	u, err := uuid.Parse(id)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Inner returns an object field of a record.
func Inner(t testing.TB, r Record, name string) Record {
	t.Helper()
	o, is := r[name].(Record)
	if !is {
		t.Fatalf("%s is %v, want an object", name, r[name])
	}
	return o
}

// List returns a list field of a record.
func List(t testing.TB, r Record, name string) []any {
	t.Helper()
	rows, is := r[name].([]any)
	if !is {
		t.Fatalf("%s is %v, want a list", name, r[name])
	}
	return rows
}

// IssuedID returns the id in the response to a create request.
func IssuedID(t testing.TB, created Record) string {
	t.Helper()
	id, _ := created["invoice_uuid"].(string)
	return Parsed(t, id).String()
}

// Listed returns the first invoice that a query finds.
func (t *Seller) Listed(query string) Record {
	t.TB.Helper()
	return First(t.TB, t.Read(t.TB, "/api/invoices/"+query)["invoices"])
}

// Ids returns the ids of the invoices that a query finds, and checks the total.
func (t *Seller) Ids(query string) []string {
	t.TB.Helper()
	list := t.Read(t.TB, "/api/invoices/"+query)
	found := Names(t.TB, list["invoices"], "uuid")
	Same(t.TB, "total of "+query, list["total"], any(Number(len(found))))
	return found
}

// InvoiceList is a seller with invoices of several kinds and statuses, by name.
type InvoiceList struct {
	*Seller
	Other  *Seller // the same organisation with another device and buyer
	Ids    map[string]string
	Ticket string
}

// InvoiceList creates a seller with invoices of several kinds and statuses.
func (h *Instance) InvoiceList() *InvoiceList {
	h.TB.Helper()
	s := &InvoiceList{Seller: h.NewSeller(), Ids: map[string]string{}, Ticket: "till-7/TICKET-0042"}
	second := *s.Seller
	second.Device, second.Buyer = h.Issuing(h.Org, nil), h.Client(h.Org, "مؤسسة أحمد للتجارة")
	s.Other = &second
	keep := func(name string, id uuid.UUID) { s.Ids[name] = id.String() }
	keep("cleared", s.Accepted(s.Created(s.Standard())))
	h.Clock.Advance(24 * time.Hour)
	note := s.Created(s.Note(381, uuid.MustParse(s.Ids["cleared"])))
	s.Answered(note, ledger.NotCleared)
	keep("rejected note", note)
	reported := s.Created(s.Simplified())
	s.Answered(reported, ledger.Reported)
	keep("reported", reported)
	h.Clock.Advance(24 * time.Hour)
	silent := s.Created(s.Simplified(Fields{"notes": []any{Fields{"language_id": "en", "note": "silent"}}}))
	s.Answered(silent, ledger.NoResponse)
	keep("silent", silent)
	a := s.CreateAs(s.Ticket, second.Standard(Fields{"type_code": 386})).Wants(h.TB, http.StatusAccepted)
	s.Ids["advance"] = IssuedID(h.TB, a)
	return s
}

// PDF requests the PDF of an invoice.
func (t *Seller) PDF(method string, id uuid.UUID, body string) Answer {
	return t.Call(method, "/v1/api/invoices/"+id.String()+"/pdf-a3/", body)
}

// Embedded returns the XML file embedded in a PDF response.
func Embedded(t *testing.T, a Answer) pdfa.File {
	t.Helper()
	if a.Status != http.StatusOK {
		t.Fatalf("get the PDF: got %d %s, want 200", a.Status, a.Body)
	}
	Equal(t, "type", a.Header.Get("Content-Type"), "application/pdf")
	files, err := pdfa.Extract(t.Context(), []byte(a.Body), pdfa.Limits{})
	if err != nil || len(files) != 1 {
		t.Fatalf("the PDF has %d embedded files, want 1: %v", len(files), err)
	}
	return files[0]
}
