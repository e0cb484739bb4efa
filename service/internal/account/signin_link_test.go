package account_test

import (
	"strings"
	"sync"
	"testing"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

func (r fixture) signInLink(t *testing.T, email string) string {
	t.Helper()
	token, expires, err := r.NewSignIn(t.Context(), org.Operator(org.Tenant{}, "test"), email)
	if err != nil {
		t.Fatal(err)
	}
	if want := r.clock.Now().Add(account.SignInLife); !expires.Equal(want) {
		t.Errorf("the link expires at %s, want %s", expires, want)
	}
	return token
}

// Of concurrent uses of a link one opens a session. The others get the error of an
// unknown link.
func TestK8_SignInLinkWorksOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		r, _ := mailing(t, c)
		p := r.noura(t)
		token := r.signInLink(t, " Noura@Example.SA ")
		sessions, errs := make([]string, 20), make([]error, 20)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { sessions[i], errs[i] = r.UseSignIn(t.Context(), org.Actor{}, token) })
		}
		all.Wait()
		used := 0
		for i, err := range errs {
			if err != nil {
				wantFault(t, err, fault.NotFound, "link_not_available")
				continue
			}
			used++
			if v, err := r.Session(t.Context(), sessions[i]); err != nil || v.Person.ID != p.ID {
				t.Errorf("session = %+v, %v, want one of %s", v.Person, err, p.Email)
			}
		}
		if used != 1 {
			t.Errorf("%d uses of the link succeeded, want one", used)
		}
	})
}

// Links that are unknown, have expired, were replaced or are for another purpose do
// not sign in, and neither does one of a person whose password changed or who was
// disabled. All get the same error.
func TestK8_SignInLinkThatDoesNotWork(t *testing.T) {
	t.Parallel()
	r, _ := mailing(t, storetest.SQLite(t))
	p := r.noura(t)
	dead := func(what, token string) {
		t.Helper()
		session, err := r.UseSignIn(t.Context(), org.Actor{}, token)
		wantFault(t, err, fault.NotFound, "link_not_available")
		if session != "" || err == nil || err.Error() != account.ErrLink().Error() {
			t.Errorf("%s: session %q, error %v, want the error of an unknown link", what, session, err)
		}
	}
	dead("unknown link", strings.Repeat("A", 43))
	dead("empty token", "")

	late := r.signInLink(t, p.Email)
	r.clock.Advance(account.SignInLife)
	dead("expired link", late)

	replaced := r.signInLink(t, p.Email)
	r.signInLink(t, p.Email)
	dead("replaced link", replaced)

	r.reset(t, p.Email)
	password := r.tokenOf(t, "password")
	dead("link for a new password", password)
	other := r.signInLink(t, p.Email)
	err := r.UseReset(t.Context(), org.Actor{}, other, newPassword)
	wantFault(t, err, fault.NotFound, "link_not_available")

	if err := r.UseReset(t.Context(), org.Actor{}, password, newPassword); err != nil {
		t.Fatal(err)
	}
	dead("link from before the new password", other)

	last := r.signInLink(t, p.Email)
	if err := r.store.DisablePerson(t.Context(), r.by, p.ID, true); err != nil {
		t.Fatal(err)
	}
	dead("link of a disabled account", last)
	for _, email := range []string{p.Email, "nobody@example.sa"} {
		_, _, err := r.NewSignIn(t.Context(), r.by, email)
		wantFault(t, err, fault.NotFound, "")
	}
}
