package service_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/share"
)

// writer is somebody who is signed in and writes drafts at a till.
type writer struct {
	*till
	session string
}

func (h *house) writer() *writer {
	h.t.Helper()
	return &writer{h.till(), h.session(org.CreateInvoice, h.org)}
}

// do makes a call on a draft: "" is the draft itself.
func (w *writer) do(method, id, verb, body string) answer {
	w.t.Helper()
	path := draftsPath + id + "/"
	if verb != "" {
		path += verb + "/"
	}
	return w.as(w.session, method, path, body)
}

func (w *writer) get(id string) record {
	w.t.Helper()
	return w.do(http.MethodGet, id, "", "").wants(w.t, http.StatusOK)
}

// shared shares a draft and gives the token of its link.
func (w *writer) shared(id string) string {
	w.t.Helper()
	link, _ := w.do(http.MethodPost, id, "share", "").wants(w.t, http.StatusOK)["share_link"].(string)
	_, token, found := strings.Cut(link, "/s/")
	if !found {
		w.t.Fatalf("the link is %q", link)
	}
	return token
}

// approves does what the recipient of a draft does, with the code of the letter.
func (w *writer) approves(id string) {
	w.t.Helper()
	d := &desk{till: w.till, ctx: w.t.Context(), by: w.operator(w.org)}
	token := w.shared(id)
	_, err := d.sharer().Approve(d.ctx, token, "Sara Al Qahtani", d.code(token), share.From{})
	d.must(err)
}

func TestDrafts_FromTheFirstLineToTheInvoice(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		w := h.writer()
		made := w.as(w.session, http.MethodPost, draftsPath, w.draft()).wants(t, http.StatusCreated)
		id := idOf(made)
		same(t, "as it is kept", w.get(id), made)
		for name, want := range map[string]any{
			"state": "open", "version": number(1), "share_link": nil, "share_expires_at": nil, "approval": nil, "invoice_uuid": nil,
			"recipient":  record{"name": "Sara", "email": "sara@buyer.example", "language": "en"},
			"created_at": "2026-11-15T12:00:00+03:00", "changed_at": "2026-11-15T12:00:00+03:00",
		} {
			same(t, name, made[name], want)
		}

		h.clock.Advance(time.Minute)
		linked := w.do(http.MethodPost, id, "share", "").wants(t, http.StatusOK)
		same(t, "expires", linked["expires_at"], any("2026-12-15T12:01:00+03:00"))
		shared := w.get(id)
		same(t, "shared", []any{shared["state"], shared["share_link"], shared["share_expires_at"]}, []any{"shared", linked["share_link"], linked["expires_at"]})
		waiting := w.do(http.MethodPost, id, "issue", "").wants(t, http.StatusConflict)
		same(t, "before it is approved", waiting["message"], any("The draft waits for its recipient's approval. Wait for it, or withdraw the link."))

		h.clock.Advance(time.Minute)
		w.approves(id)
		approved := w.get(id)
		same(t, "state", approved["state"], any("approved"))
		same(t, "approval", approved["approval"], any(record{"name": "Sara Al Qahtani", "email": "sara@buyer.example", "approved_at": "2026-11-15T12:02:00+03:00"}))

		issued := w.do(http.MethodPost, id, "issue", "")
		got := issued.wants(t, http.StatusAccepted)
		same(t, "again", w.do(http.MethodPost, id, "issue", "").wants(t, http.StatusAccepted), got)
		same(t, "location", []any{got["location"], issued.header.Get("Location")}, []any{fmt.Sprintf("/api/invoices/%s/", got["invoice_uuid"]), got["location"]})
		invoice := h.read(t, fmt.Sprint("/api/invoices/", got["invoice_uuid"], "/"))
		same(t, "the invoice", []any{invoice["ref_num"], invoice["invoice_payable_amount"], invoice["idempotency_key"]}, []any{got["ref_num"], "9660.00", "draft-" + id})
		after := w.get(id)
		same(t, "issued", []any{after["state"], after["invoice_uuid"], after["approval"]}, []any{"issued", got["invoice_uuid"], approved["approval"]})
		same(t, "invoices", h.read(t, "/api/invoices/")["total"], any(number(1)))
	})
}

