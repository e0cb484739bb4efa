package issue_test

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/sample"
	"khatm/seal"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/vault"
)

// Ids of the records of a shop.
var (
	organisationID = id(1)
	firstDevice    = id(2)
	secondDevice   = id(3)
	buyerID        = id(4)
	otherBuyer     = id(5)
	reasonID       = id(6)
	paper          = id(7) // an item with unlimited stock
	chairs         = id(8) // an item with a stock of ten
	unknownID      = id(99)

	standardDevice   = id(14) // issues standard documents only
	simplifiedDevice = id(15) // issues simplified documents only
	lastDayDevice    = id(16) // its certificate is about to expire
)

// id returns a valid UUID for a number.
func id(n uint32) uuid.UUID {
	u := uuid.UUID{6: 0x40, 8: 0x80}
	binary.BigEndian.PutUint32(u[12:], n)
	return u
}

// dec parses a decimal.
func dec(text string) money.Decimal { return money.MustParse(text) }

// morning is the current time of a shop, noon in Riyadh.
var morning = time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)

// stamps holds the keys and certificates of all shops.
type stamps struct {
	ring   *vault.Ring
	sealed map[uuid.UUID][]byte // keys, by device
	tokens map[uuid.UUID]string // certificates, by device
}

// sharedStamps returns the keys and certificates. They are created once,
// because that takes longer than most tests.
var sharedStamps = sync.OnceValues(func() (s stamps, err error) {
	master := base64.StdEncoding.EncodeToString(make([]byte, 32))
	clock := func() time.Time { return morning }
	if s.ring, err = vault.Load(vault.Config{Keys: vault.NewSecret([]byte(master)), Random: rand.Reader, Now: clock}); err != nil {
		return s, err
	}
	s.sealed, s.tokens = map[uuid.UUID][]byte{}, map[uuid.UUID]string{}
	for _, device := range []uuid.UUID{firstDevice, secondDevice, standardDevice, simplifiedDevice, lastDayDevice} {
		key, sealed, err := s.ring.NewDeviceKey(issue.DeviceKey, device.String())
		if err != nil {
			return s, err
		}
		certificate, err := seal.TestCertificate(key, unitOf(device), morning.AddDate(-1, 0, 0), rand.Reader)
		if err != nil {
			return s, err
		}
		s.sealed[device], s.tokens[device] = sealed, certificate.Text
	}
	return s, nil
})

func unitOf(device uuid.UUID) seal.Unit {
	return seal.Unit{
		CommonName: "TST-1", Provider: "Khatm", Model: "1", Serial: device.String(), VATNumber: sample.Seller().VATNumber, UnitName: "Head office",
		Organisation: "Khatm Demo Trading", InvoiceType: "1100", Location: "RRRD2929", Industry: "Retail",
	}
}

// shop is an in-memory organisation that can issue.
type shop struct {
	t      *testing.T
	book   *book
	issuer *issue.Issuer
	by     org.Actor
	now    time.Time
}

// open returns a shop with devices, buyers, a reason and items. Changes apply
// to the configuration of its issuer.
func open(t *testing.T, changes ...func(*issue.Config)) *shop {
	t.Helper()
	kit, err := sharedStamps()
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{t: t, book: newBook(), now: morning, by: org.Actor{Kind: org.KeyActor, Tenant: org.TenantOf(organisationID), ID: id(50), Name: "svc_1"}}
	s.stock()
	for _, one := range []uuid.UUID{firstDevice, secondDevice} {
		s.book.devices[one] = issue.Chain{
			Key: kit.sealed[one],
			Device: device.Device{
				ID: one, CommonName: "TST-1", SerialNumber: "1-Khatm|2-1|3-1", Location: "RRRD2929", UnitName: "Head office", Industry: "Retail",
				InvoiceType: device.Both, Status: device.PCSIDGenerated, Token: kit.tokens[one], LastHash: device.GenesisHash,
				Production: &device.Certificate{NotBefore: morning.AddDate(-1, 0, 0), NotAfter: morning.AddDate(4, 0, 0)},
			},
		}
	}
	var last atomic.Uint32
	last.Store(1000)
	config := issue.Config{
		Keeper: s.book, Vault: kit.ring, Now: func() time.Time { return s.now }, NewID: func() uuid.UUID { return id(last.Add(1)) },
		Random: rand.Reader, Log: slog.New(slog.DiscardHandler), UpgradeURL: "https://khatm.example/plans",
	}
	for _, change := range changes {
		change(&config)
	}
	s.issuer = issue.New(config)
	return s
}

