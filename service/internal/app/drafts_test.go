package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// approves approves a draft with the code from the e-mail, like its recipient.
func approves(w *servicetest.DraftAuthor, id string) {
	w.TB.Helper()
	d := &servicetest.DraftSharing{Seller: w.Seller, Ctx: w.TB.Context(), By: w.Operator(w.Org)}
	token := w.Shared(id)
	_, err := d.Sharer().Approve(d.Ctx, token, "Sara Al Qahtani", d.Code(token), share.From{})
	d.Must(err)
}

func TestDrafts_CreateShareApproveIssue(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		w := h.DraftAuthor()
		made := w.As(w.Session, http.MethodPost, servicetest.DraftsPath, w.Draft()).Wants(t, http.StatusCreated)
		id := servicetest.IDOf(made)
		servicetest.Same(t, "draft as stored", w.Get(id), made)
		for name, want := range map[string]any{
			"state": "open", "version": servicetest.Number(1), "share_link": nil, "share_expires_at": nil, "approval": nil, "invoice_uuid": nil,
			"recipient":  servicetest.Record{"name": "Sara", "email": "sara@buyer.example", "language": "en"},
			"created_at": "2026-11-15T12:00:00+03:00", "changed_at": "2026-11-15T12:00:00+03:00",
		} {
			servicetest.Same(t, name, made[name], want)
		}

		h.Clock.Advance(time.Minute)
		linked := w.Do(http.MethodPost, id, "share", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "expires", linked["expires_at"], any("2026-12-15T12:01:00+03:00"))
		shared := w.Get(id)
		servicetest.Same(t, "shared", []any{shared["state"], shared["share_link"], shared["share_expires_at"]}, []any{"shared", linked["share_link"], linked["expires_at"]})
		waiting := w.Do(http.MethodPost, id, "issue", "").Wants(t, http.StatusConflict)
		servicetest.Same(t, "before it is approved", waiting["message"], any("The draft waits for its recipient's approval. Wait for it, or withdraw the link."))

		h.Clock.Advance(time.Minute)
		approves(w, id)
		approved := w.Get(id)
		servicetest.Same(t, "state", approved["state"], any("approved"))
		servicetest.Same(t, "approval", approved["approval"], any(servicetest.Record{"name": "Sara Al Qahtani", "email": "sara@buyer.example", "approved_at": "2026-11-15T12:02:00+03:00"}))

		issued := w.Do(http.MethodPost, id, "issue", "")
		got := issued.Wants(t, http.StatusAccepted)
		servicetest.Same(t, "again", w.Do(http.MethodPost, id, "issue", "").Wants(t, http.StatusAccepted), got)
		servicetest.Same(t, "location", []any{got["location"], issued.Header.Get("Location")}, []any{fmt.Sprintf("/api/invoices/%s/", got["invoice_uuid"]), got["location"]})
		invoice := h.Read(t, fmt.Sprint("/api/invoices/", got["invoice_uuid"], "/"))
		servicetest.Same(t, "the invoice", []any{invoice["ref_num"], invoice["invoice_payable_amount"], invoice["idempotency_key"]}, []any{got["ref_num"], "9660.00", "draft-" + id})
		after := w.Get(id)
		servicetest.Same(t, "issued", []any{after["state"], after["invoice_uuid"], after["approval"]}, []any{"issued", got["invoice_uuid"], approved["approval"]})
		servicetest.Same(t, "invoices", h.Read(t, "/api/invoices/")["total"], any(servicetest.Number(1)))
	})
}

