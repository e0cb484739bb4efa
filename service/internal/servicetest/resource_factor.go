package servicetest

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // as in RFC 6238
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/http"
	"testing"
	"time"
)

// FactorPath is the endpoint of the second factor of a person.
const FactorPath = "/app/api/person/second-factor/"

func factorResource() resource {
	const again = `{"password":"` + ClerkPassword + `","code":"no code"}`
	return resource{bodies: map[string]body{
		"POST /api/person/second-factor/":                func(*Seller) func(*http.Request) { return JSONBody(`{"password":"` + ClerkPassword + `"}`) },
		"POST /api/person/second-factor/confirm/":        func(*Seller) func(*http.Request) { return JSONBody(`{"code":"no code"}`) },
		"POST /api/person/second-factor/recovery-codes/": func(*Seller) func(*http.Request) { return JSONBody(again) },
		"POST /api/person/second-factor/remove/":         func(*Seller) func(*http.Request) { return JSONBody(again) },
	}}
}

// OneTimeCode returns the code of RFC 6238 that an authenticator app shows for a
// secret in base32.
func OneTimeCode(t testing.TB, secret string, at time.Time) string {
	t.Helper()
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha1.New, key)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(at.Unix()/30)))
	sum := mac.Sum(nil)
	begin := sum[19] & 15
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[begin:begin+4])&(1<<31-1)%1e6)
}

// AddFactor adds a second factor to the account of a session. It returns the
// secret, the recovery codes and the new session.
func (h *Instance) AddFactor(session string) (secret string, recovery []string, renewed string) {
	h.TB.Helper()
	secret = Text(h.As(session, http.MethodPost, FactorPath, `{"password":"`+ClerkPassword+`"}`).Wants(h.TB, http.StatusCreated)["secret"])
	got := h.As(session, http.MethodPost, FactorPath+"confirm/", `{"code":"`+OneTimeCode(h.TB, secret, h.Clock.Now())+`"}`).Wants(h.TB, http.StatusOK)
	codes, _ := got["recovery_codes"].([]any)
	for _, one := range codes {
		recovery = append(recovery, Text(one))
	}
	return secret, recovery, Text(got["access_token"])
}

// SignInWith posts an e-mail address, the usual password and a code.
func (h *Instance) SignInWith(email, code string, more ...func(*http.Request)) Answer {
	h.TB.Helper()
	body := JSONBody(AsJSON(h.TB, Record{"email": email, "password": ClerkPassword, "code": code}))
	return h.Send(http.MethodPost, SessionPath, append([]func(*http.Request){body}, more...)...)
}