// stock adds the records of the shop.
func (s *shop) stock() {
	b := s.book
	b.organisation = org.Organisation{
		ID: organisationID, Name: "Khatm Demo Trading", NameArabic: "شركة ختم", VATNumber: "310175397400003",
		Identification: org.Identification{Type: "CRN", Value: "1010183482"},
		Address: org.Address{
			Street: "King Fahd Road", AdditionalStreet: "Tower 3", BuildingNumber: "8091", PlotIdentification: "7261", District: "Al Olaya",
			City: "Riyadh", ProvinceState: "Riyadh Region", PostalCode: "12214", CountryCode: "SA",
		},
	}
	for n, one := range []uuid.UUID{buyerID, otherBuyer} {
		b.clients[one] = trade.Client{
			ID: one, Name: "Al Noor Stationery", NameArabic: "مؤسسة النور", VATNumber: []string{"311287654900003", "311111111100003"}[n],
			BusinessType: "b2b", Industry: "retail", ContactName: "Sara", ContactEmail: "sara@example.com", ContactPhone: "+966501234567",
			Address: org.Address{
				Street: "Palestine Street", AdditionalStreet: "Annex", BuildingNumber: "3542", PlotIdentification: "1111", District: "Al Hamra",
				City: "Jeddah", ProvinceState: "Makkah Region", PostalCode: "23321", CountryCode: "SA",
			},
			Identifications: []org.Identification{{Type: "CRN", Value: "4030276644"}},
		}
	}
	b.reasons[reasonID] = trade.Reason{ID: reasonID, Description: "Goods returned", Active: true}
	ten := money.FromInt(10)
	b.items[paper] = trade.Item{ID: paper, Name: "Paper A4", Price: dec("18.95"), Unit: "BOX", Category: "S", Rate: dec("15"), Active: true}
	b.items[chairs] = trade.Item{ID: chairs, Name: "Office chair", Price: dec("100"), Unit: "PCE", Category: "S", Rate: dec("15"), Active: true, Stock: &ten}
}

// line returns a valid line of 100 SAR at 15 percent VAT.
func line() issue.FormLine {
	return issue.FormLine{Name: "Desk lamp", Price: dec("100"), Quantity: dec("1"), Unit: "PCE", Category: "S", Rate: dec("15")}
}

// zero returns a valid zero-rated line.
func zero(price string) issue.FormLine {
	return issue.FormLine{
		Name: "Medicine", Price: dec(price), Quantity: dec("1"), Unit: "PCE", Category: "Z", Rate: dec("0"), ReasonCode: "VATEX-SA-35", ReasonText: "Medicines",
	}
}

// change changes a request.
type change = func(*issue.Request)

// standard returns a valid standard tax invoice of 115 SAR, with changes.
func standard(changes ...change) issue.Request {
	r := issue.Request{
		Device: firstDevice, Seller: organisationID, Buyer: buyerID, Kind: 388, Transaction: "0100000", SupplyDate: "2026-11-14", SupplyEndDate: "2026-11-15",
		Currency: "SAR", ExchangeRate: dec("1"), PaymentMeans: "10", FormLines: []issue.FormLine{line()},
	}
	for _, change := range changes {
		change(&r)
	}
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // a request can always be encoded
	}
	if r.Digest == [sha256.Size]byte{} {
		r.Digest = sha256.Sum256(text)
	}
	return r
}

