package issue_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/servicetest"
)

// wants checks that a query finds the named invoices, newest first.
func wants(s *servicetest.InvoiceList, query string, want ...string) {
	s.TB.Helper()
	ids := make([]string, len(want))
	for n, name := range want {
		ids[n] = s.Ids[name]
	}
	servicetest.Same(s.TB, query, s.Seller.Ids(query), ids)
}

func TestInterface_4_1_ListAndFilters(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		s := h.InvoiceList()
		all := []string{"advance", "silent", "reported", "rejected note", "cleared"}
		wants(s, "", all...)
		for query, want := range map[string]string{
			"invoice_status=CLEARED": "cleared", "invoice_status=REPORTED": "reported", "invoice_status=NOT_CLEARED": "rejected note", "invoice_status=NOT_REPORTED": "",
			"invoice_status=No%20response": "silent", "invoice_status=Unanswered": "advance",
			"invoice_status=CLEARED,REPORTED": "reported,cleared", "invoice_status=%20CLEARED%20,Unanswered,CLEARED": "advance,cleared",
			"type_code=388": "silent,reported,cleared", "type_code=381": "rejected note", "type_code=383": "", "type_code=386": "advance",
			"transaction_code=0100000": "advance,rejected note,cleared", "transaction_code=0200000": "silent,reported", "transaction_code=0100100": "",
			"device=" + s.Other.Device.ID.String(): "advance", "device=" + uuid.NewString(): "",
			"buyer=" + s.Buyer.ID.String(): "rejected note,cleared", "buyer=" + s.Other.Buyer.ID.String(): "advance",
			"date_from=2026-11-16": "advance,silent,reported,rejected note", "date_to=2026-11-15": "cleared", "date_from=2026-11-16&date_to=2026-11-16": "reported,rejected note",
			"date_from=2026-11-18": "", "payment_status=Pending": strings.Join(all, ","), "payment_status=Paid": "", "payment_status=Partially%20Paid": "",
			"uuid=" + s.Ids["cleared"] + "," + s.Ids["silent"] + "," + uuid.NewString(): "silent,cleared",
			"answered_after=" + url.QueryEscape("2026-11-15T12:00:00+03:00"):            "reported,rejected note",
			"answered_after=2026-11-16T08:59:59Z":                                       "reported,rejected note",
			"answered_after=2026-11-16T09:00:00Z":                                       "",
			"invoice_status=NOT_CLEARED,CLEARED&type_code=381&search_text=crn":          "rejected note",
		} {
			wants(s, "?"+query, strings.FieldsFunc(want, func(r rune) bool { return r == ',' })...)
		}
		stranger := h.SellerOf(h.Organisation("Other Trading", "business"))
		list := h.As(h.NewKey(stranger.Org, "ViewInvoice"), http.MethodGet, "/v1/api/invoices/", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "another organisation", list, servicetest.Record{
			"invoices": []any{}, "total": servicetest.Number(0), "total_capped": false, "num_pages": servicetest.Number(0), "current_page": servicetest.Number(1), "next_cursor": nil,
		})
	})
}

func TestInterface_4_1_BadFilters(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		many := strings.TrimSuffix(strings.Repeat(uuid.NewString()+",", 101), ",")
		for query, told := range map[string]string{
			"invoice_status=CLEARED,Lost": "invoice_status: 'Lost' is not a status", "invoice_status=cleared": "invoice_status: 'cleared' is not a status",
			"invoice_status=CLEARED,,": "invoice_status: '' is not a status", "type_code=1": "type_code: ", "transaction_code=1": "transaction_code: ", "device=x": "device: ",
			"buyer=x": "buyer: ", "date_from=x": "date_from: ", "date_to=2026-02-30": "date_to: ", "payment_status=paid": "payment_status: ",
			"uuid=x": "uuid", "uuid=" + many: "uuid: ", "answered_after=x": "answered_after: ", "page_size=101": "page_size: ", "page=501": "page: must be within the first 10,000 rows; use cursor",
			"cursor=x": "cursor: ", "search_text=" + strings.Repeat("x", 201): "search_text: ",
		} {
			if got := h.Call(http.MethodGet, "/v1/api/invoices/?"+query, "").Problems(t); len(got) != 1 || !strings.HasPrefix(got[0], told) {
				t.Errorf("%.60s: problems %q, want %q", query, got, told)
			}
		}
	})
}

