package ca_test

import (
	"encoding/base64"
	"sync"
	"testing"
	"time"

	"khatm/simulator/internal/ca"
)

func TestIssueRefuses(t *testing.T) {
	a := newAuthority(t)
	compliance := onboard(t, a, 1, noon)
	same, err := ca.ReadRequest(ca.Sandbox, good(1).request())
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.IssueCompliance(same, noon)
	wantCause(t, err, ca.KeyReused)
	_, err = a.IssueProduction(compliance.Credential, "1234567890123", noon)
	wantCause(t, err, ca.UnknownRequestID)
	production, err := a.IssueProduction(compliance.Credential, compliance.RequestID, noon)
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.IssueProduction(production.Credential, production.RequestID, noon)
	wantDenial(t, err, ca.OtherKind)
	_, err = a.Renew(compliance.Credential, same, noon)
	wantDenial(t, err, ca.OtherKind)
	_, err = a.IssueProduction(ca.Credential{}, "", noon)
	wantDenial(t, err, ca.UnknownToken)
	other := good(3)
	at(other.device, oidUID, "311111111100003")
	r, err := ca.ReadRequest(ca.Sandbox, other.request())
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.Renew(production.Credential, r, noon)
	wantCause(t, err, ca.OtherTaxpayer)
	onboard(t, a, 2, noon)
	taken, err := ca.ReadRequest(ca.Sandbox, good(2).request())
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.Renew(production.Credential, taken, noon)
	wantCause(t, err, ca.KeyReused)
}

func TestRenew(t *testing.T) {
	for name, seed := range map[string]byte{"old key": 1, "new key": 2} {
		t.Run(name, func(t *testing.T) {
			a := newAuthority(t)
			old := produce(t, a, 1, noon)
			r, err := ca.ReadRequest(ca.Sandbox, good(seed).request())
			if err != nil {
				t.Fatal(err)
			}
			renewed, err := a.Renew(old.Credential, r, noon.Add(time.Hour))
			if err != nil {
				t.Fatal(err)
			}
			_, err = a.Authenticate(ca.Sandbox, old.BinarySecurityToken, old.Secret, noon)
			wantDenial(t, err, ca.IsRevoked)
			if _, err := a.Authenticate(ca.Sandbox, renewed.BinarySecurityToken, renewed.Secret, noon); err != nil {
				t.Error(err)
			}
			_, err = a.Renew(old.Credential, r, noon)
			wantDenial(t, err, ca.IsRevoked)
		})
	}
}

func TestRenewByChecks(t *testing.T) {
	a := newAuthority(t)
	old := produce(t, a, 1, noon)
	r, err := ca.ReadRequest(ca.Sandbox, good(2).request())
	if err != nil {
		t.Fatal(err)
	}
	again, err := a.RenewByChecks(old.Credential, r, noon)
	if err != nil || again.Kind != ca.ComplianceCSID {
		t.Fatalf("RenewByChecks returned %+v (error: %v), want a compliance certificate", again, err)
	}
	if _, err := a.Authenticate(ca.Sandbox, old.BinarySecurityToken, old.Secret, noon); err != nil {
		t.Errorf("old certificate during the checks: got %v, want no error", err)
	}
	a = restored(t, a) // the certificate being replaced is restored too
	if _, err := a.IssueProduction(again.Credential, again.RequestID, noon); err != nil {
		t.Fatal(err)
	}
	_, err = a.Authenticate(ca.Sandbox, old.BinarySecurityToken, old.Secret, noon)
	wantDenial(t, err, ca.IsRevoked)
}

func TestAuthenticate(t *testing.T) {
	a := newAuthority(t)
	issued := produce(t, a, 1, noon)
	got, err := a.Authenticate(ca.Sandbox, issued.BinarySecurityToken, issued.Secret, noon)
	if err != nil || got.Kind != ca.ProductionCSID || got.Token() != issued.BinarySecurityToken {
		t.Fatalf("Authenticate returned %+v (error: %v), want the production credential", got, err)
	}
	once, err := base64.StdEncoding.DecodeString(issued.BinarySecurityToken)
	if err != nil {
		t.Fatal(err)
	}
	last := issued.Certificate.NotAfter
	for _, c := range []struct {
		name          string
		environment   ca.Environment
		token, secret string
		now           time.Time
		want          ca.Denial
	}{
		{"no token", ca.Sandbox, "", "", noon, ca.UnknownToken},
		{"token decoded", ca.Sandbox, string(once), issued.Secret, noon, ca.UnknownToken},
		{"token encoded again", ca.Sandbox, base64.StdEncoding.EncodeToString([]byte(issued.BinarySecurityToken)), issued.Secret, noon, ca.UnknownToken},
		{"token with a space", ca.Sandbox, issued.BinarySecurityToken + " ", issued.Secret, noon, ca.UnknownToken},
		{"no secret", ca.Sandbox, issued.BinarySecurityToken, "", noon, ca.WrongSecret},
		{"wrong secret", ca.Sandbox, issued.BinarySecurityToken, issued.Secret[1:] + "A", noon, ca.WrongSecret},
		{"simulation", ca.Simulation, issued.BinarySecurityToken, issued.Secret, noon, ca.OtherEnvironment},
		{"production", ca.Production, issued.BinarySecurityToken, issued.Secret, noon, ca.OtherEnvironment},
		{"expired", ca.Sandbox, issued.BinarySecurityToken, issued.Secret, last.Add(time.Second), ca.Expired},
		{"last second", ca.Sandbox, issued.BinarySecurityToken, issued.Secret, last, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := a.Authenticate(c.environment, c.token, c.secret, c.now)
			if c.want == "" && err == nil {
				return
			}
			wantDenial(t, err, c.want)
		})
	}
	if err := a.Revoke(got, noon); err != nil {
		t.Fatal(err)
	}
	_, err = a.Authenticate(ca.Sandbox, issued.BinarySecurityToken, issued.Secret, noon)
	wantDenial(t, err, ca.IsRevoked)
	if err := a.Revoke(ca.Credential{}, noon); err == nil {
		t.Error("Revoke of an unknown credential succeeded, want an error")
	}
}

func TestManyAtOnce(t *testing.T) {
	a := newAuthority(t)
	document := standard(t)
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			issued := produce(t, a, byte(i), noon)
			if _, err := a.Authenticate(ca.Sandbox, issued.BinarySecurityToken, issued.Secret, noon); err != nil {
				t.Error(err)
			}
			// In half of the goroutines the certificate of the stamp has expired.
			if _, err := a.Clear(document, noon.AddDate(6*(i%2), 0, 0)); err != nil {
				t.Error(err)
			}
			if _, err := a.Export(); err != nil {
				t.Error(err)
			}
			a.Credentials()
		})
	}
	wait.Wait()
	seen := map[string]bool{}
	for _, c := range a.Credentials() {
		seen[c.RequestID] = true
	}
	if len(seen) != 32 {
		t.Errorf("%d different request IDs, want 32", len(seen))
	}
}
