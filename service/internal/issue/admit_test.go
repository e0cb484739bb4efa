package issue_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// patterns maps refusal names to regular expressions of their messages.
var patterns = func() map[string]*regexp.Regexp {
	all := map[string]*regexp.Regexp{}
	for _, r := range issue.Refusals() {
		text := regexp.QuoteMeta(r.Message)
		all[r.Name] = regexp.MustCompile("^" + strings.NewReplacer("%s", "(.+)", "%d", `(\d+)`).Replace(text) + "$")
	}
	return all
}()

// refusalOf returns the name of the refusal, or the text of any other error.
func refusalOf(err error) string {
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind() != fault.Invalid {
		return "none: " + errText(err)
	}
	message := e.Message
	if len(e.Problems) == 1 { // a problem with one field
		message = e.Problems[0].Message
	}
	for name, pattern := range patterns {
		if pattern.MatchString(message) {
			return name
		}
	}
	return "none: " + errText(err)
}

func errText(err error) string {
	if err == nil {
		return "issued"
	}
	return err.Error()
}

// counter is a shop with records for every refusal.
type counter struct {
	*shop
	original, pending, rejected, credit     uuid.UUID
	advance, waiting, spent, empty, foreign uuid.UUID
	cents, second                           uuid.UUID // advances: one with credit notes of small amounts, one that is untouched
	old, oldAdvance                         uuid.UUID // imported from an older system
}

func openCounter(t *testing.T) *counter {
	t.Helper()
	c := &counter{shop: open(t)}
	kit, err := sharedStamps()
	if err != nil {
		t.Fatal(err)
	}
	b := c.book
	withDevice := func(n uint32, change func(*device.Device)) {
		chain := b.devices[firstDevice]
		chain.ID = id(n)
		chain.Key, chain.Token = kit.sealed[id(n)], kit.tokens[id(n)]
		change(&chain.Device)
		b.devices[chain.ID] = chain
	}
	withDevice(10, func(d *device.Device) { d.Status = device.CSRPending })
	withDevice(11, func(d *device.Device) { d.Retired = true })
	withDevice(12, func(d *device.Device) { d.Production = &device.Certificate{NotAfter: morning} })
	withDevice(13, func(d *device.Device) { d.Production = nil })
	withDevice(14, func(d *device.Device) { d.InvoiceType = device.StandardOnly })
	withDevice(15, func(d *device.Device) { d.InvoiceType = device.SimplifiedOnly })
	withDevice(16, func(d *device.Device) { d.Production = &device.Certificate{NotAfter: morning.Add(time.Nanosecond)} })
	withClient := func(n uint32, change func(*trade.Client)) {
		client := b.clients[buyerID]
		client.ID = id(n)
		change(&client)
		b.clients[client.ID] = client
	}
	withClient(20, func(c *trade.Client) { c.VATNumber = "" })
	withClient(21, func(c *trade.Client) { c.VATNumber, c.CountryCode, c.Identifications = "", "DE", nil })
	withClient(22, func(c *trade.Client) { c.VATNumber = b.organisation.VATNumber })
	withClient(23, func(c *trade.Client) { c.VATNumber, c.CountryCode = "", "DE" })
	b.reasons[id(30)] = trade.Reason{ID: id(30), Description: "Old"}
	b.items[id(31)] = trade.Item{ID: id(31), Name: "Carbon paper", Price: dec("1"), Unit: "PCE", Category: "S", Rate: dec("15")}

	c.original = c.accepted(note("original")).ID
	c.pending = c.create(standard(note("pending"))).ID
	c.rejected = c.create(standard(note("rejected"))).ID
	b.change(c.rejected, func(e *issue.Earlier) { e.Status = ledger.NotCleared })
	c.credit = c.accepted(corrects(381, c.accepted(note("credited")).ID)).ID
	c.advance = c.accepted(kind(386), note("advance")).ID
	c.waiting = c.create(standard(kind(386), note("waiting"))).ID
	c.spent = c.accepted(kind(386), note("spent")).ID
	c.create(standard(deducts(c.spent), note("spends")))
	c.empty = c.accepted(kind(386), note("credited whole")).ID
	c.accepted(corrects(381, c.empty))
	c.foreign = c.accepted(note("in dollars"), kind(386), dollars).ID
	c.cents = c.accepted(kind(386), priced("0.40")).ID // 0.06 of VAT
	for n := range 3 {                                 // each credits 0.01 of VAT, rounded up
		c.accepted(corrects(381, c.cents), priced("0.04"), note(fmt.Sprint(n)))
	}
	c.second = c.accepted(kind(386), note("second")).ID
	c.old, c.oldAdvance = id(40), id(41)
	b.imported(c.old, buyerID, "100")
	b.imported(c.oldAdvance, buyerID, "100")
	b.change(c.oldAdvance, func(e *issue.Earlier) { e.Kind, e.Breakdown = invoice.AdvancePayment, b.earlier[c.advance].Breakdown })
	return c
}