// One reader and one schema: what a create takes, a draft keeps, and it shows
// what it keeps in the words it was sent in.
func TestDrafts_ShowWhatWasSent(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		w := h.writer()
		item := h.item(h.org, "Insulin pen").ID
		original := w.created(w.standard())
		bodies := map[string]string{
			"standard": w.standard(),
			"with everything": w.standard(fields{
				"notes": []any{fields{"language_id": "ar", "note": "شكرًا لكم"}, fields{"language_id": "en", "note": "Thank you"}}, "payment_means_type_code": "30", "reason_id": w.reason.ID,
				"document_level_allowances": []any{fields{"allowance_amount": "10.5", "reason_code": "95", "reason": "Discount", "vat_category_code": "S", "vat_rate": 15}},
				"add_prepaid_amount":        false, "prepaid_invoices": []any{original}, "expected_payable_amount": "9647.93", "currency": "USD", "exchange_rate": "3.7575",
				"form_lines": []any{w.line(fields{"item_net_price": "4200.00", "invoiced_quantity": "2.500000", "vat_category_code": "Z", "vat_rate": 0, "vat_exemption_reason_code": "VATEX-SA-32", "vat_exemption_reason_text": "Export"})},
			}),
			"catalogue":   w.standard(fields{"form_lines": []any{}, "lines": []any{fields{"item_id": item, "quantity": "2.5"}}}),
			"credit note": w.note(381, original),
			"simplified":  w.simplified(),
		}
		for name, text := range bodies {
			made := w.as(w.session, http.MethodPost, draftsPath, `{"invoice":`+text+`}`).wants(t, http.StatusCreated)
			same(t, name+": recipient", made["recipient"], any(nil))
			shown, _ := made["invoice"].(record)
			sent := answer{body: text}.json(t)
			for field, value := range shown {
				if want, was := sent[field]; was {
					same(t, name+" "+field, plainly(value), plainly(want))
				} else if s := fmt.Sprint(value); s != "<nil>" && s != "[]" && s != "false" {
					t.Errorf("%s: %s was not sent and is %v", name, field, value)
				}
			}
			again := w.as(w.session, http.MethodPost, draftsPath, `{"invoice":`+asJSON(t, shown)+`}`).wants(t, http.StatusCreated)
			same(t, name+", sent as it was shown", again["invoice"], any(shown))
			// What a preview of the draft says, one of the invoice says too.
			direct, draft := h.as(w.session, http.MethodPost, "/v1/api/invoices/preview/", text), w.do(http.MethodPost, idOf(made), "preview", "")
			same(t, name+", previewed", lineID.ReplaceAllString(draft.body, ""), lineID.ReplaceAllString(direct.body, ""))
			same(t, name+", previewed", draft.status/100, direct.status/100)
		}
	})
}

// lineID is the id of a line, which is new in each preview.
var lineID = regexp.MustCompile(`"uuid":"[0-9a-f-]{36}","item_id"`)

// plainly is a value of JSON without what numbers can be written with: 2, "2.50"
// and "2.500000" are one number.
func plainly(value any) any {
	switch v := value.(type) {
	case []any:
		out := []any{}
		for _, one := range v {
			out = append(out, plainly(one))
		}
		return out
	case record:
		out := record{}
		for name, one := range v {
			if one != nil && one != "" { // what was left out is shown so
				out[name] = plainly(one)
			}
		}
		return out
	}
	text := fmt.Sprint(value)
	if strings.Trim(text, "0123456789.") == "" && strings.Count(text, ".") == 1 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// Unfinished work is kept; a preview, a link and an invoice ask the rules.
func TestDrafts_KeepWhatAnInvoiceMayNotBe(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		w := h.writer()
		for name, changes := range map[string]fields{
			"an unknown device":    {"device": uuid.New()},
			"no line":              {"form_lines": []any{}},
			"no buyer":             {"buyer": nil},
			"an unknown code":      {"transaction_code": "0900000"},
			"payment terms absent": {"payment_means_type_code": "30"},
		} {
			text := w.standard(changes)
			want := w.preview(text)
			id := w.draftedBy(w.session, changes)
			if want.status != http.StatusBadRequest {
				t.Fatalf("%s: a preview gives %d", name, want.status)
			}
			for _, verb := range []string{"preview", "share", "issue"} {
				got := w.do(http.MethodPost, id, verb, "")
				same(t, name+" "+verb, []any{got.status, got.body}, []any{want.status, want.body})
			}
			kept := w.get(id)
			same(t, name, []any{kept["state"], kept["version"]}, []any{"open", number(1)})
		}
		same(t, "letters", h.as(h.session(org.Admin, h.org), http.MethodGet, outboxPath, "").wants(t, http.StatusOK)["total"], any(number(0)))
		same(t, "invoices", h.read(t, "/api/invoices/")["total"], any(number(0)))
	})
}

