package servicetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/issue"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// DraftSharing is a seller that shares drafts.
type DraftSharing struct {
	*Seller
	Ctx context.Context
	By  org.Actor
}

// DraftSharing returns a seller that shares drafts.
func (h *Instance) DraftSharing() *DraftSharing {
	h.TB.Helper()
	t := h.NewSeller()
	return &DraftSharing{Seller: t, Ctx: context.Background(), By: h.Operator(t.Org)}
}

// Sharer returns the sharer of the service.
func (d *DraftSharing) Sharer() *share.Sharer { return d.Service.Sharer() }

// Of returns the organisation of the seller.
func (d *DraftSharing) Of() org.Tenant { return d.By.Tenant }

// Recipient is a recipient of e-mails in English.
var Recipient = share.Recipient{Name: "Noura", Email: "noura@buyer.example", Language: "en"}

// Request returns a valid standard invoice of two laptops at a price.
func (d *DraftSharing) Request(price string) issue.Request {
	return issue.Request{
		Device: d.Device.ID, Seller: d.Org.ID, Buyer: d.Buyer.ID, Kind: 388, Transaction: "0100000",
		SupplyDate: "2026-11-15", SupplyEndDate: "2026-11-15", Currency: "SAR", ExchangeRate: money.MustParse("1"), PaymentMeans: "10",
		FormLines: []issue.FormLine{{
			Name: "Laptop 15 inch", Price: money.MustParse(price), Quantity: money.MustParse("2"), Unit: "PCE", Category: "S", Rate: money.MustParse("15"),
		}},
	}
}

// Draft creates a draft of 8400.00 plus VAT.
func (d *DraftSharing) Draft() share.Draft {
	d.TB.Helper()
	made, err := d.Sharer().Create(d.Ctx, d.By, d.Request("4200.00"), Recipient)
	d.Must(err)
	return made
}

// Shared creates and shares a draft, and returns it with the token of its link.
func (d *DraftSharing) Shared() (share.Draft, string) {
	d.TB.Helper()
	made, err := d.Sharer().Share(d.Ctx, d.By, d.Draft().ID)
	d.Must(err)
	return made, d.Token(made)
}

// Approved creates a draft and approves it as its recipient.
func (d *DraftSharing) Approved() share.Draft {
	d.TB.Helper()
	made, token := d.Shared()
	_, err := d.Sharer().Approve(d.Ctx, token, "Noura", d.Code(token), share.From{})
	d.Must(err)
	return d.Again(made)
}

// Declined returns a draft that its recipient declined.
func (d *DraftSharing) Declined() share.Draft {
	d.TB.Helper()
	draft, token := d.Shared()
	_, err := d.Sharer().Decline(d.Ctx, token, "Noura", d.Code(token), "Three, not two.", share.From{})
	d.Must(err)
	return d.Again(draft)
}

// Again reads a draft again.
func (d *DraftSharing) Again(one share.Draft) share.Draft {
	d.TB.Helper()
	found, err := d.Sharer().Draft(d.Ctx, d.Of(), one.ID)
	d.Must(err)
	return found
}

// Token returns the token of the link to a draft.
func (d *DraftSharing) Token(one share.Draft) string {
	d.TB.Helper()
	link, err := d.Sharer().LinkOf(one)
	d.Must(err)
	_, token, found := strings.Cut(link, "/s/")
	if !found {
		d.TB.Fatalf("link of the draft = %q, want one with /s/", link)
	}
	return token
}

// Code requests a code and returns it from the e-mail.
func (d *DraftSharing) Code(token string) string {
	d.TB.Helper()
	asked, err := d.Sharer().AskCode(d.Ctx, token, share.From{})
	d.Must(err)
	if !asked.Fresh {
		d.TB.Fatal("AskCode sent no new code")
	}
	return d.LastCode()
}

// SixDigits matches the code in an e-mail.
var SixDigits = regexp.MustCompile(`(?m)^[0-9]{6}$`)

// LastCode returns the code in the newest e-mail.
func (d *DraftSharing) LastCode() string {
	d.TB.Helper()
	code := SixDigits.FindString(d.Letters()[0].Text.Body)
	if code == "" {
		d.TB.Fatal("the newest e-mail contains no code")
	}
	return code
}

// Mailbox is a stored e-mail with its decrypted text.
type Mailbox struct {
	mail.Letter
	Text mail.Text
}

// Letters returns the e-mails of the organisation, newest first.
func (d *DraftSharing) Letters() (all []Mailbox) {
	d.TB.Helper()
	list, err := d.Service.Store().Letters(d.Ctx, d.Of(), org.Page{Size: 100, Number: 1})
	d.Must(err)
	for _, l := range list.Rows {
		one := Mailbox{Letter: l}
		if l.Sealed != nil {
			plain, err := d.Service.Vault().Open(mail.Purpose, l.ID.String(), l.Sealed)
			d.Must(err)
			d.Must(json.Unmarshal(plain, &one.Text))
		}
		all = append(all, one)
	}
	return all
}

// Events returns the actions on a subject in the audit trail, oldest first.
func (d *DraftSharing) Events(subject uuid.UUID) (actions []string) {
	d.TB.Helper()
	events, err := d.Service.Store().Events(d.Ctx, d.Of(), 1000)
	d.Must(err)
	for _, e := range events {
		if e.Subject == subject.String() {
			actions = append([]string{e.Action}, actions...)
		}
	}
	return actions
}

// Must fails the test on an error.
func (d *DraftSharing) Must(err error) {
	d.TB.Helper()
	if err != nil {
		d.TB.Fatal(err)
	}
}

