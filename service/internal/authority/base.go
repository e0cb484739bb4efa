// Package authority is an HTTP client for the tax authority: it knows the base
// URLs of its environments, sends certificate requests and documents, and
// interprets the answers. It stores nothing, signs nothing and never retries.
package authority

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"strings"

	"khatm/service/internal/device"
)

// bases are the published base URLs. The simulator runs locally and has none.
var bases = map[device.Environment]string{
	device.Sandbox:    "https://gw-fatoora.zatca.gov.sa/e-invoicing/developer-portal",
	device.Simulation: "https://gw-fatoora.zatca.gov.sa/e-invoicing/simulation",
	device.Production: "https://gw-fatoora.zatca.gov.sa/e-invoicing/core",
}

// Base returns the base URL of an environment, or "" for the simulator.
func Base(e device.Environment) string { return bases[e] }

// CheckURL returns an error if a URL cannot be the base URL of an environment,
// because it is not safe, or because its path is missing or belongs to another
// environment. Other paths are accepted, because a proxy may have its own. The empty
// environment stands for the simulator, which has the paths of all others.
func CheckURL(e device.Environment, text string) error {
	if _, err := checkURL(text); err != nil {
		return err
	}
	at, err := url.Parse(text)
	if err != nil {
		return fmt.Errorf("the authority's URL %q is invalid: %w", text, err)
	}
	simulated := e == "" || e == device.Simulator
	right := "/e-invoicing/simulation"
	if !simulated {
		right = "/e-invoicing/" + path.Base(Base(e))
	}
	switch last := path.Base("/" + strings.TrimRight(at.Path, "/")); last {
	case "/", "e-invoicing":
	case "developer-portal", "simulation", "core":
		if simulated || last == path.Base(right) {
			return nil
		}
	default:
		return nil
	}
	at.Path = right
	return fmt.Errorf("the authority's URL %s is not that of the %s environment; it must be %s", text, cmp.Or(e, device.Simulator), at)
}