// A draft accepts the same body as a request to create an invoice and returns it
// unchanged.
func TestDrafts_ShowWhatWasSent(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		w := h.DraftAuthor()
		item := h.Item(h.Org, "Insulin pen").ID
		original := w.Created(w.Standard())
		bodies := map[string]string{
			"standard": w.Standard(),
			"with everything": w.Standard(servicetest.Fields{
				"notes": []any{servicetest.Fields{"language_id": "ar", "note": "شكرًا لكم"}, servicetest.Fields{"language_id": "en", "note": "Thank you"}}, "payment_means_type_code": "30", "reason_id": w.Reason.ID,
				"document_level_allowances": []any{servicetest.Fields{"allowance_amount": "10.5", "reason_code": "95", "reason": "Discount", "vat_category_code": "S", "vat_rate": 15}},
				"add_prepaid_amount":        false, "prepaid_invoices": []any{original}, "expected_payable_amount": "9647.93", "currency": "USD", "exchange_rate": "3.7575",
				"form_lines": []any{w.Line(servicetest.Fields{"item_net_price": "4200.00", "invoiced_quantity": "2.500000", "vat_category_code": "Z", "vat_rate": 0, "vat_exemption_reason_code": "VATEX-SA-32", "vat_exemption_reason_text": "Export"})},
			}),
			"catalogue":   w.Standard(servicetest.Fields{"form_lines": []any{}, "lines": []any{servicetest.Fields{"item_id": item, "quantity": "2.5"}}}),
			"credit note": w.Note(381, original),
			"simplified":  w.Simplified(),
		}
		for name, text := range bodies {
			made := w.As(w.Session, http.MethodPost, servicetest.DraftsPath, `{"invoice":`+text+`}`).Wants(t, http.StatusCreated)
			servicetest.Same(t, name+": recipient", made["recipient"], any(nil))
			shown, _ := made["invoice"].(servicetest.Record)
			sent := servicetest.Answer{Body: text}.JSON(t)
			for field, value := range shown {
				if want, was := sent[field]; was {
					servicetest.Same(t, name+" "+field, plainly(value), plainly(want))
				} else if s := fmt.Sprint(value); s != "<nil>" && s != "[]" && s != "false" {
					t.Errorf("%s: field %s was not sent, but is %v, want it empty", name, field, value)
				}
			}
			again := w.As(w.Session, http.MethodPost, servicetest.DraftsPath, `{"invoice":`+servicetest.AsJSON(t, shown)+`}`).Wants(t, http.StatusCreated)
			servicetest.Same(t, name+", sent as it was shown", again["invoice"], any(shown))
			// A preview of the draft must be the same as one of the invoice.
			direct, draft := h.As(w.Session, http.MethodPost, "/v1/api/invoices/preview/", text), w.Do(http.MethodPost, servicetest.IDOf(made), "preview", "")
			servicetest.Same(t, name+", previewed", lineID.ReplaceAllString(ofInvoice(draft.Body), ""), lineID.ReplaceAllString(direct.Body, ""))
			servicetest.Same(t, name+", previewed", draft.Status/100, direct.Status/100)
		}
	})
}

// lineID matches the id of a line, which is new in each preview.
var lineID = regexp.MustCompile(`"uuid":"[0-9a-f-]{36}","item_id"`)

