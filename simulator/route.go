package simulator

import (
	"net/http"
	"strings"

	"khatm/simulator/internal/ca"
)

// gateway is the path prefix of all three environments.
const gateway = "/e-invoicing/"

// environments maps each environment to its path below the gateway.
var environments = []struct {
	name ca.Environment
	path string
}{
	{ca.Sandbox, "developer-portal"},
	{ca.Simulation, "simulation"},
	{ca.Production, "core"},
}

// environmentNamed returns the environment with the given name or path.
func environmentNamed(text string) (ca.Environment, bool) {
	for _, e := range environments {
		if text == string(e.name) || text == e.path {
			return e.name, true
		}
	}
	return "", false
}

// route is one operation of the API.
type route struct {
	method, path string
	kind         ca.Kind // kind of credential it requires; "" for none
	verb         func(*Simulator, *call) answer
}

// Paths of the operations, also used as their names in the journal.
const (
	compliancePath = "/compliance"
	checkPath      = "/compliance/invoices"
	productionPath = "/production/csids"
	clearancePath  = "/invoices/clearance/single"
	reportingPath  = "/invoices/reporting/single"
)

// routes returns all operations of the API.
func routes() []route {
	return []route{
		{http.MethodPost, compliancePath, "", (*Simulator).compliance},
		{http.MethodPost, checkPath, ca.ComplianceCSID, (*Simulator).check},
		{http.MethodPost, productionPath, ca.ComplianceCSID, (*Simulator).production},
		{http.MethodPatch, productionPath, ca.ProductionCSID, (*Simulator).renew},
		{http.MethodPost, clearancePath, ca.ProductionCSID, (*Simulator).clearance},
		{http.MethodPost, reportingPath, ca.ProductionCSID, (*Simulator).reporting},
	}
}

// find sets the environment and the route of a call. If no operation matches,
// it returns the error answer. A path with a trailing slash is a different
// path.
func find(c *call, method, path string) *answer {
	rest, ours := strings.CutPrefix(path, gateway)
	if !ours {
		return notFound()
	}
	name, operation, _ := strings.Cut(rest, "/")
	for _, e := range environments {
		if e.path == name {
			c.environment = e.name
		}
	}
	if c.environment == "" {
		return notFound()
	}
	var allowed []string
	for _, r := range routes() {
		if r.path != "/"+operation {
			continue
		}
		c.endpoint = r.path
		if r.method == method {
			c.route = r
			return nil
		}
		allowed = append(allowed, r.method)
	}
	if allowed == nil {
		return notFound()
	}
	return methodNotAllowed(allowed)
}
