package service_test

import (
	"net/http"
	"slices"

	"github.com/google/uuid"

	"khatm/service/internal/api"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// right is what a call asks of who makes it, as sections 4, 5.3 and 5.5 of the
// interface have it. It is written a second time on purpose: the route table is
// judged by it.
type right struct {
	public bool      // no credential
	least  org.Role  // the least role; empty: any
	scope  org.Scope // of a key that has scopes; empty: any
	status int       // of who may call
	denied *refusal  // of who may not; nil: noRight
	always *refusal  // what even they get who may call; nil: what they asked for
	people bool      // a key may not
	lonely bool      // a person may without an organisation
	last   int       // greater: after others, since it spoils them
}

var (
	anybody = right{public: true, status: http.StatusOK}
	anyKey  = right{status: http.StatusOK}
)

func reads(scope org.Scope) right {
	return right{least: org.ViewInvoice, scope: scope, status: http.StatusOK}
}

func changes(scope org.Scope) right {
	return right{least: org.CreateInvoice, scope: scope, status: http.StatusOK}
}

// signed are the rights of people who are signed in; a key may not.
func signed(least org.Role, status int) right {
	return right{least: least, status: status, people: true}
}

func creates(scope org.Scope) right {
	return right{least: org.CreateInvoice, scope: scope, status: http.StatusCreated}
}

// sends are the rights to send an invoice again: here each is queued already.
func sends(scope org.Scope) right {
	return right{least: org.CreateInvoice, scope: scope, status: http.StatusConflict, always: &queued}
}

// prints are the rights to see an invoice as PDF: here none is answered yet.
func prints(scope org.Scope) right {
	return right{least: org.ViewInvoice, scope: scope, status: http.StatusNotFound, always: &unprinted}
}

// rights has a line for every operation that is served. Those of reference data
// have one rule: any key may read them.
var rights = withReferences(map[string]right{
	"GET /api/invoices/":                                    reads("invoice.get"),
	"POST /api/invoices/":                                   {least: org.CreateInvoice, scope: "invoice.create", status: http.StatusAccepted, denied: &noCreating},
	"POST /api/invoices/preview/":                           {least: org.ViewInvoice, scope: "invoice.get", status: http.StatusCreated},
	"GET /api/invoices/{invoice_id}/":                       reads("invoice.get"),
	"DELETE /api/invoices/{invoice_id}/":                    {status: http.StatusForbidden, always: &noDeleting},
	"PATCH /api/invoices/{invoice_id}/clearance-reporting/": sends("invoice.create"),
	"GET /api/invoices/{invoice_id}/pdf-a3/":                prints("invoice.get"),
	"POST /api/invoices/{invoice_id}/pdf-a3/":               prints("invoice.get"),
	"GET /api/invoices/{invoice_id}/notes/":                 reads("invoice.get"),
	"POST /api/invoices/{invoice_id}/notes/":                creates("note.create"),
	"GET /api/buyers/":                                      reads("client.get"),
	"GET /api/buyers/{buyer_id}/":                           reads("client.get"),
	"GET /api/buyers/{buyer_id}/logo/":                      reads("client.get"),
	"PATCH /api/buyers/{buyer_id}/":                         changes("client.create"),
	"POST /api/onboarding/organizations/clients/":           creates("client.create"),
	"GET /api/items/":                                       reads("item.get"),
	"GET /api/items/{item_id}/":                             reads("item.get"),
	"GET /api/items/{item_id}/images/{number}/":             reads("item.get"),
	"PATCH /api/items/{item_id}/":                           changes("item.create"),
	"POST /api/items/":                                      creates("item.create"),
	"GET /api/devices/":                                     reads("device.get"),
	"GET /api/usage/current/":                               anyKey,
	"GET /api/buyers/additional-buyer-id-types/":            anybody,
	"GET /api/sellers/additional-seller-id-types/":          anybody,
	"GET /api/business-types/":                              anybody,
	"GET /api/industries/":                                  anybody,
	"GET /api/plans/":                                       anybody,
	"POST /api/session/":                                    anybody,
	"GET /api/session/":                                     {status: http.StatusOK, people: true, lonely: true},
	"DELETE /api/session/":                                  {status: http.StatusOK, people: true, lonely: true, last: 1},
	"GET /api/drafts/":                                      signed(org.ViewInvoice, http.StatusOK),
	"POST /api/drafts/":                                     signed(org.CreateInvoice, http.StatusCreated),
	"GET /api/drafts/{draft_id}/":                           signed(org.ViewInvoice, http.StatusOK),
	"PATCH /api/drafts/{draft_id}/":                         signed(org.CreateInvoice, http.StatusOK),
	"DELETE /api/drafts/{draft_id}/":                        signed(org.CreateInvoice, http.StatusOK),
	"POST /api/drafts/{draft_id}/preview/":                  signed(org.ViewInvoice, http.StatusOK),
	"POST /api/drafts/{draft_id}/share/":                    signed(org.CreateInvoice, http.StatusOK),
	"DELETE /api/drafts/{draft_id}/share/":                  signed(org.CreateInvoice, http.StatusOK),
	"POST /api/drafts/{draft_id}/issue/":                    {least: org.CreateInvoice, status: http.StatusAccepted, people: true, denied: &noCreating},
	"POST /api/invoices/{invoice_id}/share/":                signed(org.CreateInvoice, http.StatusOK),
	"DELETE /api/invoices/{invoice_id}/share/":              signed(org.CreateInvoice, http.StatusOK),
	"GET /api/outbox/":                                      signed(org.Admin, http.StatusOK),
	"GET /api/outbox/{letter_id}/":                          signed(org.Admin, http.StatusOK),
})

func withReferences(rights map[string]right) map[string]right {
	for _, row := range referenceRows() {
		rights[operationOf(row)] = anyKey
	}
	return rights
}

// referenceRows are the rows of section 4.6: lists that are the same for every
// key and may be kept for a day.
func referenceRows() []wire.Route {
	return slices.DeleteFunc(api.New(api.Config{}).Rows(), func(row wire.Route) bool { return row.Tag != "Reference data" })
}

// rank orders the roles. An accountant can do no more here than who creates.
var rank = map[org.Role]int{org.ViewInvoice: 1, org.CreateInvoice: 2, org.Accountant: 2, org.Admin: 3}

// allows says whether a role, narrowed to a scope or not, may make the call.
func (r right) allows(role org.Role, only org.Scope) bool {
	return rank[role] >= rank[r.least] && (only == "" || r.scope == "" || only == r.scope)
}

// body completes a request so that it succeeds where it may be made.
func body(shop *till, operation string) func(*http.Request) {
	switch operation {
	case "POST /api/invoices/", "POST /api/invoices/preview/":
		return jsonBody(shop.standard(fields{"notes": note(uuid.NewString())})) // no two are the same sale
	case "POST /api/session/":
		return jsonBody(asJSON(shop.t, record{"email": shop.clerkEmail(), "password": clerkPassword}))
	case "POST /api/drafts/":
		return jsonBody(shop.draft(fields{"notes": note(uuid.NewString())}))
	case "PATCH /api/drafts/{draft_id}/":
		return jsonBody(`{"recipient":{"name":"Sara","email":"sara@buyer.example","language":"en"}}`)
	case "POST /api/invoices/{invoice_id}/notes/":
		return jsonBody(`{"title":"Delivery","details":"Left at the gate."}`)
	case "POST /api/onboarding/organizations/clients/":
		return formBody(shop.t, part{"client_data", "", goodClient()})
	case "POST /api/items/":
		return formBody(shop.t, part{"item_data", "", goodItem()})
	case "PATCH /api/buyers/{buyer_id}/":
		return jsonBody(`{"city":"Jeddah"}`)
	case "PATCH /api/items/{item_id}/":
		return jsonBody(`{"description":"As new"}`)
	}
	return func(*http.Request) {}
}
