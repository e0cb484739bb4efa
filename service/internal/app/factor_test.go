package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

const noura = "noura@example.com"

// withFactor enrols a person with a second factor.
func withFactor(h *servicetest.Instance) (p org.Person, secret string, recovery []string, session string) {
	h.TB.Helper()
	p = h.Enrol(noura)
	secret, recovery, session = h.AddFactor(h.SignedIn(noura))
	return p, secret, recovery, session
}

// code returns the next code that was not used yet.
func code(h *servicetest.Instance, secret string) string {
	h.TB.Helper()
	h.Clock.Advance(30 * time.Second)
	return servicetest.OneTimeCode(h.TB, secret, h.Clock.Now())
}

// wrongCode returns six digits that are no code now.
func wrongCode(h *servicetest.Instance, secret string) string {
	h.TB.Helper()
	for n := 0; ; n++ {
		wrong, right := fmt.Sprintf("%06d", n), false
		for _, skew := range []time.Duration{-30 * time.Second, 0, 30 * time.Second} {
			right = right || servicetest.OneTimeCode(h.TB, secret, h.Clock.Now().Add(skew)) == wrong
		}
		if !right {
			return wrong
		}
	}
}

func wantNoSession(t *testing.T, what string, a servicetest.Answer, status int, code string) {
	t.Helper()
	wantCode(t, what, a, status, code)
	if a.Header.Get("Set-Cookie") != "" || strings.Contains(a.Body, "access_token") {
		t.Errorf("%s: the response contains a session: %s", what, a.Body)
	}
}

func TestK8_SecondFactorIsAddedAndNeeded(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		h.Enrol(noura)
		old, other := h.SignedIn(noura), h.SignedIn(noura)
		state := func(session string) servicetest.Record {
			t.Helper()
			return h.As(session, http.MethodGet, servicetest.FactorPath, "").Wants(t, http.StatusOK)
		}
		none := servicetest.Record{"active": false, "active_since": nil, "recovery_codes_left": servicetest.Number(0)}
		servicetest.Same(t, "state before", state(old), none)
		started := h.As(old, http.MethodPost, servicetest.FactorPath, `{"password":"`+servicetest.ClerkPassword+`"}`).Wants(t, http.StatusCreated)
		secret := servicetest.Text(started["secret"])
		servicetest.Same(t, "started", started, servicetest.Record{
			"secret": secret, "expires_at": "2026-11-15T13:00:00+03:00",
			"otpauth_url": "otpauth://totp/Khatm:noura@example.com?algorithm=SHA1&digits=6&issuer=Khatm&period=30&secret=" + secret,
		})
		servicetest.Same(t, "state of one that is not confirmed", state(old), none)
		h.SignedIn(noura) // needs no code yet
		wantCode(t, "a wrong code", h.As(old, http.MethodPost, servicetest.FactorPath+"confirm/", `{"code":"no code"}`), http.StatusForbidden, "wrong_current_code")
		right := servicetest.OneTimeCode(t, secret, h.Clock.Now())
		got := h.As(old, http.MethodPost, servicetest.FactorPath+"confirm/", `{"code":"`+right[:3]+" "+right[3:]+`"}`)
		confirmed := got.Wants(t, http.StatusOK)
		recovery, _ := confirmed["recovery_codes"].([]any)
		session := servicetest.Text(confirmed["access_token"])
		if len(recovery) != 10 || session == "" || !strings.HasPrefix(got.Header.Get("Set-Cookie"), "accessToken="+session+";") {
			t.Fatalf("confirmed: %s, want ten recovery codes and a session", got.Body)
		}
		for _, one := range []string{old, other} {
			servicetest.NoSession.Wants(t, "an older session", h.As(one, http.MethodGet, servicetest.SessionPath, ""))
		}
		servicetest.Same(t, "state", state(session), servicetest.Record{"active": true, "active_since": "2026-11-15T12:00:00+03:00", "recovery_codes_left": servicetest.Number(10)})

		wantNoSession(t, "no code", h.SignIn(noura, servicetest.ClerkPassword), http.StatusUnauthorized, "second_factor_required")
		wantNoSession(t, "an empty code", h.SignInWith(noura, " "), http.StatusUnauthorized, "second_factor_required")
		wantNoSession(t, "a wrong code", h.SignInWith(noura, "no code"), http.StatusUnauthorized, "wrong_second_factor")
		wantNoSession(t, "the code of the confirmation", h.SignInWith(noura, right), http.StatusUnauthorized, "wrong_second_factor")
		servicetest.WrongPassword.Wants(t, "a wrong password", h.Send(http.MethodPost, servicetest.SessionPath, servicetest.JSONBody(`{"email":"`+noura+`","password":"wrong horse battery","code":"`+code(h, secret)+`"}`)))
		h.SignInWith(noura, code(h, secret)).Wants(t, http.StatusOK)
	})
}

