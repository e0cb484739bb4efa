package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// desk is a till whose drafts people share.
type desk struct {
	*till
	ctx context.Context
	by  org.Actor
}

func (h *house) desk() *desk {
	h.t.Helper()
	t := h.till()
	return &desk{till: t, ctx: context.Background(), by: h.operator(t.org)}
}

func (d *desk) sharer() *share.Sharer { return d.service.Sharer() }

func (d *desk) of() org.Tenant { return d.by.Tenant }

// recipient reads English letters.
var recipient = share.Recipient{Name: "Noura", Email: "noura@buyer.example", Language: "en"}

// request is a right standard invoice: two laptops at a price.
func (d *desk) request(price string) issue.Request {
	return issue.Request{
		Device: d.device.ID, Seller: d.org.ID, Buyer: d.buyer.ID, Kind: 388, Transaction: "0100000",
		SupplyDate: "2026-11-15", SupplyEndDate: "2026-11-15", Currency: "SAR", ExchangeRate: money.MustParse("1"), PaymentMeans: "10",
		FormLines: []issue.FormLine{{
			Name: "Laptop 15 inch", Price: money.MustParse(price), Quantity: money.MustParse("2"), Unit: "PCE", Category: "S", Rate: money.MustParse("15"),
		}},
	}
}

// draft keeps a right draft of 8400.00 and VAT.
func (d *desk) draft() share.Draft {
	d.t.Helper()
	made, err := d.sharer().Create(d.ctx, d.by, d.request("4200.00"), recipient)
	d.must(err)
	return made
}

// shared is a draft that waits for its recipient, and the token of its link.
func (d *desk) shared() (share.Draft, string) {
	d.t.Helper()
	made, err := d.sharer().Share(d.ctx, d.by, d.draft().ID)
	d.must(err)
	return made, d.token(made)
}

// approved is a draft that its recipient has approved.
func (d *desk) approved() share.Draft {
	d.t.Helper()
	made, token := d.shared()
	_, err := d.sharer().Approve(d.ctx, token, "Noura", d.code(token), share.From{})
	d.must(err)
	return d.again(made)
}

// again reads a draft anew.
func (d *desk) again(one share.Draft) share.Draft {
	d.t.Helper()
	found, err := d.sharer().Draft(d.ctx, d.of(), one.ID)
	d.must(err)
	return found
}

func (d *desk) token(one share.Draft) string {
	d.t.Helper()
	link, err := d.sharer().LinkOf(one)
	d.must(err)
	_, token, found := strings.Cut(link, "/s/")
	if !found {
		d.t.Fatalf("a link is %q", link)
	}
	return token
}

// code asks for a code and reads it in the letter.
func (d *desk) code(token string) string {
	d.t.Helper()
	asked, err := d.sharer().AskCode(d.ctx, token, share.From{})
	d.must(err)
	if !asked.Fresh {
		d.t.Fatal("no code was sent")
	}
	return d.lastCode()
}

var sixDigits = regexp.MustCompile(`(?m)^[0-9]{6}$`)

// lastCode is the code in the newest letter.
func (d *desk) lastCode() string {
	d.t.Helper()
	code := sixDigits.FindString(d.letters()[0].text.Body)
	if code == "" {
		d.t.Fatal("the newest letter brings no code")
	}
	return code
}

// post is a letter of the queue and what it says.
type post struct {
	mail.Letter
	text mail.Text
}

// letters are those of the organisation, the newest first.
func (d *desk) letters() (all []post) {
	d.t.Helper()
	list, err := d.service.Store().Letters(d.ctx, d.of(), org.Page{Size: 100, Number: 1})
	d.must(err)
	for _, l := range list.Rows {
		one := post{Letter: l}
		if l.Sealed != nil {
			plain, err := d.service.Vault().Open(mail.Purpose, l.ID.String(), l.Sealed)
			d.must(err)
			d.must(json.Unmarshal(plain, &one.text))
		}
		all = append(all, one)
	}
	return all
}

// deeds are what the audit trail says of a subject, the oldest first.
func (d *desk) deeds(subject uuid.UUID) (actions []string) {
	d.t.Helper()
	events, err := d.service.Store().Events(d.ctx, d.of(), 1000)
	d.must(err)
	for _, e := range events {
		if e.Subject == subject.String() {
			actions = append([]string{e.Action}, actions...)
		}
	}
	return actions
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// turnedAway demands a fault of a kind that says something.
func turnedAway(t testing.TB, what string, err error, kind fault.Kind, says ...string) {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind != kind {
		t.Errorf("%s: %v, want a fault of kind %d", what, err, kind)
		return
	}
	text := e.Error()
	if detail, is := e.Fields["detail"].(string); is {
		text += detail
	}
	for _, words := range says {
		if !strings.Contains(text, words) {
			t.Errorf("%s: %q does not say %q", what, text, words)
		}
	}
}
