// Package authority is an HTTP client for the tax authority: it knows the base
// URLs of its environments, sends certificate requests and documents, and
// interprets the answers. It stores nothing, signs nothing and never retries.
package authority

import "khatm/service/internal/device"

// bases are the published base URLs. The simulator runs locally and has none.
var bases = map[device.Environment]string{
	device.Sandbox:    "https://gw-fatoora.zatca.gov.sa/e-invoicing/developer-portal",
	device.Simulation: "https://gw-fatoora.zatca.gov.sa/e-invoicing/simulation",
	device.Production: "https://gw-fatoora.zatca.gov.sa/e-invoicing/core",
}

// Base returns the base URL of an environment, or "" for the simulator.
func Base(e device.Environment) string { return bases[e] }