// Tries returns how many attempts at the last code of a draft were counted, and
// how many codes were created.
func (d *DraftSharing) Tries(one share.Draft) (tries, made int) {
	d.TB.Helper()
	stop := errors.New("only looked at")
	_, err := d.Service.Store().ChangeDraft(d.Ctx, d.By, one.ID, func(f *share.Folder) error {
		tries, made = f.Code.Tries, f.Code.Made
		return stop
	})
	if !errors.Is(err, stop) {
		d.TB.Fatal(err)
	}
	return tries, made
}

// Paths of drafts and e-mails.
const (
	DraftsPath = "/app/api/drafts/"
	OutboxPath = "/app/api/outbox/"
)

// Refusals of unknown ids.
var (
	NoDraft  = Refusal{http.StatusNotFound, `{"message":"Draft not found"}` + "\n"}
	NoLetter = Refusal{http.StatusNotFound, `{"message":"Letter not found"}` + "\n"}
)

// Draft returns the request body of a draft of a valid invoice.
func (t *Seller) Draft(changes ...Fields) string {
	return AsJSON(t.TB, Record{
		"invoice":   json.RawMessage(t.Standard(changes...)),
		"recipient": Record{"name": "Sara", "email": "sara@buyer.example", "language": "en"},
	})
}

// DraftedBy creates a draft with a session and returns its id.
func (t *Seller) DraftedBy(session string, changes ...Fields) string {
	t.TB.Helper()
	return IDOf(t.As(session, http.MethodPost, DraftsPath, t.Draft(changes...)).Wants(t.TB, http.StatusCreated))
}

// DraftAuthor is a seller with a signed-in user who writes drafts.
type DraftAuthor struct {
	*Seller
	Session string
}

// DraftAuthor signs in a user who writes drafts.
func (h *Instance) DraftAuthor() *DraftAuthor {
	h.TB.Helper()
	return &DraftAuthor{h.NewSeller(), h.Session(org.CreateInvoice, h.Org)}
}

// Do calls an action on a draft; the verb "" is the draft itself.
func (w *DraftAuthor) Do(method, id, verb, body string) Answer {
	w.TB.Helper()
	path := DraftsPath + id + "/"
	if verb != "" {
		path += verb + "/"
	}
	return w.As(w.Session, method, path, body)
}

// Get reads a draft.
func (w *DraftAuthor) Get(id string) Record {
	w.TB.Helper()
	return w.Do(http.MethodGet, id, "", "").Wants(w.TB, http.StatusOK)
}

// Shared shares a draft and returns the token of its link.
func (w *DraftAuthor) Shared(id string) string {
	w.TB.Helper()
	link, _ := w.Do(http.MethodPost, id, "share", "").Wants(w.TB, http.StatusOK)["share_link"].(string)
	_, token, found := strings.Cut(link, "/s/")
	if !found {
		w.TB.Fatalf("share_link = %q, want one with /s/", link)
	}
	return token
}

// Path of sessions, and the password of test users.
const (
	SessionPath   = "/app/api/session/"
	ClerkPassword = "correct horse battery"
)

// Refusals of sign-ins and sessions.
var (
	WrongPassword = Refusal{http.StatusUnauthorized, `{"message":"E-mail or password is wrong.","status":"false"}` + "\n"}
	KeyHere       = Refusal{http.StatusForbidden, `{"message":"An API key cannot be used here; sign in to the app."}` + "\n"}
	NoOrigin      = Refusal{http.StatusForbidden, `{"message":"A write with the cookie must state its origin. Send the Origin header, or send the token as Authorization: Bearer."}` + "\n"}
)

// Enrol creates a user who is a member of the instance's organisation.
func (h *Instance) Enrol(email string) org.Person {
	h.TB.Helper()
	p, err := h.Keys.AddPerson(h.TB.Context(), h.Operator(h.Org), email, "Noura", ClerkPassword, org.Admin)
	if err != nil {
		h.TB.Fatal(err)
	}
	return p
}

// ClerkEmail returns the e-mail address of a user who can sign in.
func (h *Instance) ClerkEmail() string {
	h.TB.Helper()
	if h.clerk == "" {
		h.clerk = h.Enrol("clerk@example.com").Email
	}
	return h.clerk
}

// SignIn posts an e-mail address and a password.
func (h *Instance) SignIn(email, password string, more ...func(*http.Request)) Answer {
	h.TB.Helper()
	return h.Send(http.MethodPost, SessionPath, append([]func(*http.Request){JSONBody(AsJSON(h.TB, Record{"email": email, "password": password}))}, more...)...)
}

// SignedIn signs in and returns the session token.
func (h *Instance) SignedIn(email string) string {
	h.TB.Helper()
	token, _ := h.SignIn(email, ClerkPassword).Wants(h.TB, http.StatusOK)["access_token"].(string)
	return token
}

// Throttled checks a 429 response for a window that has just begun.
func Throttled(t *testing.T, a Answer, limit, seconds int) {
	t.Helper()
	got := a.Wants(t, http.StatusTooManyRequests)
	delete(got, "errors")
	Same(t, "refusal", got, Record{
		"code":   "rate_limited",
		"detail": fmt.Sprintf("Request was throttled. Expected available in %d seconds.", seconds),
		"limit":  Number(limit), "window": Number(seconds), "retry_after": Number(seconds),
	})
	for name, want := range map[string]string{"Retry-After": fmt.Sprint(seconds), "X-RateLimit-Limit": fmt.Sprint(limit), "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": fmt.Sprint(seconds)} {
		Same(t, name, a.Header.Get(name), want)
	}
}
