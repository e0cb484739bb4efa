package account_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/vault"
)

const baseURL = "https://khatm.example.sa"

var masterKey = base64.StdEncoding.EncodeToString(make([]byte, 32))

// counting is a vault that counts the texts it has encrypted.
type counting struct {
	*vault.Ring
	sealed *int
}

func (c counting) Seal(purpose, owner string, text []byte) ([]byte, error) {
	*c.sealed++
	return c.Ring.Seal(purpose, owner, text)
}

// mailing returns Accounts that write e-mails, and the number of e-mails they have
// encrypted.
func mailing(t *testing.T, c store.Config) (r fixture, sealed *int) {
	t.Helper()
	r = newFixture(t, c, rand.Reader)
	sealed = new(int)
	ring, err := vault.Load(vault.Config{Keys: vault.NewSecret([]byte(masterKey)), Random: rand.Reader, Now: r.clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	r.vault = ring
	r.Accounts = account.New(account.Config{
		Keeper: r.store, Now: r.clock.Now, NewID: c.NewID, Random: rand.Reader, Cost: account.Cost{Memory: 64, Passes: 1, Lanes: 1},
		Vault: counting{ring, sealed}, URL: baseURL,
	})
	return r, sealed
}

// letters returns the queued e-mails, newest first, and their texts.
func (r fixture) letters(t *testing.T) (all []mail.Letter, texts []mail.Text) {
	t.Helper()
	found, err := r.store.AllLetters(t.Context(), org.Page{Size: 100, Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range found.Rows {
		if l.Sealed == nil {
			continue
		}
		text, err := mail.Open(r.vault, l)
		if err != nil {
			t.Fatal(err)
		}
		all, texts = append(all, l), append(texts, text)
	}
	return all, texts
}

var linkIn = regexp.MustCompile(regexp.QuoteMeta(baseURL) + `/(\w+)#(\S+)\n`)

// tokenOf returns the token in the newest e-mail.
func (r fixture) tokenOf(t *testing.T, page string) string {
	t.Helper()
	_, texts := r.letters(t)
	if len(texts) == 0 {
		t.Fatal("no e-mail is queued")
	}
	found := linkIn.FindStringSubmatch(texts[0].Body)
	if found == nil || found[1] != page {
		t.Fatalf("the e-mail has no link to /%s:\n%s", page, texts[0].Body)
	}
	return found[2]
}

func (r fixture) reset(t *testing.T, email string) {
	t.Helper()
	email, err := account.ParseEmail(email)
	if err != nil {
		t.Fatal(err)
	}
	r.resetIn(t, email, "en")
}

// resetIn requests a new password with an e-mail in a language, and answers the
// request.
func (r fixture) resetIn(t *testing.T, email, language string) {
	t.Helper()
	if err := r.AskReset(t.Context(), account.Reset{Email: email, Language: language}); err != nil {
		t.Fatal(err)
	}
	if err := r.SendResets(t.Context()); err != nil {
		t.Fatal(err)
	}
}

const (
	oldPassword = "correct horse battery"
	newPassword = "another horse battery"
)

// noura adds a person with oldPassword.
func (r fixture) noura(t *testing.T) org.Person {
	t.Helper()
	p, err := r.AddPerson(t.Context(), r.by, "noura@example.sa", "Noura", oldPassword, org.Admin)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Of concurrent uses of a link one succeeds. It ends all sessions and opens none.
func TestK8_ResetLinkWorksOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		r, _ := mailing(t, c)
		p := r.noura(t)
		session, err := r.OpenSession(t.Context(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		r.reset(t, " Noura@Example.SA ")
		token := r.tokenOf(t, "password")
		err = r.UseReset(t.Context(), org.Actor{}, token, "short")
		wantFault(t, err, fault.Invalid, "")
		if _, err := r.Session(t.Context(), session); err != nil {
			t.Errorf("session after a refused use of the link: %v", err)
		}
		errs := make([]error, 20)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { errs[i] = r.UseReset(t.Context(), org.Actor{}, token, newPassword) })
		}
		all.Wait()
		used := 0
		for _, err := range errs {
			if err == nil {
				used++
				continue
			}
			wantFault(t, err, fault.NotFound, "link_not_available")
		}
		if used != 1 {
			t.Errorf("%d uses of the link succeeded, want one", used)
		}
		_, err = r.Session(t.Context(), session)
		wantFault(t, err, fault.Unauthenticated, "session_expired")
		_, _, err = r.SignIn(t.Context(), account.Credentials{Email: p.Email, Password: oldPassword})
		wantFault(t, err, fault.Unauthenticated, "wrong_password")
		if _, _, err := r.SignIn(t.Context(), account.Credentials{Email: p.Email, Password: newPassword}); err != nil {
			t.Error(err)
		}
		if queued, _ := r.letters(t); len(queued) != 0 {
			t.Errorf("%d e-mails are queued after the link was used, want none", len(queued))
		}
	})
}

// Unknown, replaced, expired, used and stolen links, and those of disabled accounts,
// get the same error.
func TestK8_ResetLinksThatDoNotWorkAreAlike(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		r, _ := mailing(t, c)
		p := r.noura(t)
		link := func() string { r.reset(t, p.Email); return r.tokenOf(t, "password") }
		var told []string
		refused := func(what, token string) {
			t.Helper()
			for _, password := range []string{newPassword, "short"} {
				err := r.UseReset(t.Context(), org.Actor{}, token, password)
				if err == nil {
					t.Fatalf("%s: link works", what)
				}
				wantFault(t, err, fault.NotFound, "link_not_available")
				told = append(told, err.Error())
			}
		}
		refused("unknown", strings.Repeat("A", 43))
		replaced := link()
		expired := link()
		refused("replaced", replaced)
		r.clock.Advance(account.ResetLife)
		refused("expired", expired)
		used := link()
		if err := r.UseReset(t.Context(), org.Actor{}, used, newPassword); err != nil {
			t.Fatal(err)
		}
		refused("used", used)
		stolen := link()
		if err := r.ChangePassword(t.Context(), r.by, p.Email, oldPassword); err != nil {
			t.Fatal(err)
		}
		refused("from before a change of the password", stolen)
		disabled := link()
		if err := r.store.DisablePerson(t.Context(), r.by, p.ID, true); err != nil {
			t.Fatal(err)
		}
		refused("of a disabled account", disabled)
		if err := r.store.DisablePerson(t.Context(), r.by, p.ID, false); err != nil {
			t.Fatal(err)
		}
		refused("of an account that was disabled", disabled)
		for _, one := range told {
			if one != told[0] {
				t.Errorf("error %q differs from %q", one, told[0])
			}
		}
	})
}