func TestDrafts_ChangeReplacesWhatIsSentAndLeavesTheRest(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		w := h.writer()
		id := w.draftedBy(w.session)
		before := w.get(id)
		h.clock.Advance(time.Hour)
		change := func(body string) record {
			t.Helper()
			made := w.do(http.MethodPatch, id, "", body).wants(t, http.StatusOK)
			same(t, "as it is kept", w.get(id), made)
			return made
		}
		named := change(`{"recipient":{"name":"Ali","email":"ali@buyer.example"}}`)
		same(t, "recipient", named["recipient"], any(record{"name": "Ali", "email": "ali@buyer.example", "language": "ar"}))
		same(t, "the invoice", named["invoice"], before["invoice"])
		same(t, "times", []any{named["version"], named["created_at"], named["changed_at"]}, []any{number(2), "2026-11-15T12:00:00+03:00", "2026-11-15T13:00:00+03:00"})

		stale := w.do(http.MethodPatch, id, "", `{"version":1,"recipient":null}`).wants(t, http.StatusConflict)
		same(t, "who saw an older version", stale["message"], any("The draft is at version 2 by now, not 1: somebody changed it. Look at it again."))
		simple := change(`{"version":2,"invoice":` + w.simplified() + `}`)
		invoice, _ := simple["invoice"].(record)
		same(t, "the invoice", invoice["transaction_code"], any("0200000"))
		same(t, "recipient", simple["recipient"], named["recipient"])

		nobody := change(`{"recipient":null,"invoice":null}`)
		same(t, "recipient", nobody["recipient"], any(nil))
		same(t, "the invoice", nobody["invoice"], simple["invoice"])
		same(t, "nothing", change(`{}`)["invoice"], simple["invoice"])
		refused := w.do(http.MethodPost, id, "share", "").wants(t, http.StatusConflict)
		same(t, "to nobody", refused["message"], any("The draft has no recipient with an e-mail address."))
	})
}

func TestDrafts_StateDecides(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		w := h.writer()
		states := map[string]func() string{
			"open":     func() string { return w.draftedBy(w.session) },
			"shared":   func() string { id := w.draftedBy(w.session); w.shared(id); return id },
			"approved": func() string { id := w.draftedBy(w.session); w.approves(id); return id },
			"issued": func() string {
				id := w.draftedBy(w.session)
				w.do(http.MethodPost, id, "issue", "").wants(t, http.StatusAccepted)
				return id
			},
		}
		verbs := []struct {
			method, verb, body string
			want               map[string]int // where it is not the usual
		}{
			{http.MethodGet, "", "", nil},
			{http.MethodPost, "preview", "", nil},
			{http.MethodPatch, "", `{"recipient":{"name":"Noura","email":"sara@buyer.example"}}`, map[string]int{"approved": 409, "issued": 409}},
			{http.MethodPost, "share", "", map[string]int{"approved": 409, "issued": 409}},
			{http.MethodDelete, "share", "", nil},
			{http.MethodPost, "issue", "", map[string]int{"open": 202, "shared": 409, "approved": 202, "issued": 202}},
			{http.MethodDelete, "", "", map[string]int{"issued": 409}},
		}
		for state, make := range states {
			for _, v := range verbs {
				h.clock.Advance(3 * time.Hour) // of the letters of a day there are few
				id := make()
				same(t, "state", w.get(id)["state"], any(state))
				want, other := v.want[state]
				if !other {
					want = http.StatusOK
				}
				if got := w.do(v.method, id, v.verb, v.body); got.status != want {
					t.Errorf("%s %s of one that is %s: got %d %s, want %d", v.method, v.verb, state, got.status, got.body, want)
				}
			}
		}
	})
}

func TestDrafts_LinkEndsWithTheDraftAndWithItsTime(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		w := h.writer()
		opens := func(what, token string, want bool) {
			t.Helper()
			if _, err := h.service.Sharer().Open(t.Context(), token); (err == nil) != want {
				t.Errorf("%s: %v", what, err)
			}
		}
		withdrawn, removed, kept := w.draftedBy(w.session), w.draftedBy(w.session), w.draftedBy(w.session)
		one, two, three := w.shared(withdrawn), w.shared(removed), w.shared(kept)
		opens("shared", one, true)
		after := w.do(http.MethodDelete, withdrawn, "share", "").wants(t, http.StatusOK)
		same(t, "withdrawn", []any{after["state"], after["share_link"], after["share_expires_at"]}, []any{"open", nil, nil})
		opens("withdrawn", one, false)
		w.do(http.MethodDelete, removed, "", "").wants(t, http.StatusOK)
		opens("removed", two, false)
		noDraft.wants(t, "a removed draft", w.do(http.MethodGet, removed, "", ""))
		again := w.shared(kept)
		opens("the link before", three, false)
		opens("the new one", again, true)
		h.clock.Advance(30 * 24 * time.Hour)
		w.session = h.session(org.CreateInvoice, h.org)
		old := w.get(kept)
		same(t, "after 30 days", []any{old["share_link"], old["share_expires_at"]}, []any{nil, nil})
		opens("after 30 days", again, false)
		if strings.Contains(h.log.String(), again) {
			t.Error("the log has a token")
		}
	})
}