// plainly normalizes a JSON value, so that 2, "2.50" and "2.500000" compare as
// numbers.
func plainly(value any) any {
	switch v := value.(type) {
	case []any:
		out := []any{}
		for _, one := range v {
			out = append(out, plainly(one))
		}
		return out
	case servicetest.Record:
		out := servicetest.Record{}
		for name, one := range v {
			if one != nil && one != "" { // absent fields are returned as null or ""
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

// ofInvoice replaces the paths of problems below the field invoice of a draft by
// those of an invoice.
func ofInvoice(body string) string {
	return strings.NewReplacer(`[{"path":"invoice.`, `[{"path":"`, `"message":["invoice.`, `"message":["invoice_schema_data.`).Replace(body)
}

// Unfinished drafts can be saved; preview, share and issue check the rules.
func TestDrafts_UnfinishedInvoiceCanBeSaved(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		w := h.DraftAuthor()
		for name, changes := range map[string]servicetest.Fields{
			"an unknown device":    {"device": uuid.New()},
			"no line":              {"form_lines": []any{}},
			"no buyer":             {"buyer": nil},
			"an unknown code":      {"transaction_code": "0900000"},
			"payment terms absent": {"payment_means_type_code": "30"},
			"an unknown currency":  {"currency": "XXZ", "exchange_rate": "2"},
			"two prices":           {"form_lines": []any{w.Line(servicetest.Fields{"item_gross_price": "10.00"})}},
		} {
			text := w.Standard(changes)
			want := w.Preview(text)
			id := w.DraftedBy(w.Session, changes)
			if want.Status != http.StatusBadRequest {
				t.Fatalf("%s: preview of the invoice gives status %d, want 400", name, want.Status)
			}
			for _, verb := range []string{"preview", "share", "issue"} {
				got := w.Do(http.MethodPost, id, verb, "")
				servicetest.Same(t, name+" "+verb, []any{got.Status, ofInvoice(got.Body)}, []any{want.Status, want.Body})
			}
			kept := w.Get(id)
			servicetest.Same(t, name, []any{kept["state"], kept["version"]}, []any{"open", servicetest.Number(1)})
		}
		servicetest.Same(t, "number of e-mails", h.As(h.Session(org.Admin, h.Org), http.MethodGet, servicetest.OutboxPath, "").Wants(t, http.StatusOK)["total"], any(servicetest.Number(0)))
		servicetest.Same(t, "number of invoices", h.Read(t, "/api/invoices/")["total"], any(servicetest.Number(0)))
	})
}

func TestDrafts_ChangeReplacesWhatIsSentAndLeavesTheRest(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		w := h.DraftAuthor()
		id := w.DraftedBy(w.Session)
		before := w.Get(id)
		h.Clock.Advance(time.Hour)
		change := func(body string) servicetest.Record {
			t.Helper()
			made := w.Do(http.MethodPatch, id, "", body).Wants(t, http.StatusOK)
			servicetest.Same(t, "stored draft", w.Get(id), made)
			return made
		}
		named := change(`{"recipient":{"name":"Ali","email":"ali@buyer.example"}}`)
		servicetest.Same(t, "recipient", named["recipient"], any(servicetest.Record{"name": "Ali", "email": "ali@buyer.example", "language": "ar"}))
		servicetest.Same(t, "the invoice", named["invoice"], before["invoice"])
		servicetest.Same(t, "times", []any{named["version"], named["created_at"], named["changed_at"]}, []any{servicetest.Number(2), "2026-11-15T12:00:00+03:00", "2026-11-15T13:00:00+03:00"})

		stale := w.Do(http.MethodPatch, id, "", `{"version":1,"recipient":null}`).Wants(t, http.StatusConflict)
		servicetest.Same(t, "change based on an older version", stale["message"], any("The draft is now at version 2, not 1: someone else changed it. Reload it and try again."))
		simple := change(`{"version":2,"invoice":` + w.Simplified() + `}`)
		invoice, _ := simple["invoice"].(servicetest.Record)
		servicetest.Same(t, "the invoice", invoice["transaction_code"], any("0200000"))
		servicetest.Same(t, "recipient", simple["recipient"], named["recipient"])

		nobody := change(`{"recipient":null,"invoice":null}`)
		servicetest.Same(t, "recipient", nobody["recipient"], any(nil))
		servicetest.Same(t, "the invoice", nobody["invoice"], simple["invoice"])
		servicetest.Same(t, "empty change", change(`{}`)["invoice"], simple["invoice"])
		refused := w.Do(http.MethodPost, id, "share", "").Wants(t, http.StatusConflict)
		servicetest.Same(t, "share without a recipient", refused["message"], any("The draft has no recipient with an e-mail address."))
	})
}

func TestDrafts_StateDecidesWhatIsAllowed(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		w := h.DraftAuthor()
		states := map[string]func() string{
			"open":     func() string { return w.DraftedBy(w.Session) },
			"shared":   func() string { id := w.DraftedBy(w.Session); w.Shared(id); return id },
			"approved": func() string { id := w.DraftedBy(w.Session); approves(w, id); return id },
			"issued": func() string {
				id := w.DraftedBy(w.Session)
				w.Do(http.MethodPost, id, "issue", "").Wants(t, http.StatusAccepted)
				return id
			},
		}
		verbs := []struct {
			method, verb, body string
			want               map[string]int // statuses that differ from the default
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
				h.Clock.Advance(3 * time.Hour) // stay below the daily limit of e-mails
				id := make()
				servicetest.Same(t, "state", w.Get(id)["state"], any(state))
				want, other := v.want[state]
				if !other {
					want = http.StatusOK
				}
				if got := w.Do(v.method, id, v.verb, v.body); got.Status != want {
					t.Errorf("%s %s of a draft in state %s: status %d, body %s; want %d", v.method, v.verb, state, got.Status, got.Body, want)
				}
			}
		}
	})
}

