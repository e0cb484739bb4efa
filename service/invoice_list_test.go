package service_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
)

// ids are the invoices that a query finds; the total must agree.
func (t *till) ids(query string) []string {
	t.t.Helper()
	list := t.read(t.t, "/api/invoices/"+query)
	found := names(t.t, list["invoices"], "uuid")
	same(t.t, "total of "+query, list["total"], any(number(len(found))))
	return found
}

// shelf is a till with one invoice of each sort, the oldest first.
type shelf struct {
	*till
	other  *till // a second device and buyer of the same organisation
	ids    map[string]string
	ticket string
}

func (h *house) shelf() *shelf {
	h.t.Helper()
	s := &shelf{till: h.till(), ids: map[string]string{}, ticket: "till-7/TICKET-0042"}
	second := *s.till
	second.device, second.buyer = h.issuing(h.org, nil), h.client(h.org, "مؤسسة أحمد للتجارة")
	s.other = &second
	keep := func(name string, id uuid.UUID) { s.ids[name] = id.String() }
	keep("cleared", s.accepted(s.created(s.standard())))
	h.clock.Advance(24 * time.Hour)
	note := s.created(s.note(381, uuid.MustParse(s.ids["cleared"])))
	s.answered(note, ledger.NotCleared)
	keep("rejected note", note)
	reported := s.created(s.simplified())
	s.answered(reported, ledger.Reported)
	keep("reported", reported)
	h.clock.Advance(24 * time.Hour)
	silent := s.created(s.simplified(fields{"notes": []any{fields{"language_id": "en", "note": "silent"}}}))
	s.answered(silent, ledger.NoResponse)
	keep("silent", silent)
	a := s.createAs(s.ticket, second.standard(fields{"type_code": 386})).wants(h.t, http.StatusAccepted)
	s.ids["advance"] = issuedID(h.t, a)
	return s
}

// wants compares what a query finds with invoices by name, the newest first.
func (s *shelf) wants(query string, want ...string) {
	s.t.Helper()
	ids := make([]string, len(want))
	for n, name := range want {
		ids[n] = s.ids[name]
	}
	same(s.t, query, s.till.ids(query), ids)
}

func TestInterface_4_1_ListAndFilters(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		s := h.shelf()
		all := []string{"advance", "silent", "reported", "rejected note", "cleared"}
		s.wants("", all...)
		for query, want := range map[string]string{
			"invoice_status=CLEARED": "cleared", "invoice_status=REPORTED": "reported", "invoice_status=NOT_CLEARED": "rejected note", "invoice_status=NOT_REPORTED": "",
			"invoice_status=No%20response": "silent", "invoice_status=Unanswered": "advance",
			"invoice_status=CLEARED,REPORTED": "reported,cleared", "invoice_status=%20CLEARED%20,Unanswered,CLEARED": "advance,cleared",
			"type_code=388": "silent,reported,cleared", "type_code=381": "rejected note", "type_code=383": "", "type_code=386": "advance",
			"transaction_code=0100000": "advance,rejected note,cleared", "transaction_code=0200000": "silent,reported", "transaction_code=0100100": "",
			"device=" + s.other.device.ID.String(): "advance", "device=" + uuid.NewString(): "",
			"buyer=" + s.buyer.ID.String(): "rejected note,cleared", "buyer=" + s.other.buyer.ID.String(): "advance",
			"date_from=2026-11-16": "advance,silent,reported,rejected note", "date_to=2026-11-15": "cleared", "date_from=2026-11-16&date_to=2026-11-16": "reported,rejected note",
			"date_from=2026-11-18": "", "payment_status=Pending": strings.Join(all, ","), "payment_status=Paid": "", "payment_status=Partially%20Paid": "",
			"uuid=" + s.ids["cleared"] + "," + s.ids["silent"] + "," + uuid.NewString(): "silent,cleared",
			"answered_after=" + url.QueryEscape("2026-11-15T12:00:00+03:00"):            "reported,rejected note",
			"answered_after=2026-11-16T08:59:59Z":                                       "reported,rejected note",
			"answered_after=2026-11-16T09:00:00Z":                                       "",
			"invoice_status=NOT_CLEARED,CLEARED&type_code=381&search_text=crn":          "rejected note",
		} {
			s.wants("?"+query, strings.FieldsFunc(want, func(r rune) bool { return r == ',' })...)
		}
		stranger := h.tillOf(h.organisation("Other Trading", "business"))
		list := h.as(h.newKey(stranger.org, "ViewInvoice"), http.MethodGet, "/v1/api/invoices/", "").wants(t, http.StatusOK)
		same(t, "another organisation", list, record{
			"invoices": []any{}, "total": number(0), "total_capped": false, "num_pages": number(0), "current_page": number(1), "next_cursor": nil,
		})
	})
}

