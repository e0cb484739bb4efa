package admin_test

import (
	"crypto/rand"
	"testing"

	"khatm/service/admin"
	"khatm/service/internal/account"
)

// signsIn reports whether a user can sign in with a password.
func signsIn(t *testing.T, d *installation, email, password string) bool {
	t.Helper()
	accounts := account.New(account.Config{Keeper: d.store, Now: d.clock.Now, NewID: d.config.NewID, Random: rand.Reader})
	_, _, err := accounts.SignIn(t.Context(), account.Credentials{Email: email, Password: password})
	return err == nil
}

func TestPasswords(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		o := d.organisation("Khatm Trading")
		const email = "noura@example.sa"
		made, generated, err := d.CreatePerson(t.Context(), o.ID.String(), admin.Person{Email: "Noura@Example.sa", Name: "نورة", Role: "Admin"}, "")
		if err != nil {
			t.Fatal(err)
		}
		if made.Email != email || !signsIn(t, d, email, generated) {
			t.Fatalf("created user = %s, want %s, who can sign in with the generated password", made.Email, email)
		}
		again := must[string](t)(d.SetPassword(t.Context(), email, ""))
		if again == generated || signsIn(t, d, email, generated) || !signsIn(t, d, email, again) {
			t.Error("the second generated password has not replaced the first, want only the second to work")
		}
		if none := must[string](t)(d.SetPassword(t.Context(), email, "correct horse battery")); none != "" {
			t.Errorf("SetPassword with a password returned %q, want no generated one", none)
		}
		if !signsIn(t, d, email, "correct horse battery") {
			t.Error("signing in with the given password failed, want success")
		}
		for _, disabled := range []bool{true, false} {
			if err := d.SetDisabled(t.Context(), " NOURA@example.sa", disabled); err != nil {
				t.Fatal(err)
			}
			if got := signsIn(t, d, email, "correct horse battery"); got == disabled {
				t.Errorf("disabled = %v: signs in = %v, want %v", disabled, got, !disabled)
			}
		}
	})
}

func TestJoinChangesTheRole(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		first, second := d.organisation("First"), d.organisation("Second")
		if _, _, err := d.CreatePerson(t.Context(), first.ID.String(), admin.Person{Email: "a@example.sa", Role: "Admin"}, ""); err != nil {
			t.Fatal(err)
		}
		for _, role := range []string{"ViewInvoice", "Accountant"} {
			must[admin.Person](t)(d.Join(t.Context(), second.ID.String(), "a@example.sa", role))
			people := must[[]admin.Person](t)(d.People(t.Context(), second.ID.String()))
			if len(people) != 1 || people[0].Role != role {
				t.Errorf("members of the second organisation = %+v, want one with the role %s", people, role)
			}
		}
		if people := must[[]admin.Person](t)(d.People(t.Context(), first.ID.String())); len(people) != 1 || people[0].Role != "Admin" {
			t.Errorf("members of the first organisation = %+v, want one with the role Admin", people)
		}
	})
}
