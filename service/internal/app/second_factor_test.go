package app_test

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/hex"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/servicetest"
	"khatm/service/internal/store"
	"khatm/service/internal/vault"
)

// The secret of a second factor and the recovery codes are in one response each, and
// neither in the log, the metrics nor the database.
func TestK2_SecondFactorIsNotStoredInPlainText(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		const email = "noura@example.com"
		h.Enrol(email)
		secret, recovery, session := h.AddFactor(h.SignedIn(email))
		raw, err := base32.StdEncoding.DecodeString(secret)
		if err != nil {
			t.Fatal(err)
		}
		hidden := servicetest.Secrets{"the secret": secret, "the bytes of the secret": string(raw), "the secret in hexadecimal": hex.EncodeToString(raw)}
		for _, one := range recovery {
			hidden["recovery code "+one] = one
			hidden["recovery code without hyphens "+one] = strings.ReplaceAll(one, "-", "")
		}
		wrong := servicetest.AsJSON(t, servicetest.Record{"password": servicetest.ClerkPassword, "code": "no code"})
		h.Clock.Advance(time.Minute)
		code := servicetest.OneTimeCode(t, secret, h.Clock.Now())
		for what, a := range map[string]servicetest.Answer{
			"a sign-in":              h.SignInWith(email, code),
			"a replay":               h.SignInWith(email, code),
			"a recovery":             h.SignInWith(email, recovery[0]),
			"its replay":             h.SignInWith(email, recovery[0]),
			"the state":              h.As(session, http.MethodGet, servicetest.FactorPath, ""),
			"a wrong removal":        h.As(session, http.MethodPost, servicetest.FactorPath+"remove/", wrong),
			"wrong codes":            h.As(session, http.MethodPost, servicetest.FactorPath+"recovery-codes/", wrong),
			"the start of another":   h.As(session, http.MethodPost, servicetest.FactorPath, `{"password":"`+servicetest.ClerkPassword+`"}`),
			"an unneeded activation": h.As(session, http.MethodPost, servicetest.FactorPath+"confirm/", `{"code":"`+code+`"}`),
		} {
			hidden.WantNone(t, "the response to "+what, a.Body)
		}
		stolen := h.CopyDatabase()
		hidden.WantNone(t, "the database", stolen)
		if !strings.Contains(stolen, "second_factor.add") {
			t.Error("the copy does not contain the trail, so the search for secrets proves nothing")
		}
		h.HTTP.Close() // waits for the last log lines
		hidden.WantNone(t, "the log", h.Log.String())
		hidden.WantNone(t, "/metrics", h.Ask("/metrics").Body)
	})
}

// Codes still work after the master key was rotated and the old one removed.
func TestK2_SecondFactorSurvivesRotation(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		const email = "noura@example.com"
		h.Enrol(email)
		secret, _, _ := h.AddFactor(h.SignedIn(email))
		ring, err := vault.Load(vault.Config{File: filepath.Join(h.Data, "master.key"), Random: rand.Reader, Now: h.Clock.Now})
		if err != nil {
			t.Fatal(err)
		}
		old := ring.Keys()[0].ID
		if _, err := ring.Rotate(); err != nil {
			t.Fatal(err)
		}
		_, changed, err := h.Service.Store().RewrapSecrets(t.Context(), func(one store.Secret) ([]byte, bool, error) { return ring.Rewrap(one.Purpose, one.Owner, one.Sealed) })
		if err != nil || changed != 1 {
			t.Fatalf("%d secrets were moved to the new key, %v, want 1", changed, err)
		}
		if err := ring.Retire(old); err != nil {
			t.Fatal(err)
		}
		h.Clock.Advance(time.Minute)
		h.SignInWith(email, servicetest.OneTimeCode(t, secret, h.Clock.Now())).Wants(t, http.StatusOK)
	})
}