func TestK8_SecondFactorIsRemovedWithPasswordAndCode(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		_, secret, recovery, session := withFactor(h)
		post := func(verb, password, code string) servicetest.Answer {
			t.Helper()
			return h.As(session, http.MethodPost, servicetest.FactorPath+verb, servicetest.AsJSON(t, servicetest.Record{"password": password, "code": code}))
		}
		for _, verb := range []string{"remove/", "recovery-codes/"} {
			wantCode(t, verb+" with a wrong password", post(verb, "wrong horse battery", code(h, secret)), http.StatusForbidden, "wrong_current_password")
			wantCode(t, verb+" with a long password", post(verb, strings.Repeat("x", 1000), code(h, secret)), http.StatusForbidden, "wrong_current_password")
			wantCode(t, verb+" with a wrong code", post(verb, servicetest.ClerkPassword, "AAAA-AAAA-AAAA-AAAA"), http.StatusForbidden, "wrong_current_code")
		}
		wantCode(t, "another factor", h.As(session, http.MethodPost, servicetest.FactorPath, `{"password":"`+servicetest.ClerkPassword+`"}`), http.StatusConflict, "second_factor_active")
		wantCode(t, "confirming again", h.As(session, http.MethodPost, servicetest.FactorPath+"confirm/", `{"code":"`+code(h, secret)+`"}`), http.StatusConflict, "second_factor_missing")
		renewed, _ := post("recovery-codes/", servicetest.ClerkPassword, code(h, secret)).Wants(t, http.StatusOK)["recovery_codes"].([]any)
		servicetest.Same(t, "number of new recovery codes", len(renewed), 10)
		wantNoSession(t, "a replaced recovery code", h.SignInWith(noura, recovery[0]), http.StatusUnauthorized, "wrong_second_factor")
		post("remove/", servicetest.ClerkPassword, servicetest.Text(renewed[3])).Wants(t, http.StatusOK)
		h.SignedIn(noura)
		wantCode(t, "removing again", post("remove/", servicetest.ClerkPassword, "no code"), http.StatusConflict, "second_factor_missing")
		var actions []string
		events, err := h.Service.Store().Events(t.Context(), org.TenantOf(h.Org.ID), 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if strings.HasPrefix(e.Action, "second_factor.") {
				actions = append(actions, e.Action+" by "+e.Actor)
			}
		}
		servicetest.Same(t, "audit trail", actions, []string{"second_factor.remove by " + noura, "second_factor.codes by " + noura, "second_factor.add by " + noura})
	})
}

// Of sign-ins at once with the same code, or the same recovery code, one succeeds.
func TestK8_CodeIsNotReplayed(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		_, secret, recovery, _ := withFactor(h)
		for name, one := range map[string]string{"code": code(h, secret), "recovery code": recovery[7]} {
			var all sync.WaitGroup
			answers := make([]servicetest.Answer, 8)
			for i := range answers {
				all.Go(func() { answers[i] = h.SignInWith(noura, one) })
			}
			all.Wait()
			opened := 0
			for _, a := range answers {
				if a.Status == http.StatusOK {
					opened++
					continue
				}
				wantNoSession(t, name+" at the same time", a, http.StatusUnauthorized, "wrong_second_factor")
			}
			servicetest.Same(t, "sessions opened with one "+name, opened, 1)
			wantNoSession(t, name+" again", h.SignInWith(noura, one), http.StatusUnauthorized, "wrong_second_factor")
			// Nor is an older code accepted, although its time is not over.
			before := servicetest.OneTimeCode(t, secret, h.Clock.Now().Add(-30*time.Second))
			wantNoSession(t, "the code before", h.SignInWith(noura, before), http.StatusUnauthorized, "wrong_second_factor")
		}
		h.SignInWith(noura, code(h, secret)).Wants(t, http.StatusOK)
	})
}

