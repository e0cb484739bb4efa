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
		code        string // "" when it is good
	}{
		{"made for it", "simulation", made("simulation", mine), 0, ""},
		{"named by its path", "production", made("core", mine), 0, ""},
		{"a second before an hour", "simulation", made("simulation", mine), time.Hour - time.Second, ""},
		{"an hour old", "simulation", made("simulation", mine), time.Hour, "Invalid-OTP"},
		{"another VAT number's", "simulation", made("simulation", other), 0, "Invalid-OTP"},
		{"another environment's", "production", made("simulation", mine), 0, "Invalid-OTP"},
		{"none", "simulation", is(""), 0, "Missing-OTP"},
		{"never made", "simulation", is("000000"), 0, "Invalid-OTP"},
		{"no digits", "simulation", is("abcdef"), 0, "Invalid-OTP"},
		{"the portal's, elsewhere", "simulation", is("123345"), 0, "Invalid-OTP"},
		{"the portal's, in production", "production", is("123345"), 0, "Invalid-OTP"},
		{"the portal's", "sandbox", is("123345"), 0, ""},
		{"the portal's wrong one", "sandbox", is("111111"), 0, "Invalid-OTP"},
		{"the portal's old one", "sandbox", is("222222"), 0, "Invalid-OTP"},
		{"made for the portal", "sandbox", made("sandbox", mine), 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := open(t, simulator.Config{})
			d := h.device(c.environment, "1100")
			otp := c.otp(h)
			h.now.move(c.later)
			r := d.must(http.MethodPost, "/compliance", csid{}, otp, d.request())
			if c.code == "" && r.status != 200 || c.code != "" && (r.status != 400 || !strings.Contains(string(r.body), `"code":"`+c.code+`"`)) {
				t.Fatalf("%d %s", r.status, r.body)
			}
			if c.code != "" || otp == "123345" {
				return
			}
			next := h.device(c.environment, "1100")
			if r := next.must(http.MethodPost, "/compliance", csid{}, otp, next.request()); !strings.Contains(string(r.body), "Invalid-OTP") {
				t.Errorf("used again: %d %s", r.status, r.body)
			}
		})
	}
}

// TestPasswordOutlivesAFailedCall: only success uses it up.
func TestPasswordOutlivesAFailedCall(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.device("simulation", "1100")
	otp := d.otp()
	if !regexp.MustCompile(`^[0-9]{6}$`).MatchString(otp) {
		t.Errorf("%q is not six digits", otp)
	}
	if r := d.must(http.MethodPost, "/compliance", csid{}, otp, map[string]string{"csr": "bm8="}); r.status != 400 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	if r := d.must(http.MethodPost, "/compliance", csid{}, otp, d.request()); r.status != 200 {
		t.Errorf("%d %s", r.status, r.body)
	}
}

func TestPasswordIsNotMadeForAnybody(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	for _, c := range [][2]string{{"moon", "310175397400003"}, {"simulation", "31017539740000"}, {"simulation", "110175397400003"}, {"simulation", "3101753974000a3"}} {
		if _, err := h.simulator.OneTimePassword(c[0], c[1]); err == nil {
			t.Errorf("%v: a password was made", c)
		}
	}
}
