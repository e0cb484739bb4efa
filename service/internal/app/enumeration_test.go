package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// Sign-in, the request for a new password and sign-up do not reveal whether an
// address has an account: status, headers and body are the same, also beyond the
// rate limits, and the same number of password hashes is computed.
func TestK8_AccountsCannotBeEnumerated(t *testing.T) {
	servicetest.MostlySQLiteWith(t, func(c *server.Config) {
		openSignUp(c)
		behindProxy(c)
		c.Rates.SignInPair, c.Rates.ResetPair, c.Rates.SignUpPair = 2, 2, 2
	}, func(t *testing.T, h *servicetest.Instance) {
		h.Enrol("known@example.sa")
		gone := h.Enrol("gone@example.sa")
		withFactor(h)
		h.SignIn("known@example.sa", servicetest.ClerkPassword, via("203.0.113.1")).Wants(t, http.StatusOK) // the network becomes known
		if err := h.Service.Store().DisablePerson(t.Context(), h.Operator(h.Org), gone.ID, true); err != nil {
			t.Fatal(err)
		}
		h.Clock.Advance(time.Hour)
		for name, call := range map[string]struct {
			path   string
			body   servicetest.Record
			status []int
			hashes []int64
		}{
			"sign-in":      {servicetest.SessionPath, servicetest.Record{"password": "wrong horse battery"}, []int{401, 401, 429}, []int64{1, 1, 0}},
			"new password": {servicetest.ResetPath, servicetest.Record{"language": "en"}, []int{202, 202, 429}, []int64{0, 0, 0}},
			"sign-up":      {servicetest.SignUpPath, servicetest.Record{"language": "en"}, []int{202, 202, 429}, []int64{0, 0, 0}},
		} {
			var first []string
			for n, email := range []string{"known@example.sa", "unknown@example.sa", "gone@example.sa", noura} {
				var got []string
				for try, status := range call.status {
					call.body["email"] = email
					before := h.Service.PasswordHashes()
					a := h.Send(http.MethodPost, call.path, servicetest.JSONBody(servicetest.AsJSON(t, call.body)), via(fmt.Sprint("203.0.113.", n+1)))
					servicetest.Same(t, name+" of "+email+": status", a.Status, status)
					servicetest.Same(t, name+" of "+email+": password hashes", h.Service.PasswordHashes()-before, call.hashes[try])
					a.Header.Del("Date")
					a.Header.Del("X-Request-Id")
					got = append(got, fmt.Sprint(a.Status, a.Header, a.Body))
				}
				if n == 0 {
					first = got
				}
				servicetest.Same(t, name+" of "+email, strings.Join(got, "\n"), strings.Join(first, "\n"))
			}
		}
	})
}
