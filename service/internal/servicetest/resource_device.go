package servicetest

import (
	"net/http"
)

// DevicesPath is the endpoint of devices in the app.
const DevicesPath = "/app/api/devices/"

// GoodDevice is a valid request for a new device.
const GoodDevice = `{"common_name":"Till 1","invoice_type":"1100","industry":"Retail"}`

// NoDevice is the response to an unknown device in a path.
var NoDevice = Refusal{http.StatusNotFound, `{"message":"Device not found"}` + "\n"}

// Responses to requests that the state of a device or of the server does not allow.
var (
	NoAuthority = Refusal{http.StatusConflict, `{"message":"This server has no connection to the tax authority. Its operator must configure it."}` + "\n"}
	NotParked   = Refusal{http.StatusConflict, `{"message":"The device is not parked: its documents are being sent."}` + "\n"}
)

func deviceResource() resource {
	return resource{
		bodies: map[string]body{
			"POST /api/devices/":                     func(*Seller) func(*http.Request) { return JSONBody(GoodDevice) },
			"POST /api/devices/{device_id}/onboard/": func(*Seller) func(*http.Request) { return JSONBody(`{"otp":"123456"}`) },
			"POST /api/devices/{device_id}/renew/":   func(*Seller) func(*http.Request) { return JSONBody(`{"otp":"123456"}`) },
			"POST /api/devices/{device_id}/release/": func(*Seller) func(*http.Request) { return JSONBody(`{"confirm":true}`) },
		},
		lists: []string{DevicesPath},
		records: map[string]record{
			"device_id": {func(t *Seller, admin string) string {
				t.TB.Helper()
				return Text(t.As(admin, http.MethodPost, DevicesPath, GoodDevice).Wants(t.TB, http.StatusCreated)["device_id"])
			}, NoDevice},
		},
	}
}
