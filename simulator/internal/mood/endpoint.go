package mood

import (
	"net/http"
	"slices"
	"strings"
)

// Endpoint is one operation of the authority's API, under any base path.
// Requests are numbered by endpoint.
type Endpoint string

// The operations. Other means any other path or method.
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

// EndpointOf returns the endpoint of a request, or Other.
func EndpointOf(r *http.Request) Endpoint {
	for _, route := range routes {
		if r.Method == route.method && strings.HasSuffix(r.URL.Path, route.path) {
			return route.endpoint
		}
	}
	return Other
}

// scope is the set of endpoints that a fault applies to. Certificate requests
// contain no document and use up a one-time password, so only the faults with
// the scope everywhere apply to them.
type scope struct {
	name      string
	endpoints []Endpoint // nil means all
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