func dollars(r *issue.Request) { r.Currency, r.ExchangeRate = "USD", dec("3.75") }

func buyer(n uint32) change { return func(r *issue.Request) { r.Buyer = id(n) } }

func exported(r *issue.Request) {
	r.Transaction = "0100100"
	l := zero("100")
	l.ReasonCode, l.ReasonText = "VATEX-SA-32", "Export of goods"
	r.FormLines = []issue.FormLine{l}
}

// original sets the line that a note corrects.
func original(line uuid.UUID) change {
	return func(r *issue.Request) { r.FormLines[0].Original = line }
}

type refusedCase struct {
	refusal string
	change  change
	says    []string // values in the message
}

func (c *counter) refusals() []refusedCase {
	transaction := func(code string) change { return func(r *issue.Request) { r.Transaction = code } }
	reason := func(id uuid.UUID) change { return func(r *issue.Request) { r.Reason = id } }
	means := func(code string) change { return func(r *issue.Request) { r.PaymentMeans = code } }
	otherLine := func(with func(*issue.FormLine)) change {
		return func(r *issue.Request) { with(&r.FormLines[0]) }
	}
	return []refusedCase{
		{"transaction code", transaction("0100001"), nil},
		{"transaction code", transaction("0200100"), nil},
		{"transaction code", transaction(""), nil},
		{"seller", func(r *issue.Request) { r.Seller = unknownID }, nil},
		{"device", from(unknownID), nil},
		{"device status", from(id(10)), []string{"csr_pending"}},
		{"device retired", from(id(11)), nil},
		{"device certificate", from(id(12)), nil},
		{"device certificate", from(id(13)), nil},
		{"device and transaction code", all(from(standardDevice), simplified), []string{"1000", "0200000"}},
		{"device and transaction code", from(simplifiedDevice), []string{"0100", "0100000"}},
		{"device and transaction code", all(exported, from(simplifiedDevice)), []string{"0100", "0100100"}},
		{"buyer", buyer(99), nil},
		{"buyer", all(simplified, buyer(99)), nil},
		{"buyer of a standard invoice", func(r *issue.Request) { r.Buyer = uuid.Nil }, nil},
		{"buyer's VAT number", buyer(20), nil},
		{"buyer's VAT number", all(exported, buyer(20)), nil},
		{"buyer's VAT number", buyer(21), nil},
		{"identification of a foreign buyer", all(exported, buyer(21)), nil},
		{"buyer and seller", buyer(22), nil},
		{"buyer and seller", all(simplified, buyer(22)), nil},
		{"lines and form_lines", func(r *issue.Request) { r.Lines = []issue.CatalogueLine{{Item: paper, Quantity: dec("1")}} }, nil},
		{"no lines", lines(), nil},
		{"item", all(items(paper, "1"), items(unknownID, "1")), []string{"lines.1.item_id"}},
		{"inactive item", items(id(31), "1"), []string{"Carbon paper"}},
		{"inactive item", all(kind(386), items(id(31), "1")), []string{"Carbon paper"}},
		{"two prices on a line", lines(func() issue.FormLine { l := line(); l.GrossPrice = dec("115"); return l }()), nil},
		{"decimals of a quantity", lines(lineOf("999999999.99", "0.33333333", "15")), nil},
		{"decimals of a quantity", items(chairs, "0.0000004"), nil},
		{"stock", items(chairs, "10.000001"), []string{"Office chair", "10", "10.000001"}},
		{"lines of an export", transaction("0100100"), nil},
		{"lines of an export", all(exported, otherLine(func(l *issue.FormLine) { l.ReasonCode = "VATEX-SA-35" })), nil},
		{"lines of an export", all(exported, otherLine(func(l *issue.FormLine) { l.Category = "E" })), nil},
		{"payment terms", means("30"), nil},
		{"reason", reason(unknownID), nil},
		{"reason", reason(id(30)), nil},
		{"original of a tax invoice", func(r *issue.Request) { r.Originals = []uuid.UUID{c.original} }, nil},
		{"original of a tax invoice", all(kind(386), func(r *issue.Request) { r.Originals = []uuid.UUID{c.original} }), nil},
		{"original line of a tax invoice", original(unknownID), nil},
		{"original of a note", corrects(381), nil},
		{"original of a note", corrects(383), nil},
		{"reason of a note", all(corrects(381, c.original), reason(uuid.Nil)), nil},
		{"reason of a note", all(corrects(383, c.original), reason(uuid.Nil)), nil},
		{"unknown original", corrects(381, c.original, unknownID), []string{unknownID.String()}},
		{"original not accepted", corrects(381, c.pending), []string{"INV-2026-000002"}},
		{"original not accepted", corrects(383, c.rejected), []string{"INV-2026-000003"}},
		{"kind of the original", corrects(381, c.credit), []string{"CRN-2026-000001"}},
		{"kind of the original", corrects(383, c.credit), []string{"CRN-2026-000001"}},
		{"original and note differ", all(corrects(381, c.original), buyer(5)), []string{"INV-2026-000001", "buyer"}},
		{"original and note differ", all(corrects(381, c.original), dollars), []string{"currency"}},
		{"original and note differ", all(corrects(381, c.original), transaction("0200000")), []string{"transaction_code"}},
		{"original twice", corrects(381, c.original, c.original), []string{"INV-2026-000001"}},
		{"credit above the original", all(corrects(381, c.original), priced("100.01")), []string{"115.01", "115.00"}},
		{"original line", all(corrects(381, c.original), original(unknownID)), []string{unknownID.String()}},
		{"credit note on an advance", corrects(381, c.advance, c.original), nil},
		{"credit note on an advance", corrects(381, c.original, c.advance), nil},
		{"credit of an advance by category", all(corrects(381, c.advance), lines(zero("100"))), []string{"100.00", "Z", "0", "0.00", "ADV-2026-000001"}},
		{"advance payments", func(r *issue.Request) { r.AddPrepaid = true }, nil},
		{"advance payments", func(r *issue.Request) { r.Prepaid = []uuid.UUID{c.advance} }, nil},
		{"advances on this document", all(kind(386), deducts(c.advance)), nil},
		{"advances on this document", all(corrects(381, c.original), deducts(c.advance)), nil},
		{"advances on this document", all(corrects(383, c.original), deducts(c.advance)), nil},
		{"unknown advance", deducts(unknownID), []string{unknownID.String()}},
		{"unknown advance", deducts(c.original), []string{c.original.String()}},
		{"unknown advance", deducts(c.old), nil},
		{"unknown advance", deducts(c.oldAdvance), nil},
		{"advance not accepted", deducts(c.waiting), []string{"ADV-2026-000002"}},
		{"advance spent", deducts(c.spent), []string{"ADV-2026-000003"}},
		{"advance spent", deducts(c.empty), []string{"ADV-2026-000004"}},
		{"advance and invoice differ", all(deducts(c.advance), buyer(5)), []string{"ADV-2026-000001", "buyer"}},
		{"advance and invoice differ", deducts(c.foreign), []string{"currency"}},
		{"advance twice", deducts(c.advance, c.advance), []string{"ADV-2026-000001"}},
		{"advance not needed", all(deducts(c.advance), lines(zero("100"))), []string{"ADV-2026-000001"}},
		{"advance not needed", all(deducts(c.advance, c.second), priced("100")), []string{"ADV-2026-000007"}},
		{"VAT of a credit of an advance", all(corrects(381, c.cents), priced("0.04")), []string{"0.01", "S", "15", "0.03", "ADV-2026-000006"}},
		{"amount of an advance that is not listed", func(r *issue.Request) { r.PrepaidAmounts = setting(c.advance, "1") }, []string{"prepaid_amounts.0.prepaid_invoice", c.advance.String()}},
		{"amount of an advance that is not listed", all(deducts(c.advance), sets(c.advance, "1"), sets(c.second, "1")), []string{"prepaid_amounts.1.prepaid_invoice", c.second.String()}},
		{"amount of an advance twice", all(deducts(c.advance), sets(c.advance, "1"), sets(c.advance, "2")), []string{"prepaid_amounts.1:", "ADV-2026-000001", "S", "15"}},
		{"amount of an advance missing", all(deducts(c.advance, c.second), sets(c.advance, "1")), []string{"ADV-2026-000007"}},
		{"amount above the advance", all(deducts(c.advance), priced("200"), sets(c.advance, "100.01")), []string{"prepaid_amounts.0.amount", "100.01", "100.00", "ADV-2026-000001", "S", "15"}},
		{"amount above the advance", all(deducts(c.advance), func(r *issue.Request) {
			r.PrepaidAmounts = []issue.PrepaidAmount{{Advance: c.advance, Category: "Z", Amount: dec("1")}}
		}), []string{"1.00", "0.00", "Z", "0"}},
		{"amount above the invoice", all(deducts(c.advance), priced("50"), sets(c.advance, "50.01")), []string{"prepaid_amounts.0.amount", "50.01", "50.00", "S", "15"}},
		{"amount above the invoice", all(deducts(c.advance, c.second), sets(c.advance, "99.99"), sets(c.second, "0.02")), []string{"prepaid_amounts.1.amount", "0.02", "0.01"}},
	}
}