func TestInterface_4_1_BadFilters(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		many := strings.TrimSuffix(strings.Repeat(uuid.NewString()+",", 101), ",")
		for query, told := range map[string]string{
			"invoice_status=CLEARED,Lost": "invoice_status: 'Lost' is no status", "invoice_status=cleared": "invoice_status: 'cleared' is no status",
			"invoice_status=CLEARED,": "invoice_status: '' is no status", "type_code=1": "type_code: ", "transaction_code=1": "transaction_code: ", "device=x": "device: ",
			"buyer=x": "buyer: ", "date_from=x": "date_from: ", "date_to=2026-02-30": "date_to: ", "payment_status=paid": "payment_status: ",
			"uuid=x": "uuid", "uuid=" + many: "uuid: ", "answered_after=x": "answered_after: ", "page_size=101": "page_size: ", "page=501": "page: Pages end at 10,000 rows; go on with cursor",
			"cursor=x": "cursor: ", "search_text=" + strings.Repeat("x", 201): "search_text: ",
		} {
			if got := h.call(http.MethodGet, "/v1/api/invoices/?"+query, "").problems(t); len(got) != 1 || !strings.HasPrefix(got[0], told) {
				t.Errorf("%.60s: told %q, want %q", query, got, told)
			}
		}
	})
}

func TestInterface_4_1_Search(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		s := h.shelf()
		full := s.full(uuid.MustParse(s.ids["advance"]))
		for asked, want := range map[string]string{
			"INV-2026-000001": "cleared", "inv-2026-000002": "reported", "000003": "silent", "ADV-2026": "advance", "crn": "rejected note",
			"000001": "advance,rejected note,cleared", s.ids["silent"]: "silent", strings.ToUpper(s.ids["silent"]): "silent",
			"Buyer Trading": "rejected note,cleared", "buyer": "rejected note,cleared", "موسسه احمد": "advance", "أحمد": "advance", "عميل": "advance,rejected note,cleared",
			"311111111100003": "advance,rejected note,cleared", "٣١١١١١١١١١٠٠٠٠٣": "advance,rejected note,cleared",
			s.ticket: "advance", "till-7": "advance", "nothing like it": "", fmt.Sprint(full["ref_num"]): "advance",
			"1": "advance,rejected note,cleared", "2026-000003": "silent", "INV-2026-000001 buyer": "",
		} {
			s.wants("?search_text="+url.QueryEscape(asked), strings.FieldsFunc(want, func(r rune) bool { return r == ',' })...)
		}
		s.wants("?search_text=000001&type_code=388", "cleared")
		s.wants("?search_text=000001&invoice_status=Unanswered", "advance")
		s.wants("?search_text=" + s.ids["silent"] + "&uuid=" + s.ids["cleared"]) // both are asked for
		s.wants("?search_text="+s.ids["silent"]+"&uuid="+s.ids["silent"]+","+s.ids["cleared"], "silent")
	})
}

func TestDecisions_List_PagesOfInvoices(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		shop := h.till()
		var want []string
		for n := range 7 {
			want = append(want, shop.created(shop.simplified(fields{"notes": note(fmt.Sprint(n))})).String())
		}
		slices.Reverse(want)
		for _, filter := range []string{"", "&type_code=388", "&search_text=inv"} {
			var byPage, byCursor []string
			for page := 1; page <= 3; page++ {
				list := shop.read(t, fmt.Sprintf("/api/invoices/?page_size=3&page=%d%s", page, filter))
				holds(t, filter, list, record{"total": number(7), "num_pages": number(3), "current_page": number(page), "total_capped": false})
				byPage = append(byPage, names(t, list["invoices"], "uuid")...)
			}
			for cursor := any(""); cursor != nil; {
				list := shop.read(t, fmt.Sprintf("/api/invoices/?page_size=3&cursor=%s%s", cursor, filter))
				byCursor, cursor = append(byCursor, names(t, list["invoices"], "uuid")...), list["next_cursor"]
			}
			same(t, "by page"+filter, byPage, want)
			same(t, "by cursor"+filter, byCursor, want)
		}
	})
}

func TestInterface_4_1_ResendAndDelete(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		resend := func(id string) answer {
			return h.call(http.MethodPatch, "/v1/api/invoices/"+id+"/clearance-reporting/", "")
		}
		id := shop.created(shop.standard())
		refusal{http.StatusConflict, `{"message":"The invoice is queued for the authority already."}` + "\n"}.wants(t, "queued", resend(id.String()))
		answeredOnce := refusal{http.StatusConflict, `{"message":"The authority has answered this invoice."}` + "\n"}
		for _, status := range []ledger.Status{ledger.Cleared, ledger.Reported, ledger.NotCleared, ledger.NotReported} {
			one := shop.created(shop.standard(fields{"notes": note(string(status))}))
			shop.answered(one, status)
			before := shop.full(one)
			answeredOnce.wants(t, string(status), resend(one.String()))
			same(t, "the invoice", shop.full(one), before)
		}
		refusal{http.StatusNotFound, `{"message":"Invoice not found"}` + "\n"}.wants(t, "unknown", resend(uuid.NewString()))
		never := refusal{http.StatusForbidden, `{"message":"Invoice deletion is not allowed."}` + "\n"}
		for _, one := range []string{id.String(), uuid.NewString(), "x"} {
			never.wants(t, one, h.call(http.MethodDelete, "/v1/api/invoices/"+one+"/", ""))
		}
		shop.full(id)
	})
}