// For unknown and disabled accounts the same work is done, but nothing stays stored.
func TestK8_ResetOfUnknownAccounts(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		r, sealed := mailing(t, c)
		p := r.noura(t)
		if err := r.store.DisablePerson(t.Context(), r.by, p.ID, true); err != nil {
			t.Fatal(err)
		}
		for n, email := range []string{"unknown@example.sa", p.Email} {
			r.reset(t, email)
			if *sealed != n+1 {
				t.Errorf("%s: %d e-mails were written, want one each", email, *sealed)
			}
		}
		if queued, _ := r.letters(t); len(queued) != 0 {
			t.Errorf("%d e-mails are queued, want none", len(queued))
		}
		if waiting, err := r.store.Resets(t.Context()); err != nil || len(waiting) != 0 {
			t.Errorf("%d requests are stored (%v), want none", len(waiting), err)
		}
	})
}

// A request that was stored before the server ended is answered by the next one, once,
// unless that is too late.
func TestK8_ResetRequestOutlivesTheServer(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		r, _ := mailing(t, c)
		p := r.noura(t)
		ask := func() {
			t.Helper()
			if err := r.AskReset(t.Context(), account.Reset{Email: p.Email, Language: "en"}); err != nil {
				t.Fatal(err)
			}
			if queued, _ := r.letters(t); len(queued) != 0 {
				t.Errorf("%d e-mails are queued before the request is answered", len(queued))
			}
			r.store.Close()
			r.store = storetest.Open(t, c)
			r.Accounts = account.New(account.Config{
				Keeper: r.store, Now: r.clock.Now, NewID: c.NewID, Random: rand.Reader, Cost: account.Cost{Memory: 64, Passes: 1, Lanes: 1}, Vault: r.vault, URL: baseURL,
			})
		}
		answer := func(letters int) {
			t.Helper()
			for range 2 {
				if err := r.SendResets(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if all, err := r.store.AllLetters(t.Context(), org.Page{Size: 9, Number: 1}); err != nil || all.Total != letters {
				t.Errorf("%d e-mails were written (%v), want %d", all.Total, err, letters)
			}
		}
		ask()
		answer(1)
		if err := r.UseReset(t.Context(), org.Actor{}, r.tokenOf(t, "password"), newPassword); err != nil {
			t.Fatal(err)
		}
		ask()
		r.clock.Advance(account.ResetLife)
		answer(1)
	})
}

