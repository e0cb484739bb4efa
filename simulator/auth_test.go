package simulator_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"khatm/simulator"
)

// TestHeaders checks that the version is checked first and the credential
// second, before the body.
func TestHeaders(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	elsewhere := h.onboard("production", "1100")
	basic := func(user, password string) string {
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
	}
	good := basic(d.pcsid.Token, d.pcsid.Secret)
	once, err := base64.StdEncoding.DecodeString(d.pcsid.Token)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		versions []string
		auth     string
		status   int
	}{
		{"good", []string{"V2"}, good, 400}, // the empty body is invalid
		{"no version", nil, good, 406},
		{"lower-case version", []string{"v2"}, good, 406},
		{"old version", []string{"V1"}, good, 406},
		{"two versions", []string{"V2", "V1"}, good, 406},
		{"no version and no credential", nil, "", 406},
		{"no credential", []string{"V2"}, "", 401},
		{"another scheme", []string{"V2"}, strings.Replace(good, "Basic", "Bearer", 1), 401},
		{"not base64", []string{"V2"}, "Basic !", 401},
		{"wrong secret", []string{"V2"}, basic(d.pcsid.Token, elsewhere.pcsid.Secret), 401},
		{"no secret", []string{"V2"}, basic(d.pcsid.Token, ""), 401},
		{"token decoded once", []string{"V2"}, basic(string(once), d.pcsid.Secret), 401},
		{"token encoded again", []string{"V2"}, basic(base64.StdEncoding.EncodeToString([]byte(d.pcsid.Token)), d.pcsid.Secret), 401},
		{"unknown token", []string{"V2"}, basic("TUlJ", d.pcsid.Secret), 401},
		{"compliance certificate", []string{"V2"}, basic(d.ccsid.Token, d.ccsid.Secret), 401},
		{"credential of another environment", []string{"V2"}, basic(elsewhere.pcsid.Token, elsewhere.pcsid.Secret), 401},
	} {
		request, err := http.NewRequest(http.MethodPost, h.url+bases["simulation"]+"/invoices/reporting/single", strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		request.Header["Accept-Version"] = c.versions
		if c.auth != "" {
			request.Header.Set("Authorization", c.auth)
		}
		r, err := do(request)
		if err != nil {
			t.Fatal(err)
		}
		if r.status != c.status {
			t.Errorf("%s: got %d %s, want %d", c.name, r.status, r.body, c.status)
		}
		switch kind := r.header.Get("Content-Type"); r.status {
		case 401:
			if string(r.body) != unauthorized {
				t.Errorf("%s: body of 401 = %s, want %s", c.name, r.body, unauthorized)
			}
		case 406:
			if string(r.body) != noVersion || !strings.HasPrefix(kind, "text/plain") {
				t.Errorf("%s: 406 has Content-Type %s and body %s, want text/plain and %s", c.name, kind, r.body, noVersion)
			}
		}
	}
}

// TestRevokedAndExpired checks that revoked and expired certificates are
// refused.
func TestRevokedAndExpired(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	revoked, expired := h.onboard("simulation", "0100"), h.onboard("simulation", "0100")
	h.mustControl(http.MethodPost, "/revoke", `{"request_id":"`+revoked.pcsid.RequestID.String()+`"}`)
	if got := revoked.report(revoked.pcsid); got != http.StatusUnauthorized {
		t.Errorf("revoked certificate: status %d, want 401", got)
	}
	if got := expired.report(expired.pcsid); got != http.StatusOK {
		t.Errorf("certificate that is still valid: status %d, want 200", got)
	}
	h.mustControl(http.MethodPut, "/clock", `{"step":"52560h"}`) // six years
	if got := expired.report(expired.pcsid); got != http.StatusUnauthorized {
		t.Errorf("expired certificate: status %d, want 401", got)
	}
}
