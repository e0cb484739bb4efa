// Package authority is the tax authority as seen over HTTP: where each of its
// environments is, whether it answers, what it is asked, and what its answers
// mean. It keeps nothing, signs nothing, and asks nothing twice by itself.
package authority

import "khatm/service/internal/device"

// bases are the published addresses. The simulator has none: it runs here.
var bases = map[device.Environment]string{
	device.Sandbox:    "https://gw-fatoora.zatca.gov.sa/e-invoicing/developer-portal",
	device.Simulation: "https://gw-fatoora.zatca.gov.sa/e-invoicing/simulation",
	device.Production: "https://gw-fatoora.zatca.gov.sa/e-invoicing/core",
}

// Base is where an environment is reached; empty for the simulator.
func Base(e device.Environment) string { return bases[e] }
