package authority_test

import (
	"strings"
	"testing"

	"khatm/service/internal/authority"
	"khatm/service/internal/device"
)

func TestCheckURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		environment device.Environment
		url         string
		want        string // in the error; empty for none
	}{
		{device.Simulation, "https://gw-fatoora.zatca.gov.sa/e-invoicing/simulation", ""},
		{device.Simulation, "https://gw-fatoora.zatca.gov.sa/e-invoicing/simulation/", ""},
		{device.Simulation, "https://gw-fatoora.zatca.gov.sa", "must be https://gw-fatoora.zatca.gov.sa/e-invoicing/simulation"},
		{device.Simulation, "http://127.0.0.1:9090/", "must be http://127.0.0.1:9090/e-invoicing/simulation"},
		{device.Sandbox, "http://127.0.0.1:9090/e-invoicing/", "must be http://127.0.0.1:9090/e-invoicing/developer-portal"},
		{device.Production, "https://gw-fatoora.zatca.gov.sa/e-invoicing/simulation", "must be https://gw-fatoora.zatca.gov.sa/e-invoicing/core"},
		{device.Production, "https://gw-fatoora.zatca.gov.sa/e-invoicing/core", ""},
		{device.Production, "https://proxy.example.sa/zatca", ""},
		{device.Simulator, "http://127.0.0.1:9090", "must be http://127.0.0.1:9090/e-invoicing/simulation"},
		{device.Simulator, "http://127.0.0.1:9090/e-invoicing/core", ""},
		{"", "http://127.0.0.1:9090", "simulator environment; it must be http://127.0.0.1:9090/e-invoicing/simulation"},
		{"", "http://127.0.0.1:9090/e-invoicing/simulation", ""},
		{device.Simulation, "http://gw-fatoora.zatca.gov.sa/e-invoicing/simulation", "is not safe"},
		{device.Simulation, "gw-fatoora.zatca.gov.sa", "is invalid"},
	} {
		err := authority.CheckURL(c.environment, c.url)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("CheckURL(%s, %s) returned %v, want %q", c.environment, c.url, err, c.want)
		}
	}
}