// Every refusal is returned in both languages, by create and by preview.
func TestRefusals(t *testing.T) {
	t.Parallel()
	c := openCounter(t)
	shown := map[string]bool{"duplicate": true, "idempotency key": true} // not checked by a preview
	for n, one := range c.refusals() {
		r := standard(one.change)
		e := c.refused(r)
		shown[one.refusal] = true
		if got := refusalOf(e); got != one.refusal {
			t.Errorf("case %d: refused for %q, want %q", n, got, one.refusal)
		}
		arabic, _ := e.Fields["message_ar"].(string)
		for _, text := range one.says {
			if !strings.Contains(e.Message, text) || !strings.Contains(arabic, text) {
				t.Errorf("case %d: messages %q and %q, want %q in both", n, e.Message, arabic, text)
			}
		}
		for _, field := range []string{"message_ar", "fix", "fix_ar"} {
			if text, _ := e.Fields[field].(string); text == "" || strings.Contains(text, "%") {
				t.Errorf("case %d: %s = %q, want a text without placeholders", n, field, text)
			}
		}
	}
	for _, r := range issue.Refusals() {
		if !shown[r.Name] {
			t.Errorf("no case covers the refusal %q", r.Name)
		}
	}
}

// Requests that only just satisfy the checks are accepted.
func TestAdmitted(t *testing.T) {
	t.Parallel()
	c := openCounter(t)
	for n, r := range []issue.Request{
		standard(from(standardDevice)),
		standard(from(standardDevice), exported),
		standard(from(simplifiedDevice), simplified),
		standard(from(lastDayDevice), note("a certificate of one more nanosecond")),
		standard(buyer(20), func(r *issue.Request) { r.Transaction = "0200000" }),
		standard(exported, buyer(23)),
		standard(exported),
		standard(func(r *issue.Request) { r.PaymentMeans, r.Reason = "30", reasonID }),
		standard(func(r *issue.Request) { r.Reason = reasonID }),
		standard(corrects(383, c.original, c.advance)),
		standard(corrects(383, c.original), priced("1000000")),
		standard(corrects(381, c.old), priced("86.95")),
		standard(items(chairs, "10")),
		standard(deducts(c.advance), func(r *issue.Request) { r.Transaction = "0200000" }), // deducts a standard advance
	} {
		if _, err := c.issuer.Preview(t.Context(), c.by, r); err != nil {
			t.Errorf("case %d: Preview = %v, want no error", n, err)
		}
		if _, err := c.issuer.Create(t.Context(), c.by, r); err != nil {
			t.Errorf("case %d: Create = %v, want no error", n, err)
		}
	}
}