func TestDrafts_AreListedTheNewestFirst(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		w := h.writer()
		var ids []string
		for range 5 {
			ids = append(ids, w.draftedBy(w.session))
		}
		slices.Reverse(ids)
		page := func(query string) record {
			t.Helper()
			return w.as(w.session, http.MethodGet, draftsPath+query, "").wants(t, http.StatusOK)
		}
		first := page("?page_size=2")
		same(t, "the first page", names(t, first["drafts"], "uuid"), ids[:2])
		same(t, "envelope", []any{first["total"], first["total_capped"], first["num_pages"], first["current_page"]}, []any{number(5), false, number(3), number(1)})
		second := page(fmt.Sprint("?page_size=2&cursor=", first["next_cursor"]))
		same(t, "by cursor", names(t, second["drafts"], "uuid"), ids[2:4])
		same(t, "by number", page("?page_size=2&page=2")["drafts"], second["drafts"])
		last := page("?page_size=2&page=3")
		same(t, "the last", []any{names(t, last["drafts"], "uuid"), last["next_cursor"]}, []any{ids[4:], nil})
		rows, _ := page("")["drafts"].([]any)
		whole := w.get(ids[0])
		delete(whole, "invoice")
		same(t, "a row is what is read alone, less the invoice", rows[0], any(whole))
	})
}

// A list is as long as its rows are many, however much is in them.
func TestDrafts_ListIsBounded(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		w := h.writer()
		var lines []any
		for range 1000 {
			lines = append(lines, w.line(nil))
		}
		for range 3 {
			w.shared(w.draftedBy(w.session, fields{"form_lines": lines}))
		}
		a := w.as(w.session, http.MethodGet, draftsPath, "")
		same(t, "drafts", a.wants(t, http.StatusOK)["total"], any(number(3)))
		if len(a.body) > 3<<10 {
			t.Errorf("three drafts are listed in %d bytes", len(a.body))
		}
	})
}

func TestDrafts_BadInputIsNamed(t *testing.T) {
	h := open(t, nil)
	w := h.writer()
	good := w.standard()
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"nothing", `{}`, []string{"invoice: Field required"}},
		{"null", `{"invoice":null}`, []string{"invoice: Input should be a valid dictionary"}},
		{"a list", `{"invoice":[]}`, []string{"invoice: Input should be a valid dictionary"}},
		{"a field of another type", `{"invoice":` + w.standard(fields{"currency": 7}) + `}`, []string{"invoice.currency: Input should be a valid string"}},
		{"a field left out", `{"invoice":` + w.standard(fields{"currency": unsent}) + `}`, []string{"invoice.currency: Field required"}},
		{"in a line", `{"invoice":` + w.standard(fields{"form_lines": []any{w.line(fields{"item_name": "abc"})}}) + `}`, []string{"invoice.form_lines.0.item_name: String should have at least 4 characters"}},
		{"no address", `{"invoice":` + good + `,"recipient":{"name":"Sara","email":"sara"}}`, []string{"recipient.email: Input should be an e-mail address such as name@example.com"}},
		{"another language", `{"invoice":` + good + `,"recipient":{"email":"sara@buyer.example","language":"fr"}}`, []string{"recipient.language: Input should be 'ar' or 'en'"}},
		{"a line break", `{"invoice":` + good + `,"recipient":{"name":"Sara\nBcc: x","email":"sara@buyer.example"}}`, []string{"recipient.name: String should have at most 100 characters, on one line, and no web or e-mail address"}},
	} {
		same(t, c.name, w.as(w.session, http.MethodPost, draftsPath, c.body).problems(t), c.want)
	}
	same(t, "kept", w.as(w.session, http.MethodGet, draftsPath, "").wants(t, http.StatusOK)["total"], any(number(0)))
}
