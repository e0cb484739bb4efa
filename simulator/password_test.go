package simulator_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"khatm/simulator"
)

func TestOneTimePasswords(t *testing.T) {
	t.Parallel()
	const other = "300000000000003"
	made := func(environment, vat string) func(*fixture) string {
		return func(h *fixture) string {
			otp, err := h.simulator.OneTimePassword(environment, vat)
			if err != nil {
				h.t.Fatal(err)
			}
			return otp
		}
	}
	is := func(otp string) func(*fixture) string { return func(*fixture) string { return otp } }
	mine := open(t, simulator.Config{}).device("simulation", "1100").unit.VATNumber
	for _, c := range []struct {
		name        string
		environment string
		otp         func(*fixture) string
		later       time.Duration
		code        string // "" if the password is valid
	}{
		{"valid", "simulation", made("simulation", mine), 0, ""},
		{"environment given by its path", "production", made("core", mine), 0, ""},
		{"a second before an hour", "simulation", made("simulation", mine), time.Hour - time.Second, ""},
		{"an hour old", "simulation", made("simulation", mine), time.Hour, "Invalid-OTP"},
		{"for another VAT number", "simulation", made("simulation", other), 0, "Invalid-OTP"},
		{"for another environment", "production", made("simulation", mine), 0, "Invalid-OTP"},
		{"no password", "simulation", is(""), 0, "Missing-OTP"},
		{"unknown", "simulation", is("000000"), 0, "Invalid-OTP"},
		{"not digits", "simulation", is("abcdef"), 0, "Invalid-OTP"},
		{"constant of the portal, in simulation", "simulation", is("123345"), 0, "Invalid-OTP"},
		{"constant of the portal, in production", "production", is("123345"), 0, "Invalid-OTP"},
		{"constant of the portal", "sandbox", is("123345"), 0, ""},
		{"invalid constant of the portal", "sandbox", is("111111"), 0, "Invalid-OTP"},
		{"expired constant of the portal", "sandbox", is("222222"), 0, "Invalid-OTP"},
		{"created for the portal", "sandbox", made("sandbox", mine), 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := open(t, simulator.Config{})
			d := h.device(c.environment, "1100")
			otp := c.otp(h)
			h.now.Advance(c.later)
			r := d.must(http.MethodPost, "/compliance", csid{}, otp, d.request())
			if c.code == "" && r.status != 200 || c.code != "" && (r.status != 400 || !strings.Contains(string(r.body), `"code":"`+c.code+`"`)) {
				t.Fatalf("status %d, want code %q: %s", r.status, c.code, r.body)
			}
			if c.code != "" || otp == "123345" {
				return
			}
			next := h.device(c.environment, "1100")
			if r := next.must(http.MethodPost, "/compliance", csid{}, otp, next.request()); !strings.Contains(string(r.body), "Invalid-OTP") {
				t.Errorf("password used twice: status %d, want Invalid-OTP: %s", r.status, r.body)
			}
		})
	}
}

// TestPasswordOutlivesAFailedCall checks that only a successful call uses up a
// password.
func TestPasswordOutlivesAFailedCall(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.device("simulation", "1100")
	otp := d.otp()
	if !regexp.MustCompile(`^[0-9]{6}$`).MatchString(otp) {
		t.Errorf("OneTimePassword = %q, want six digits", otp)
	}
	if r := d.must(http.MethodPost, "/compliance", csid{}, otp, map[string]string{"csr": "bm8="}); r.status != 400 {
		t.Fatalf("invalid request: status %d, want 400: %s", r.status, r.body)
	}
	if r := d.must(http.MethodPost, "/compliance", csid{}, otp, d.request()); r.status != 200 {
		t.Errorf("valid request after a failed one: status %d, want 200: %s", r.status, r.body)
	}
}

func TestOneTimePasswordRefuses(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	for _, c := range [][2]string{{"moon", "310175397400003"}, {"simulation", "31017539740000"}, {"simulation", "110175397400003"}, {"simulation", "3101753974000a3"}} {
		if _, err := h.simulator.OneTimePassword(c[0], c[1]); err == nil {
			t.Errorf("OneTimePassword(%q, %q) succeeded, want an error", c[0], c[1])
		}
	}
}
