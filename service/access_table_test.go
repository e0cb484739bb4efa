package service_test

import (
	"net/http"

	"khatm/service/internal/api"
	"khatm/service/internal/app"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/wire"
)

// permission describes who may call an operation, according to sections 4, 5.3
// and 5.5 of docs/contract.md. It duplicates the route table in order to check
// it.
type permission struct {
	public     bool                 // no credentials needed
	least      org.Role             // minimum role; empty for any
	scope      org.Scope            // required of a key with scopes; empty for any
	status     int                  // status for permitted callers
	denied     *servicetest.Refusal // response to others; nil for NoRight
	always     *servicetest.Refusal // response even to permitted callers; nil for a success
	people     bool                 // not for API keys
	withoutOrg bool                 // for users without an organisation too
	unsent     string               // why the example of the body in the document would be refused; empty if it is accepted
	last       int                  // calls with a higher value are made later, because they affect the others
}

var (
	anybody = permission{public: true, status: http.StatusOK}
	anyKey  = permission{status: http.StatusOK}
)

func reads(scope org.Scope) permission {
	return permission{least: org.ViewInvoice, scope: scope, status: http.StatusOK}
}

func changes(scope org.Scope) permission {
	return permission{least: org.CreateInvoice, scope: scope, status: http.StatusOK}
}

// signed returns the permission of signed-in users; API keys are refused.
func signed(least org.Role, status int) permission {
	return permission{least: least, status: status, people: true}
}

func creates(scope org.Scope) permission {
	return permission{least: org.CreateInvoice, scope: scope, status: http.StatusCreated}
}

// sends returns the permission to send an invoice again; in this test every
// invoice is still queued.
func sends(scope org.Scope) permission {
	return permission{least: org.CreateInvoice, scope: scope, status: http.StatusConflict, always: &servicetest.Queued}
}

// prints returns the permission to get a PDF; in this test the authority has
// answered no invoice.
func prints(scope org.Scope) permission {
	return permission{least: org.ViewInvoice, scope: scope, status: http.StatusNotFound, always: &servicetest.Unprinted}
}

// permissions has an entry for every served operation, by the base path of its
// surface.
var permissions = map[string]map[string]permission{
	api.Base: merged(keyPermissions, referencePermissions()),
	app.Base: appPermissions,
}

// permissionOf returns the permission of a route, and whether there is one.
func permissionOf(row wire.Route) (permission, bool) {
	p, known := permissions[row.Base()][operationOf(row)]
	return p, known
}

// appPermissions has an entry for every operation of the app. The tables are in
// the files of the resources.
var appPermissions = merged(
	branchPermissions,
	companyPermissions,
	devicePermissions,
	draftPermissions,
	earlierPermissions,
	importPermissions,
	apiKeyPermissions,
	attentionPermissions,
	correctionPermissions,
	factorPermissions,
	linkPermissions,
	noticePermissions,
	memberPermissions,
	outboxPermissions,
	passwordPermissions,
	picturePermissions,
	planPermissions,
	summaryPermissions,
	viewPermissions,
	autocompletePermissions,
	trailPermissions,
	paymentPermissions,
	reasonPermissions,
	sessionPermissions,
	setUpPermissions,
)

// keyPermissions are those of the API for keys, except for reference data.
var keyPermissions = map[string]permission{
	"GET /api/invoices/":                                    reads("invoice.get"),
	"POST /api/invoices/":                                   {least: org.CreateInvoice, scope: "invoice.create", status: http.StatusAccepted, denied: &servicetest.NoCreating},
	"POST /api/invoices/preview/":                           {least: org.ViewInvoice, scope: "invoice.get", status: http.StatusCreated},
	"GET /api/invoices/{invoice_id}/":                       reads("invoice.get"),
	"DELETE /api/invoices/{invoice_id}/":                    {status: http.StatusForbidden, always: &servicetest.NoDeleting},
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
}

// referencePermissions are those of reference data, which may be read with any
// key.
func referencePermissions() map[string]permission {
	all := map[string]permission{}
	for _, row := range servicetest.ReferenceRows() {
		all[operationOf(row)] = anyKey
	}
	return all
}

// merged returns all entries of the tables. It panics if two tables have the same
// operation.
func merged(tables ...map[string]permission) map[string]permission {
	all := map[string]permission{}
	for _, table := range tables {
		for operation, p := range table {
			if _, twice := all[operation]; twice {
				panic("two permissions for " + operation)
			}
			all[operation] = p
		}
	}
	return all
}

// rank orders the roles. No operation of the API for keys requires Accountant, so
// there an accountant has the rights of CreateInvoice.
var rank = map[org.Role]int{org.ViewInvoice: 1, org.CreateInvoice: 2, org.Accountant: 3, org.Admin: 4}

// allows reports whether a role, possibly narrowed to a scope, may make the
// call.
func (r permission) allows(role org.Role, only org.Scope) bool {
	return rank[role] >= rank[r.least] && (only == "" || r.scope == "" || only == r.scope)
}