// lookups is a store that counts the accounts that are looked up.
type lookups struct {
	*store.Store
	n *int
}

func (l lookups) PersonByEmail(ctx context.Context, email string) (org.Person, string, error) {
	*l.n++
	return l.Store.PersonByEmail(ctx, email)
}

// A request for a new password stores one row and computes no hash. It looks up no
// account.
func TestK8_ResetRequestLooksUpNoAccount(t *testing.T) {
	onSQLite(t, func(t *testing.T, r fixture) {
		p := r.noura(t)
		n := 0
		asked := account.New(account.Config{Keeper: lookups{r.store, &n}, Now: r.clock.Now, NewID: uuid.New, Random: rand.Reader})
		for stored, email := range []string{p.Email, "unknown@example.sa"} {
			if err := asked.AskReset(t.Context(), account.Reset{Email: email, Language: "en"}); err != nil {
				t.Fatal(err)
			}
			waiting, err := r.store.Resets(t.Context())
			if err != nil || len(waiting) != stored+1 || n != 0 || asked.Hashes() != 0 {
				t.Errorf("%s: %d requests (%v), %d lookups, %d hashes; want %d, 0, 0", email, len(waiting), err, n, asked.Hashes(), stored+1)
			}
		}
	})
}

func TestResetLetters(t *testing.T) {
	onSQLite(t, func(t *testing.T, _ fixture) {
		r, _ := mailing(t, storetest.SQLite(t))
		p := r.noura(t)
		for language, says := range map[string][]string{
			"en": {"new password", "one hour", "If you did not request"},
			"ar": {"كلمة مرور جديدة", "لمدة ساعة", "إذا لم تطلبوا"},
		} {
			r.resetIn(t, p.Email, language)
			all, texts := r.letters(t)
			if len(all) != 1 {
				t.Fatalf("%d e-mails are queued, want only the newest", len(all))
			}
			l, text := all[0], texts[0]
			if l.To != p.Email || l.Language != language || l.About != account.AboutPassword || !l.Of.IsZero() || !l.Expires.Equal(r.clock.Now().Add(time.Hour)) {
				t.Errorf("e-mail = %+v", l)
			}
			for _, one := range says {
				if !strings.Contains(text.Subject+text.Body, one) {
					t.Errorf("%s: e-mail lacks %q:\n%s", language, one, text.Body)
				}
			}
			if strings.Contains(text.Body, "%") || strings.ContainsAny(text.Subject, "#\n") {
				t.Errorf("%s: e-mail has a placeholder, or its subject a link:\n%s\n%s", language, text.Subject, text.Body)
			}
		}
	})
}

// A person who replaces the password needs the current one. All sessions end but
// the new one.
func TestK8_ReplacedPasswordEndsAllSessions(t *testing.T) {
	each(t, func(t *testing.T, r fixture) {
		p := r.noura(t)
		self := org.Actor{Kind: org.PersonActor, ID: p.ID, Name: p.Email}
		session, err := r.OpenSession(t.Context(), p.ID)
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.ReplacePassword(t.Context(), self, "wrong", newPassword, "")
		wantFault(t, err, fault.Forbidden, "wrong_current_password")
		_, err = r.ReplacePassword(t.Context(), self, oldPassword, "short", "")
		var wrong *fault.Error
		if !errors.As(err, &wrong) || len(wrong.Problems) != 1 || wrong.Problems[0].Path != "new_password" {
			t.Errorf("short password: %v, want a problem of new_password", err)
		}
		if _, err := r.Session(t.Context(), session); err != nil {
			t.Error(err)
		}
		fresh, err := r.ReplacePassword(t.Context(), self, oldPassword, newPassword, "203.0.113.0")
		if err != nil || fresh == session {
			t.Fatalf("session = %q, %v, want a new one", fresh, err)
		}
		_, err = r.Session(t.Context(), session)
		wantFault(t, err, fault.Unauthenticated, "session_expired")
		if _, err := r.Session(t.Context(), fresh); err != nil {
			t.Error(err)
		}
		if _, _, err := r.SignIn(t.Context(), account.Credentials{Email: p.Email, Password: newPassword}); err != nil {
			t.Error(err)
		}
	})
}