func TestDrafts_LinkEndsWithTheDraftAndAfter30Days(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		w := h.DraftAuthor()
		opens := func(what, token string, want bool) {
			t.Helper()
			if _, err := h.Service.Sharer().Open(t.Context(), token); (err == nil) != want {
				t.Errorf("link of a draft that is %s: error %v, want success: %t", what, err, want)
			}
		}
		withdrawn, removed, kept := w.DraftedBy(w.Session), w.DraftedBy(w.Session), w.DraftedBy(w.Session)
		one, two, three := w.Shared(withdrawn), w.Shared(removed), w.Shared(kept)
		opens("shared", one, true)
		after := w.Do(http.MethodDelete, withdrawn, "share", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "withdrawn", []any{after["state"], after["share_link"], after["share_expires_at"]}, []any{"open", nil, nil})
		opens("withdrawn", one, false)
		w.Do(http.MethodDelete, removed, "", "").Wants(t, http.StatusOK)
		opens("removed", two, false)
		servicetest.NoDraft.Wants(t, "a removed draft", w.Do(http.MethodGet, removed, "", ""))
		again := w.Shared(kept)
		opens("the link before", three, false)
		opens("the new one", again, true)
		h.Clock.Advance(30 * 24 * time.Hour)
		w.Session = h.Session(org.CreateInvoice, h.Org)
		old := w.Get(kept)
		servicetest.Same(t, "after 30 days", []any{old["share_link"], old["share_expires_at"]}, []any{nil, nil})
		opens("after 30 days", again, false)
		if strings.Contains(h.Log.String(), again) {
			t.Error("the log contains a token")
		}
	})
}

func TestDrafts_AreListedTheNewestFirst(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		w := h.DraftAuthor()
		var ids []string
		for range 5 {
			ids = append(ids, w.DraftedBy(w.Session))
		}
		slices.Reverse(ids)
		page := func(query string) servicetest.Record {
			t.Helper()
			return w.As(w.Session, http.MethodGet, servicetest.DraftsPath+query, "").Wants(t, http.StatusOK)
		}
		first := page("?page_size=2")
		servicetest.Same(t, "first page", servicetest.Names(t, first["drafts"], "uuid"), ids[:2])
		servicetest.Same(t, "envelope", []any{first["total"], first["total_capped"], first["num_pages"], first["current_page"]}, []any{servicetest.Number(5), false, servicetest.Number(3), servicetest.Number(1)})
		second := page(fmt.Sprint("?page_size=2&cursor=", first["next_cursor"]))
		servicetest.Same(t, "second page by cursor", servicetest.Names(t, second["drafts"], "uuid"), ids[2:4])
		servicetest.Same(t, "second page by number", page("?page_size=2&page=2")["drafts"], second["drafts"])
		last := page("?page_size=2&page=3")
		servicetest.Same(t, "last page", []any{servicetest.Names(t, last["drafts"], "uuid"), last["next_cursor"]}, []any{ids[4:], nil})
		rows, _ := page("")["drafts"].([]any)
		whole := w.Get(ids[0])
		delete(whole, "invoice")
		delete(whole, "paid_on_issue")
		servicetest.Same(t, "a row of the list without its invoice", rows[0], any(whole))
	})
}

// The size of a list depends on the number of its rows, not on their invoices.
func TestDrafts_ListIsBounded(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		w := h.DraftAuthor()
		var lines []any
		for range 1000 {
			lines = append(lines, w.Line(nil))
		}
		for range 3 {
			w.Shared(w.DraftedBy(w.Session, servicetest.Fields{"form_lines": lines}))
		}
		a := w.As(w.Session, http.MethodGet, servicetest.DraftsPath, "")
		servicetest.Same(t, "number of drafts", a.Wants(t, http.StatusOK)["total"], any(servicetest.Number(3)))
		if len(a.Body) > 3<<10 {
			t.Errorf("list of three drafts has %d bytes, want at most 3 KiB", len(a.Body))
		}
	})
}

