package servicetest

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// resource describes a resource of the app for the tests that call every route.
type resource struct {
	bodies  map[string]body   // by operation
	records map[string]record // by path parameter
	lists   []string          // paths of lists, for Snapshot
}

// body returns a function that sets a valid request body.
type body func(shop *Seller) func(*http.Request)

// record describes the records with one path parameter.
type record struct {
	create  func(t *Seller, admin string) string // creates one with the session of an Admin and returns its id
	missing Refusal                              // response to an unknown id
}

// resources returns the resources of the app, one per line.
func resources() []resource {
	return []resource{
		branchResource(),
		companyResource(),
		deviceResource(),
		attentionResource(),
		draftResource(),
		earlierResource(),
		factorResource(),
		importResource(),
		keyResource(),
		noticeResource(),
		memberResource(),
		outboxResource(),
		passwordResource(),
		viewResource(),
		paymentResource(),
		pictureResource(),
		reasonResource(),
		sessionResource(),
		setUpResource(),
	}
}

// Body returns a function that sets a valid request body for an operation. It
// does nothing if the operation has no body.
func Body(shop *Seller, operation string) func(*http.Request) {
	if fill := bodies()[operation]; fill != nil {
		return fill(shop)
	}
	return func(*http.Request) {}
}

// HasBody reports whether Body sets a body for an operation.
func HasBody(operation string) bool { return bodies()[operation] != nil }

func bodies() map[string]body {
	all := keyBodies()
	for _, r := range resources() {
		maps.Copy(all, r.bodies)
	}
	return all
}

func records() map[string]record {
	all := map[string]record{}
	for _, r := range resources() {
		maps.Copy(all, r.records)
	}
	return all
}

// AppRecords creates one record of every kind of the app and returns the ids by
// path parameter.
func (t *Seller) AppRecords() map[string]string {
	t.TB.Helper()
	ids := map[string]string{}
	for _, param := range slices.Sorted(maps.Keys(records())) {
		ids[param] = t.AppRecord(param)
	}
	return ids
}

// AppRecord creates a record of the app and returns its id. param is the path
// parameter of such records.
func (t *Seller) AppRecord(param string) string {
	t.TB.Helper()
	return records()[param].create(t, t.Session(org.Admin, t.Org))
}

// Changed returns the path parameters of the records of the app that calls of the
// routes may change.
func Changed(rows ...wire.Route) []string {
	var all []string
	for param := range records() {
		if slices.ContainsFunc(rows, func(row wire.Route) bool {
			return row.Method != http.MethodGet && strings.Contains(row.Path, "{"+param+"}")
		}) {
			all = append(all, param)
		}
	}
	slices.Sort(all)
	return all
}

// Missing returns the response to an unknown id in the path of a route. It
// reports false if the tests do not know its first parameter.
func Missing(row wire.Route) (Refusal, bool) {
	_, param, _ := strings.Cut(row.Path, "{")
	param, _, _ = strings.Cut(param, "}")
	switch param {
	case "buyer_id":
		return NoBuyer, true
	case "item_id":
		return NoItem, true
	case "invoice_id":
		return NoInvoice, true
	}
	r, known := records()[param]
	return r.missing, known
}

// WithID returns the path of a route with an id for every parameter except
// {number}.
func WithID(row wire.Route, id string) string {
	parts := strings.Split(strings.ReplaceAll(row.Address(), "{number}", "1"), "{")
	for i, part := range parts[1:] {
		_, rest, _ := strings.Cut(part, "}")
		parts[i+1] = id + rest
	}
	return strings.Join(parts, "")
}
