package account_test

import (
	"strings"
	"testing"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// Unknown, replaced, revoked, expired and used invitations, and links of another
// purpose, get the same error.
func TestK8_InvitationsThatDoNotWorkAreAlike(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		r, _ := mailing(t, c)
		p := r.noura(t)
		self := org.Actor{Kind: org.PersonActor, ID: p.ID, Name: p.Email}
		invite := func(email string) (token string, link account.AccessLink) {
			t.Helper()
			link, err := r.Invite(t.Context(), r.by, email, org.Accountant, "en")
			if err != nil {
				t.Fatal(err)
			}
			return r.tokenOf(t, "invitation"), link
		}
		var told []string
		refused := func(what, token string) {
			t.Helper()
			_, read := r.ReadInvitation(t.Context(), token)
			_, accepted := r.AcceptInvitation(t.Context(), org.Actor{}, token, "Sara", "short")
			for _, err := range []error{read, accepted, r.JoinInvitation(t.Context(), self, token)} {
				if err == nil {
					t.Fatalf("%s: link works", what)
				}
				wantFault(t, err, fault.NotFound, "link_not_available")
				told = append(told, err.Error())
			}
		}
		refused("unknown", strings.Repeat("A", 43))
		r.reset(t, p.Email)
		reset := r.tokenOf(t, "password")
		refused("of another purpose", reset)
		replaced, _ := invite("sara@example.sa")
		revoked, link := invite(" Sara@Example.SA ")
		refused("replaced", replaced)
		wantFault(t, r.UseReset(t.Context(), org.Actor{}, revoked, newPassword), fault.NotFound, "link_not_available")
		if err := r.RevokeInvitation(t.Context(), r.by, link.ID); err != nil {
			t.Fatal(err)
		}
		refused("revoked", revoked)
		wantFault(t, r.RevokeInvitation(t.Context(), r.by, link.ID), fault.NotFound, "invitation_not_found")
		expired, _ := invite("sara@example.sa")
		r.clock.Advance(account.InvitationLife)
		refused("expired", expired)
		used, _ := invite("sara@example.sa")
		session, err := r.AcceptInvitation(t.Context(), org.Actor{}, used, "Sara", newPassword)
		if err != nil {
			t.Fatal(err)
		}
		v, err := r.Session(t.Context(), session)
		if err != nil || v.Person.Email != "sara@example.sa" || len(v.Memberships) != 1 || v.Memberships[0].Role != org.Accountant {
			t.Errorf("session = %+v, %v, want an Accountant", v, err)
		}
		refused("used", used)
		for _, one := range told {
			if one != told[0] {
				t.Errorf("error %q differs from %q", one, told[0])
			}
		}
	})
}

// A stolen invitation gives nothing to another account, and creates no second
// account for an address that has one.
func TestK8_InvitationOfAnotherPerson(t *testing.T) {
	t.Parallel()
	r, _ := mailing(t, storetest.SQLite(t))
	p := r.noura(t)
	sara, err := r.AddPerson(t.Context(), org.Operator(org.Tenant{}, "test"), "sara@example.sa", "Sara", oldPassword, org.Admin)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Invite(t.Context(), r.by, sara.Email, org.ViewInvoice, "ar"); err != nil {
		t.Fatal(err)
	}
	token := r.tokenOf(t, "invitation")
	wantFault(t, r.JoinInvitation(t.Context(), org.Actor{Kind: org.PersonActor, ID: p.ID, Name: p.Email}, token), fault.Forbidden, "permission_denied")
	_, err = r.AcceptInvitation(t.Context(), org.Actor{}, token, "Thief", newPassword)
	wantFault(t, err, fault.AlreadyExists.Kind(), "already_exists")
	if _, _, err := r.SignIn(t.Context(), account.Credentials{Email: sara.Email, Password: oldPassword}); err != nil {
		t.Error("the password has changed: ", err)
	}
	if err := r.JoinInvitation(t.Context(), org.Actor{Kind: org.PersonActor, ID: sara.ID, Name: sara.Email}, token); err != nil {
		t.Error(err)
	}
	_, err = r.Invite(t.Context(), r.by, sara.Email, org.Admin, "ar")
	wantFault(t, err, fault.Conflict, "already_member")
}

// The e-mails name the organisation and the role in their language.
func TestInvitationLetters(t *testing.T) {
	t.Parallel()
	r, _ := mailing(t, storetest.SQLite(t))
	for language, says := range map[string][]string{
		"en": {"Khatm Trading", "Accountant", "7 days"},
		"ar": {"شركة ختم", "محاسب", "7 أيام"},
	} {
		if _, err := r.Invite(t.Context(), r.by, "sara@example.sa", org.Accountant, language); err != nil {
			t.Fatal(err)
		}
		all, texts := r.letters(t)
		if len(all) != 1 || all[0].Of != r.by.Tenant || all[0].To != "sara@example.sa" || all[0].About != account.AboutInvitation {
			t.Fatalf("e-mails = %+v, want one of the organisation", all)
		}
		for _, one := range says {
			if !strings.Contains(texts[0].Body, one) {
				t.Errorf("%s: e-mail lacks %q:\n%s", language, one, texts[0].Body)
			}
		}
		if strings.Contains(texts[0].Subject+texts[0].Body, "%") || !strings.Contains(texts[0].Subject, says[0]) {
			t.Errorf("%s: subject %q, want the organisation and no placeholder", language, texts[0].Subject)
		}
	}
	for _, email := range []string{"sara", "سارة@example.sa", "a@b.example, c@d.example"} {
		_, err := r.Invite(t.Context(), r.by, email, org.Accountant, "en")
		wantFault(t, err, fault.Invalid, "")
	}
	_, err := r.Invite(t.Context(), r.by, "sara@example.sa", "King", "en")
	wantFault(t, err, fault.Invalid, "")
}