func TestK8_RecoveryCodeWorksOnce(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		_, _, recovery, session := withFactor(h)
		spelled := []string{recovery[0], strings.ToLower(recovery[1]), strings.ReplaceAll(recovery[2], "-", ""), " " + strings.ReplaceAll(recovery[3], "-", " ")}
		for n, one := range spelled {
			h.SignInWith(noura, one).Wants(t, http.StatusOK)
			for _, used := range []string{one, recovery[n]} {
				wantNoSession(t, "a used recovery code", h.SignInWith(noura, used), http.StatusUnauthorized, "wrong_second_factor")
			}
		}
		left := h.As(session, http.MethodGet, servicetest.FactorPath, "").Wants(t, http.StatusOK)["recovery_codes_left"]
		servicetest.Same(t, "recovery codes left", left, any(servicetest.Number(10-len(spelled))))
		// A recovery code belongs to its person.
		h.Enrol("sara@example.com")
		_, others, _ := h.AddFactor(h.SignedIn("sara@example.com"))
		wantNoSession(t, "a recovery code of another person", h.SignInWith(noura, others[0]), http.StatusUnauthorized, "wrong_second_factor")
		h.SignInWith("sara@example.com", others[0]).Wants(t, http.StatusOK)
	})
}

// The clock of the phone may be wrong by one period.
func TestK8_ClockOfThePhone(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		_, secret, _, _ := withFactor(h)
		for _, c := range []struct {
			wrong  time.Duration
			status int
		}{{-time.Minute, 401}, {-30 * time.Second, 200}, {0, 200}, {30 * time.Second, 200}, {time.Minute, 401}} {
			h.Clock.Advance(10 * time.Minute)
			got := h.SignInWith(noura, servicetest.OneTimeCode(t, secret, h.Clock.Now().Add(c.wrong)))
			servicetest.Same(t, fmt.Sprint("status with a clock wrong by ", c.wrong), got.Status, c.status)
		}
	})
}

// A new secret must be confirmed within one hour, and replaces the previous one.
func TestK8_SecondFactorWaitsOneHour(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		h.Enrol(noura)
		session := h.SignedIn(noura)
		start := func() string {
			t.Helper()
			return servicetest.Text(h.As(session, http.MethodPost, servicetest.FactorPath, `{"password":"`+servicetest.ClerkPassword+`"}`).Wants(t, http.StatusCreated)["secret"])
		}
		confirm := func(secret string) servicetest.Answer {
			t.Helper()
			return h.As(session, http.MethodPost, servicetest.FactorPath+"confirm/", `{"code":"`+servicetest.OneTimeCode(t, secret, h.Clock.Now())+`"}`)
		}
		wantCode(t, "no secret", confirm("AAAA"), http.StatusConflict, "second_factor_missing")
		late := start()
		h.Clock.Advance(time.Hour)
		wantCode(t, "an expired secret", confirm(late), http.StatusConflict, "second_factor_missing")
		replaced := start()
		secret := start()
		wantCode(t, "a replaced secret", confirm(replaced), http.StatusForbidden, "wrong_current_code")
		h.Clock.Advance(time.Hour - time.Second)
		confirm(secret).Wants(t, http.StatusOK)
	})
}