func TestInterface_4_1_Search(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		s := h.InvoiceList()
		full := s.Full(uuid.MustParse(s.Ids["advance"]))
		for asked, want := range map[string]string{
			"INV-2026-000001": "cleared", "inv-2026-000002": "reported", "000003": "silent", "ADV-2026": "advance", "crn": "rejected note",
			"000001": "advance,rejected note,cleared", s.Ids["silent"]: "silent", strings.ToUpper(s.Ids["silent"]): "silent",
			"Buyer Trading": "rejected note,cleared", "buyer": "rejected note,cleared", "موسسه احمد": "advance", "أحمد": "advance", "عميل": "advance,rejected note,cleared",
			"311111111100003": "advance,rejected note,cleared", "٣١١١١١١١١١٠٠٠٠٣": "advance,rejected note,cleared",
			s.Ticket: "advance", "till-7": "advance", "nothing like it": "", fmt.Sprint(full["ref_num"]): "advance",
			"1": "advance,rejected note,cleared", "2026-000003": "silent", "INV-2026-000001 buyer": "",
		} {
			wants(s, "?search_text="+url.QueryEscape(asked), strings.FieldsFunc(want, func(r rune) bool { return r == ',' })...)
		}
		wants(s, "?search_text=000001&type_code=388", "cleared")
		wants(s, "?search_text=000001&invoice_status=Unanswered", "advance")
		wants(s, "?search_text="+s.Ids["silent"]+"&uuid="+s.Ids["cleared"]) // both must match
		wants(s, "?search_text="+s.Ids["silent"]+"&uuid="+s.Ids["silent"]+","+s.Ids["cleared"], "silent")
	})
}

func TestDecisions_List_PagesOfInvoices(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		var want []string
		for n := range 7 {
			want = append(want, shop.Created(shop.Simplified(servicetest.Fields{"notes": servicetest.Note(fmt.Sprint(n))})).String())
		}
		slices.Reverse(want)
		for _, filter := range []string{"", "&type_code=388", "&search_text=inv"} {
			var byPage, byCursor []string
			for page := 1; page <= 3; page++ {
				list := shop.Read(t, fmt.Sprintf("/api/invoices/?page_size=3&page=%d%s", page, filter))
				holds(t, filter, list, servicetest.Record{"total": servicetest.Number(7), "num_pages": servicetest.Number(3), "current_page": servicetest.Number(page), "total_capped": false})
				byPage = append(byPage, servicetest.Names(t, list["invoices"], "uuid")...)
			}
			for cursor := any(""); cursor != nil; {
				list := shop.Read(t, fmt.Sprintf("/api/invoices/?page_size=3&cursor=%s%s", cursor, filter))
				byCursor, cursor = append(byCursor, servicetest.Names(t, list["invoices"], "uuid")...), list["next_cursor"]
			}
			servicetest.Same(t, "by page"+filter, byPage, want)
			servicetest.Same(t, "by cursor"+filter, byCursor, want)
		}
	})
}

func TestInterface_4_1_ResendAndDelete(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		resend := func(id string) servicetest.Answer {
			return h.Call(http.MethodPatch, "/v1/api/invoices/"+id+"/clearance-reporting/", "")
		}
		id := shop.Created(shop.Standard())
		servicetest.Refusal{Status: http.StatusConflict, Body: `{"message":"The invoice is queued for the authority already."}` + "\n"}.Wants(t, "queued", resend(id.String()))
		answeredOnce := servicetest.Refusal{Status: http.StatusConflict, Body: `{"message":"The authority has answered this invoice."}` + "\n"}
		for _, status := range []ledger.Status{ledger.Cleared, ledger.Reported, ledger.NotCleared, ledger.NotReported} {
			one := shop.Created(shop.Standard(servicetest.Fields{"notes": servicetest.Note(string(status))}))
			shop.Answered(one, status)
			before := shop.Full(one)
			answeredOnce.Wants(t, string(status), resend(one.String()))
			servicetest.Same(t, "the invoice", shop.Full(one), before)
		}
		servicetest.Refusal{Status: http.StatusNotFound, Body: `{"message":"Invoice not found"}` + "\n"}.Wants(t, "unknown", resend(uuid.NewString()))
		never := servicetest.Refusal{Status: http.StatusForbidden, Body: `{"message":"Invoice deletion is not allowed."}` + "\n"}
		for _, one := range []string{id.String(), uuid.NewString(), "x"} {
			never.Wants(t, one, h.Call(http.MethodDelete, "/v1/api/invoices/"+one+"/", ""))
		}
		shop.Full(id)
	})
}
