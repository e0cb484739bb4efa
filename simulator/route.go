package simulator

import (
	"net/http"
	"strings"

	"khatm/simulator/internal/ca"
)

// gateway is what the paths of all three environments begin with.
const gateway = "/e-invoicing/"

// environments are where each one stands on the gateway.
var environments = []struct {
	name ca.Environment
	path string
}{
	{ca.Sandbox, "developer-portal"},
	{ca.Simulation, "simulation"},
	{ca.Production, "core"},
}

// environmentNamed takes the name of an environment, or the path it has.
func environmentNamed(text string) (ca.Environment, bool) {
	for _, e := range environments {
		if text == string(e.name) || text == e.path {
			return e.name, true
		}
	}
	return "", false
}

// route is one operation of the protocol.
type route struct {
	method, path string
	kind         ca.Kind // of the credential it wants; "" for none
	verb         func(*Simulator, *call) answer
}

// The operations' paths, which are their names in the journal too.
const (
	compliancePath = "/compliance"
	checkPath      = "/compliance/invoices"
	productionPath = "/production/csids"
	clearancePath  = "/invoices/clearance/single"
	reportingPath  = "/invoices/reporting/single"
)

// routes is the whole protocol.
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

// find gives a call its environment and route, or the answer that there is
// none. A slash at the end is another path.
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