// all combines several changes.
func all(changes ...change) change {
	return func(r *issue.Request) {
		for _, change := range changes {
			change(r)
		}
	}
}

// note adds a note, which makes the request unique.
func note(text string) change {
	return func(r *issue.Request) { r.Notes = append(r.Notes, issue.Note{Language: "en", Text: text}) }
}

// key sets the idempotency key, which is not part of the data.
func key(r issue.Request, key string) issue.Request {
	r.IdempotencyKey = key
	return r
}

func simplified(r *issue.Request) { r.Transaction, r.Buyer = "0200000", uuid.Nil }

func from(device uuid.UUID) change { return func(r *issue.Request) { r.Device = device } }

func kind(code int) change { return func(r *issue.Request) { r.Kind = code } }

func lines(all ...issue.FormLine) change {
	return func(r *issue.Request) { r.FormLines = all }
}

// priced replaces the lines with one of the given price.
func priced(price string) change {
	l := line()
	l.Price = dec(price)
	return lines(l)
}

// items adds a catalogue line and removes the form lines.
func items(item uuid.UUID, quantity string) change {
	return func(r *issue.Request) {
		r.FormLines, r.Lines = nil, append(r.Lines, issue.CatalogueLine{Item: item, Quantity: dec(quantity)})
	}
}

// corrects turns a request into a credit note (381) or a debit note (383).
func corrects(code int, originals ...uuid.UUID) change {
	return func(r *issue.Request) { r.Kind, r.Originals, r.Reason = code, originals, reasonID }
}

// deducts adds advances to deduct.
func deducts(advances ...uuid.UUID) change {
	return func(r *issue.Request) { r.AddPrepaid, r.Prepaid = true, advances }
}

// sets adds the amount at 15 percent to deduct from an advance.
func sets(advance uuid.UUID, amount string) change {
	return func(r *issue.Request) { r.PrepaidAmounts = append(r.PrepaidAmounts, setting(advance, amount)...) }
}

func setting(advance uuid.UUID, amount string) []issue.PrepaidAmount {
	return []issue.PrepaidAmount{{Advance: advance, Category: "S", Rate: dec("15"), Amount: dec(amount)}}
}

// create issues a request, which must succeed.
func (s *shop) create(r issue.Request) ledger.Invoice {
	s.t.Helper()
	i, err := s.issuer.Create(s.t.Context(), s.by, r)
	if err != nil {
		s.t.Fatalf("create: %v", err)
	}
	return i
}

// accepted issues a document and marks it as accepted by the authority.
func (s *shop) accepted(changes ...change) ledger.Invoice {
	s.t.Helper()
	i := s.create(standard(changes...))
	s.book.accept(i.ID)
	return i
}

// refused checks that a request is refused by create and preview with the same
// error, and that nothing is written.
func (s *shop) refused(r issue.Request) *fault.Error {
	s.t.Helper()
	before := len(s.book.entries)
	_, shown := s.issuer.Preview(s.t.Context(), s.by, r)
	_, err := s.issuer.Create(s.t.Context(), s.by, r)
	if err == nil {
		s.t.Fatal("Create succeeded, want a refusal")
	}
	if shown == nil || shown.Error() != err.Error() {
		s.t.Errorf("preview returns %v, create %v, want the same", shown, err)
	}
	if after := len(s.book.entries); after != before {
		s.t.Errorf("%d documents were written by a refused request, want 0", after-before)
	}
	return faultOf(s.t, err)
}

// faultOf returns err as a fault for callers.
func faultOf(t *testing.T, err error) *fault.Error {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v is not a fault.Error", err)
	}
	return e
}

// same compares two values.
func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// amounts compares decimals by their value.
func amounts(t *testing.T, what string, got money.Decimal, want string) {
	t.Helper()
	if !got.Equal(dec(want)) {
		t.Errorf("%s: got %s, want %s", what, got, want)
	}
}