// If several checks fail, the first one in the order of the checks is reported.
func TestOrderOfRefusals(t *testing.T) {
	t.Parallel()
	c := openCounter(t)
	steps := []refusedCase{ // each can fail together with every later one
		{"transaction code", func(r *issue.Request) { r.Transaction = "1" }, nil},
		{"seller", func(r *issue.Request) { r.Seller = unknownID }, nil},
		{"device", from(unknownID), nil},
		{"buyer", buyer(99), nil},
		{"no lines", lines(), nil},
		{"payment terms", func(r *issue.Request) { r.PaymentMeans = "30" }, nil},
		{"original of a tax invoice", func(r *issue.Request) { r.Originals = []uuid.UUID{c.original} }, nil},
		{"advance payments", func(r *issue.Request) { r.AddPrepaid = true }, nil},
	}
	for n := range steps {
		var wrong []change
		for _, step := range steps[n:] {
			wrong = append(wrong, step.change)
		}
		if got := refusalOf(c.refused(standard(wrong...))); got != steps[n].refusal {
			t.Errorf("refused for %q, want %q", got, steps[n].refusal)
		}
	}
}

// A document that refers to a damaged one is refused as unavailable, not as
// referring to an unknown document.
func TestReferenceToADamagedDocument(t *testing.T) {
	t.Parallel()
	c := openCounter(t)
	for _, one := range []uuid.UUID{c.original, c.advance} {
		c.book.earlier[one] = issue.Earlier{ID: one, Damage: &ledger.Damage{Invoice: one, What: "XML"}}
	}
	for _, change := range []change{corrects(381, c.original), deducts(c.advance)} {
		e := c.refused(standard(change))
		if e.Kind() != fault.Unavailable || !errors.Is(e, issue.ErrUnwritten) {
			t.Errorf("refused with %v, want unavailable and ErrUnwritten", e)
		}
	}
}

// A device of a branch issues with the registration number and address of the
// branch.
func TestBranchOfADevice(t *testing.T) {
	t.Parallel()
	s := open(t)
	branch := org.Branch{
		ID: id(60), Name: "Jeddah", Identification: org.Identification{Type: "MLS", Value: "123456"},
		Address: org.Address{Street: "Tahlia", BuildingNumber: "1234", District: "Rawdah", City: "Jeddah", PostalCode: "21411", CountryCode: "SA"},
	}
	s.book.branches[branch.ID] = branch
	chain := s.book.devices[firstDevice]
	chain.Branch = &branch.ID
	s.book.devices[firstDevice] = chain
	seller := s.create(standard()).Record.Seller
	same(t, "name", seller.Name, "Khatm Demo Trading")
	same(t, "number", seller.Identifications[0], ledger.Identity{Type: "MLS", Value: "123456"})
	same(t, "city", seller.City, "Jeddah")
	elsewhere := s.create(standard(from(secondDevice))).Record.Seller
	same(t, "city of the other device", elsewhere.City, "Riyadh")
}
