package mood

import (
	"net/http"
	"slices"
	"strings"
)

// Endpoint is one operation of the authority's interface, whatever the base
// path in front of it. Requests are numbered by endpoint.
type Endpoint string

// The operations. Other is every path and method that is none of them.
const (
	Compliance      Endpoint = "compliance"       // POST /compliance
	ComplianceCheck Endpoint = "compliance_check" // POST /compliance/invoices
	Production      Endpoint = "production"       // POST /production/csids
	Renewal         Endpoint = "renewal"          // PATCH /production/csids
	Clearance       Endpoint = "clearance"        // POST /invoices/clearance/single
	Reporting       Endpoint = "reporting"        // POST /invoices/reporting/single
	Other           Endpoint = "other"
)

var routes = []struct {
	method, path string
	endpoint     Endpoint
}{
	{http.MethodPost, "/invoices/clearance/single", Clearance},
	{http.MethodPost, "/invoices/reporting/single", Reporting},
	{http.MethodPost, "/compliance/invoices", ComplianceCheck},
	{http.MethodPost, "/compliance", Compliance},
	{http.MethodPost, "/production/csids", Production},
	{http.MethodPatch, "/production/csids", Renewal},
}

// EndpointOf is the operation that a request asks for.
func EndpointOf(r *http.Request) Endpoint {
	for _, route := range routes {
		if r.Method == route.method && strings.HasSuffix(r.URL.Path, route.path) {
			return route.endpoint
		}
	}
	return Other
}

// A scope is where a knob may act. Asking for a certificate is judged by
// nobody and spends a one-time password, so only the wire misbehaves there.
type scope struct {
	name      string
	endpoints []Endpoint // nil is every one
}

var (
	everywhere  = scope{"every endpoint", nil}
	judged      = scope{"clearance, reporting, compliance checks", []Endpoint{Clearance, Reporting, ComplianceCheck}}
	submissions = scope{"clearance, reporting", []Endpoint{Clearance, Reporting}}
	clearances  = scope{"clearance", []Endpoint{Clearance}}
)

func (s scope) has(e Endpoint) bool {
	return s.endpoints == nil || slices.Contains(s.endpoints, e)
}