// No other way to a session goes round the second factor.
func TestK8_SecondFactorIsNotBypassed(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		p, secret, _, _ := withFactor(h)
		if token, err := h.Keys.OpenSession(t.Context(), p.ID); err == nil || token != "" {
			t.Errorf("OpenSession = %q, %v, want an error", token, err)
		}
		if _, err := h.Keys.Join(t.Context(), h.Operator(h.Organisation("Second", "business")), noura, org.Admin); err != nil {
			t.Fatal(err)
		}
		wantNoSession(t, "in another organisation", h.SignIn(noura, servicetest.ClerkPassword), http.StatusUnauthorized, "second_factor_required")
		for _, disabled := range []bool{true, false} {
			if err := h.Service.Store().DisablePerson(t.Context(), h.Operator(h.Org), p.ID, disabled); err != nil {
				t.Fatal(err)
			}
		}
		wantNoSession(t, "an account enabled again", h.SignIn(noura, servicetest.ClerkPassword), http.StatusUnauthorized, "second_factor_required")
		if err := h.Keys.ChangePassword(t.Context(), h.Operator(h.Org), noura, "another horse battery"); err != nil {
			t.Fatal(err)
		}
		wantNoSession(t, "a new password", h.SignIn(noura, "another horse battery"), http.StatusUnauthorized, "second_factor_required")
		// The operator removes a lost one.
		if err := h.Keys.ChangePassword(t.Context(), h.Operator(h.Org), noura, servicetest.ClerkPassword); err != nil {
			t.Fatal(err)
		}
		session := servicetest.Text(h.SignInWith(noura, code(h, secret)).Wants(t, http.StatusOK)["access_token"])
		if err := h.Keys.DropFactor(t.Context(), org.Operator(org.Tenant{}, "test"), noura); err != nil {
			t.Fatal(err)
		}
		servicetest.NoSession.Wants(t, "a session before the removal", h.As(session, http.MethodGet, servicetest.SessionPath, ""))
		h.SignedIn(noura)
	})
}

// Wrong codes are limited for the person, wherever they come from. A recovery code
// still works, and sign-ins without a code or with a right one are not counted.
func TestInterface_8_WrongCodesAreCountedByPerson(t *testing.T) {
	servicetest.OnSQLiteWith(t, func(c *server.Config) { c.Rates.SignInCode = server.Defaults().Rates.SignInCode; behindProxy(c) }, func(t *testing.T, h *servicetest.Instance) {
		_, secret, recovery, session := withFactor(h)
		h.SignInWith(noura, code(h, secret), via("203.0.113.7")).Wants(t, http.StatusOK)
		for n := range 10 {
			wantNoSession(t, "no code", h.SignIn(noura, servicetest.ClerkPassword), http.StatusUnauthorized, "second_factor_required")
			servicetest.WrongPassword.Wants(t, "a wrong password", h.Send(http.MethodPost, servicetest.SessionPath, servicetest.JSONBody(`{"email":"`+noura+`","password":"wrong horse battery","code":"123456"}`)))
			wantNoSession(t, fmt.Sprint("guess ", n), h.SignInWith(noura, wrongCode(h, secret), via(fmt.Sprint("198.51.100.", n))), http.StatusUnauthorized, "wrong_second_factor")
		}
		right := servicetest.OneTimeCode(t, secret, h.Clock.Now().Add(30*time.Second))
		if got := h.SignInWith(noura, right, via("203.0.113.7")); got.Status != http.StatusTooManyRequests {
			t.Errorf("after ten wrong codes: got %d %s, want 429", got.Status, got.Body)
		}
		body := servicetest.AsJSON(t, servicetest.Record{"password": servicetest.ClerkPassword, "code": right})
		if got := h.As(session, http.MethodPost, servicetest.FactorPath+"remove/", body); got.Status != http.StatusTooManyRequests {
			t.Errorf("removal after ten wrong codes: got %d %s, want 429", got.Status, got.Body)
		}
		h.SignInWith(noura, recovery[0], via("198.51.100.99")).Wants(t, http.StatusOK)
		h.Clock.Advance(time.Hour)
		h.SignInWith(noura, code(h, secret)).Wants(t, http.StatusOK)
	})
}

// A stolen session cannot be used to guess the password.
func TestInterface_8_PasswordEnteredAgainIsCounted(t *testing.T) {
	servicetest.OnSQLiteWith(t, func(c *server.Config) { c.Rates.SignInPair = 4 }, func(t *testing.T, h *servicetest.Instance) {
		h.Enrol(noura)
		session := h.SignedIn(noura)
		start := func(password string) servicetest.Answer {
			t.Helper()
			return h.As(session, http.MethodPost, servicetest.FactorPath, `{"password":"`+password+`"}`)
		}
		for n := range 4 {
			start(servicetest.ClerkPassword).Wants(t, http.StatusCreated)
			wantCode(t, fmt.Sprint("guess ", n), start("wrong horse battery"), http.StatusForbidden, "wrong_current_password")
		}
		servicetest.Throttled(t, start(servicetest.ClerkPassword), 4, 3600)
		servicetest.Throttled(t, h.SignIn(noura, servicetest.ClerkPassword), 4, 3600)
	})
}