func TestDrafts_BadInputIsNamed(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	w := h.DraftAuthor()
	good := w.Standard()
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"empty object", `{}`, []string{"invoice: Field required"}},
		{"null", `{"invoice":null}`, []string{"invoice: must be an object"}},
		{"an array", `{"invoice":[]}`, []string{"invoice: must be an object"}},
		{"a field of another type", `{"invoice":` + w.Standard(servicetest.Fields{"currency": 7}) + `}`, []string{"invoice.currency: must be a string"}},
		{"a missing field", `{"invoice":` + w.Standard(servicetest.Fields{"currency": servicetest.Unsent}) + `}`, []string{"invoice.currency: Field required"}},
		{"in a line", `{"invoice":` + w.Standard(servicetest.Fields{"form_lines": []any{w.Line(servicetest.Fields{"item_name": "abc"})}}) + `}`, []string{"invoice.form_lines.0.item_name: must have at least 4 characters"}},
		{"invalid e-mail address", `{"invoice":` + good + `,"recipient":{"name":"Sara","email":"sara"}}`, []string{"recipient.email: must be an e-mail address such as name@example.com"}},
		{"another language", `{"invoice":` + good + `,"recipient":{"email":"sara@buyer.example","language":"fr"}}`, []string{"recipient.language: must be 'ar' or 'en'"}},
		{"a line break", `{"invoice":` + good + `,"recipient":{"name":"Sara\nBcc: x","email":"sara@buyer.example"}}`, []string{"recipient.name: must have at most 100 characters, on one line, and no web or e-mail address"}},
	} {
		servicetest.Same(t, c.name, w.As(w.Session, http.MethodPost, servicetest.DraftsPath, c.body).Problems(t), c.want)
	}
	servicetest.Same(t, "number of drafts", w.As(w.Session, http.MethodGet, servicetest.DraftsPath, "").Wants(t, http.StatusOK)["total"], any(servicetest.Number(0)))
}

// The list says what the drafts are, and selects them by state and client.
func TestDrafts_ListSaysWhatTheyAre(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		w := h.DraftAuthor()
		other := h.Client(w.Org, "مؤسسة أحمد للتجارة")
		shared := w.DraftedBy(w.Session)
		w.Shared(shared)
		unfinished := w.DraftedBy(w.Session, servicetest.Fields{"buyer": other.ID, "form_lines": []any{}})
		simplified := servicetest.IDOf(w.As(w.Session, http.MethodPost, servicetest.DraftsPath, `{"invoice":`+w.Simplified()+`}`).Wants(t, http.StatusCreated))
		old := w.DraftedBy(w.Session)
		h.Exec(t, `UPDATE draft SET summary = NULL, folded = NULL WHERE id = $1`, old)

		fields := []string{"type_code", "transaction_code", "currency", "buyer_name", "buyer_name_arabic", "line_count", "payable_amount"}
		want := map[string][]any{
			shared:     {servicetest.Number(388), "0100000", "SAR", w.Buyer.Name, w.Buyer.NameArabic, servicetest.Number(1), "9660.00"},
			unfinished: {servicetest.Number(388), "0100000", "SAR", other.Name, other.NameArabic, servicetest.Number(0), nil},
			simplified: {servicetest.Number(388), "0200000", "SAR", "", "", servicetest.Number(1), "9660.00"},
			old:        {nil, nil, nil, nil, nil, nil, nil},
		}
		list := func(query string) []any {
			rows, _ := w.As(w.Session, http.MethodGet, servicetest.DraftsPath+query, "").Wants(t, http.StatusOK)["drafts"].([]any)
			return rows
		}
		for _, row := range list("") {
			d, _ := row.(servicetest.Record)
			id := servicetest.IDOf(d)
			whole := w.Get(id)
			var got, single []any
			for _, name := range fields {
				got, single = append(got, d[name]), append(single, whole[name])
			}
			servicetest.Same(t, "in the list", got, want[id])
			servicetest.Same(t, "alone", single, want[id])
		}
		w.Do(http.MethodPatch, unfinished, "", `{"invoice":`+w.Standard(servicetest.Fields{"buyer": other.ID})+`}`).Wants(t, http.StatusOK)
		servicetest.Same(t, "amount after a change", w.Get(unfinished)["payable_amount"], any("9660.00"))

		for query, want := range map[string][]string{
			"?state=open":        {old, simplified, unfinished},
			"?state=shared":      {shared},
			"?state=shared,open": {old, simplified, unfinished, shared},
			"?state=approved":    {},
			"?search_text=" + url.QueryEscape("مؤسسه احمد"): {unfinished},
			"?search_text=BUYER":                               {shared},
			"?state=open&search_text=buyer":                    {},
			"?state=open&search_text=" + url.QueryEscape("أح"): {unfinished},
		} {
			servicetest.Same(t, query, servicetest.Names(t, list(query), "uuid"), want)
		}
		servicetest.Same(t, "an unknown state", w.As(w.Session, http.MethodGet, servicetest.DraftsPath+"?state=open,gone", "").Problems(t),
			[]string{"state.1: must be 'open', 'shared', 'approved', 'declined' or 'issued'"})
	})
}
