package app_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// openSignUp lets everyone sign up. The mail server does not answer, so that e-mails
// stay in the queue.
func openSignUp(c *server.Config) {
	c.SignUp, c.SMTP, c.MailFrom = "open", server.NewSecret("smtp://127.0.0.1:1"), servicetest.MailFrom
}

func askSignUp(h *servicetest.Instance, email string) servicetest.Answer {
	h.TB.Helper()
	return h.Send(http.MethodPost, servicetest.SignUpPath, servicetest.JSONBody(servicetest.AsJSON(h.TB, servicetest.Record{"email": email, "language": "en"})))
}

func completeSignUp(h *servicetest.Instance, token string, more ...func(*http.Request)) servicetest.Answer {
	h.TB.Helper()
	body := servicetest.JSONBody(servicetest.AsJSON(h.TB, servicetest.SignUpBody(token)))
	return h.Send(http.MethodPost, servicetest.SignUpPath+"complete/", append([]func(*http.Request){body}, more...)...)
}

// A link in an e-mail creates an account and an organisation, once.
func TestK8_SignUpOverHTTP(t *testing.T) {
	servicetest.EachEngineWith(t, openSignUp, func(t *testing.T, h *servicetest.Instance) {
		servicetest.Same(t, "signup", h.As("", http.MethodGet, servicetest.SetUpPath, "").Wants(t, http.StatusOK)["signup"], any("open"))
		askSignUp(h, "Sara@Example.sa").Wants(t, http.StatusAccepted)
		first := h.TokenTo("sara@example.sa")
		h.Clock.Advance(time.Minute)
		askSignUp(h, "sara@example.sa").Wants(t, http.StatusAccepted)
		token := h.TokenTo("sara@example.sa")
		servicetest.Same(t, "queued e-mails", len(h.LettersTo("sara@example.sa")), 1)
		servicetest.NoAccessLink.Wants(t, "a replaced link", completeSignUp(h, first))
		servicetest.NoAccessLink.Wants(t, "an unknown link", completeSignUp(h, strings.Repeat("A", 43)))
		servicetest.OtherSite.Wants(t, "another site", completeSignUp(h, token, servicetest.Header("Origin", "https://evil.example")))
		servicetest.Same(t, "status of text/plain", completeSignUp(h, token, servicetest.Header("Content-Type", "text/plain")).Status, http.StatusBadRequest)
		weak := h.Send(http.MethodPost, servicetest.SignUpPath+"complete/", servicetest.JSONBody(strings.Replace(servicetest.AsJSON(t, servicetest.SignUpBody(token)), servicetest.ClerkPassword, "short", 1)))
		if weak.Status != http.StatusBadRequest || !strings.Contains(weak.Body, "account.password: ") {
			t.Errorf("short password: got %d %s, want 400 naming account.password", weak.Status, weak.Body)
		}
		// Of several requests with the link, one succeeds.
		statuses := make(chan int, 8)
		var all sync.WaitGroup
		session := ""
		var once sync.Mutex
		for range cap(statuses) {
			all.Go(func() {
				got := completeSignUp(h, token)
				statuses <- got.Status
				if got.Status == http.StatusCreated {
					once.Lock()
					defer once.Unlock()
					session = servicetest.Text(got.JSON(t)["access_token"])
				}
			})
		}
		all.Wait()
		close(statuses)
		count := map[int]int{}
		for status := range statuses {
			count[status]++
		}
		servicetest.Same(t, "statuses", count, map[int]int{http.StatusCreated: 1, http.StatusNotFound: 7})
		servicetest.NoAccessLink.Wants(t, "a used link", completeSignUp(h, token))
		h.SignIn("sara@example.sa", servicetest.ClerkPassword).Wants(t, http.StatusOK)
		company := h.As(session, http.MethodGet, "/app/api/company/", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "name of the organisation", company["name"], any("Khatm Trading"))
		servicetest.Same(t, "plan of the organisation", company["plan"], any(org.FreePlan))
		servicetest.Same(t, "e-mails in the outbox of the organisation", h.As(session, http.MethodGet, servicetest.OutboxPath, "").Wants(t, http.StatusOK)["total"], any(servicetest.Number(0)))
		if strings.Contains(h.Log.String(), token) {
			t.Error("the log contains the token")
		}
	})
}

// A link that expired, and one whose address got an account meanwhile, do not work.
func TestK8_SignUpLinkEnds(t *testing.T) {
	servicetest.MostlySQLiteWith(t, openSignUp, func(t *testing.T, h *servicetest.Instance) {
		askSignUp(h, "late@example.sa").Wants(t, http.StatusAccepted)
		askSignUp(h, "invited@example.sa").Wants(t, http.StatusAccepted)
		late, invited := h.TokenTo("late@example.sa"), h.TokenTo("invited@example.sa")
		h.Enrol("invited@example.sa")
		wantCode(t, "an address with an account", completeSignUp(h, invited), http.StatusBadRequest, "already_exists")
		h.Clock.Advance(account.SignUpLife)
		servicetest.NoAccessLink.Wants(t, "an expired link", completeSignUp(h, late))
	})
}

// Concurrent requests for an address leave one link that works. If it is used several
// times at once, and the operator creates the same account meanwhile, there is one
// account and at most one new organisation.
func TestK8_SignUpsAtOnceCreateOneAccount(t *testing.T) {
	servicetest.EachEngineWith(t, openSignUp, func(t *testing.T, h *servicetest.Instance) {
		const email = "sara@example.sa"
		atOnce := func(n int, do func(i int)) {
			var all sync.WaitGroup
			for i := range n {
				all.Go(func() { do(i) })
			}
			all.Wait()
		}
		atOnce(account.DaySignUps+3, func(int) {
			if got := askSignUp(h, email); got.Status != http.StatusAccepted {
				t.Errorf("sign-up: got %d %s, want 202", got.Status, got.Body)
			}
		})
		servicetest.Same(t, "e-mails", h.Count(`SELECT count(*) FROM letter`), account.DaySignUps)
		servicetest.Same(t, "links that work", h.Count(`SELECT count(*) FROM access_link WHERE revoked_at IS NULL`), 1)
		token, before := h.TokenTo(email), h.Count(`SELECT count(*) FROM organisation`)
		var created atomic.Int32
		atOnce(6, func(i int) {
			if i == 0 {
				_, err := h.Keys.AddPerson(t.Context(), h.Operator(h.Org), email, "Sara", servicetest.ClerkPassword, org.Admin)
				if err != nil && fault.CodeOf(err) != fault.AlreadyExists {
					t.Errorf("account created by the operator: %v, want success or a refusal", err)
				}
				return
			}
			got := completeSignUp(h, token)
			switch got.Status {
			case http.StatusCreated:
				created.Add(1)
			case http.StatusNotFound, http.StatusBadRequest: // used, or the address has an account
			default:
				t.Errorf("complete sign-up: got %d %s", got.Status, got.Body)
			}
		})
		servicetest.Same(t, "accounts", h.Count(`SELECT count(*) FROM person WHERE email = '`+email+`'`), 1)
		servicetest.Same(t, "new organisations", h.Count(`SELECT count(*) FROM organisation`)-before, int(created.Load()))
		if n := created.Load(); n > 1 {
			t.Errorf("%d sign-ups were completed, want at most one", n)
		}
		h.SignIn(email, servicetest.ClerkPassword).Wants(t, http.StatusOK)
	})
}

// The response and the work are the same for an address with an account and for one
// without: the same bytes, headers, number of links and e-mails, and no password is
// hashed.
func TestK8_SignUpRevealsNoAccount(t *testing.T) {
	servicetest.MostlySQLiteWith(t, openSignUp, func(t *testing.T, h *servicetest.Instance) {
		h.Enrol("known@example.sa")
		gone := h.Enrol("gone@example.sa")
		if err := h.Service.Store().DisablePerson(context.Background(), h.Operator(h.Org), gone.ID, true); err != nil {
			t.Fatal(err)
		}
		var first *servicetest.Answer
		for _, email := range []string{"known@example.sa", "unknown@example.sa", "gone@example.sa"} {
			before := signUpWork(h)
			got := askSignUp(h, email)
			servicetest.Same(t, "status for "+email, got.Status, http.StatusAccepted)
			for _, name := range []string{"Date", "X-Request-Id", "X-Ratelimit-Remaining"} {
				got.Header.Del(name)
			}
			if first == nil {
				first = &got
			}
			servicetest.Same(t, "body for "+email, got.Body, first.Body)
			servicetest.Same(t, "headers for "+email, got.Header, first.Header)
			after := signUpWork(h)
			for what, n := range after {
				servicetest.Same(t, what+" for "+email, n-before[what], 1)
			}
			letters := h.LettersTo(email)
			if len(letters) != 1 {
				t.Fatalf("%d e-mails to %s, want 1", len(letters), email)
			}
			if sent := strings.Contains(letters[0].Text.Body, "#"); sent != (email == "unknown@example.sa") {
				t.Errorf("the e-mail to %s has a link: %v\n%s", email, sent, letters[0].Text.Body)
			}
		}
		bad := askSignUp(h, "sara")
		if bad.Status != http.StatusBadRequest || !strings.Contains(bad.Body, "email: ") {
			t.Errorf("invalid address: got %d %s, want 400 naming email", bad.Status, bad.Body)
		}
	})
}

// signUpWork counts the rows that a sign-up writes.
func signUpWork(h *servicetest.Instance) map[string]int {
	h.TB.Helper()
	work := map[string]int{}
	for _, table := range []string{"access_link", "letter", "event"} {
		work[table] = h.Count(`SELECT count(*) FROM ` + table)
	}
	return work
}

// Signing up is refused unless it is open, and limited.
func TestInterface_8_SignUpIsLimited(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"first", "closed"} {
		h := servicetest.Open(t, func(c *server.Config) { c.SignUp = mode })
		servicetest.NoSignUp.Wants(t, "sign-up "+mode, askSignUp(h, "sara@example.sa"))
		servicetest.Same(t, "e-mails", len(h.LettersTo("sara@example.sa")), 0)
	}
	h := servicetest.Open(t, func(c *server.Config) { openSignUp(c); c.Rates.SignUpPair = 2 })
	for _, status := range []int{http.StatusAccepted, http.StatusAccepted, http.StatusTooManyRequests} {
		servicetest.Same(t, "status", askSignUp(h, "sara@example.sa").Status, status)
	}
	h = servicetest.Open(t, func(c *server.Config) { openSignUp(c); c.Rates.SignUp = 2 })
	for n, status := range []int{http.StatusAccepted, http.StatusAccepted, http.StatusTooManyRequests} {
		servicetest.Same(t, "status", askSignUp(h, "sara"+string(rune('0'+n))+"@example.sa").Status, status)
	}
	// An address gets few e-mails a day, wherever the requests come from.
	h = servicetest.Open(t, func(c *server.Config) { openSignUp(c); c.Rates.SignUpPair = 100 })
	for range account.DaySignUps + 2 {
		askSignUp(h, "sara@example.sa").Wants(t, http.StatusAccepted)
		h.Clock.Advance(time.Minute)
	}
	servicetest.Same(t, "e-mails of a day", h.Count(`SELECT count(*) FROM letter`), account.DaySignUps)
}

// The operator chooses the plan of people who sign up, apart from that of the first
// organisation.
func TestSignUpPlan(t *testing.T) {
	t.Parallel()
	h := servicetest.Unused(t, func(c *server.Config) { openSignUp(c); c.SignUpPlan = "starter" })
	askSignUp(h, "sara@example.sa").Wants(t, http.StatusAccepted)
	signedUp := completeSignUp(h, h.TokenTo("sara@example.sa")).Wants(t, http.StatusCreated)
	servicetest.Same(t, "plan of a person who signed up", h.As(servicetest.Text(signedUp["access_token"]), http.MethodGet, "/app/api/company/", "").Wants(t, http.StatusOK)["plan"], any("starter"))

	h = servicetest.Unused(t, openSignUp)
	token, err := h.Service.NewSetUp(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	first := h.As("", http.MethodPost, servicetest.SetUpPath, servicetest.AsJSON(t, servicetest.SetUpBody(token))).Wants(t, http.StatusCreated)
	servicetest.Same(t, "plan of the first organisation", h.As(servicetest.Text(first["access_token"]), http.MethodGet, "/app/api/company/", "").Wants(t, http.StatusOK)["plan"], any("enterprise"))
}

// A server with open sign-up needs a mail server.
func TestSignUpNeedsAMailServer(t *testing.T) {
	t.Parallel()
	c := server.Defaults()
	c.Data, c.SignUp = t.TempDir(), "open"
	if _, err := server.New(t.Context(), c); err == nil || !strings.Contains(err.Error(), "--signup open needs a mail server") {
		t.Errorf("error = %v, want one about the mail server", err)
	}
}

// A reset link and an invitation do not replace the second factor of a person.
func TestK8_LinksDoNotReplaceTheSecondFactor(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		_, secret, _, _ := withFactor(h)
		ask(h, noura).Wants(t, http.StatusAccepted)
		got := setPassword(h, h.TokenTo(noura), newPassword)
		got.Wants(t, http.StatusOK)
		if got.Header.Get("Set-Cookie") != "" || strings.Contains(got.Body, "access_token") {
			t.Errorf("the reset opened a session: %v %s", got.Header, got.Body)
		}
		wantNoSession(t, "the new password alone", h.SignIn(noura, newPassword), http.StatusUnauthorized, "second_factor_required")

		second := h.Organisation("Second", "business")
		admin := h.Session(org.Admin, second)
		h.As(admin, http.MethodPost, servicetest.InvitationsPath, `{"email":"`+noura+`","role":"Admin","language":"en"}`).Wants(t, http.StatusCreated)
		token := h.TokenTo(noura)
		accepted := h.As("", http.MethodPost, servicetest.InvitationsPath+"accept/", `{"token":"`+token+`","name":"Noura","password":"`+newPassword+`"}`)
		if accepted.Status < 400 || accepted.Header.Get("Set-Cookie") != "" || strings.Contains(accepted.Body, "access_token") {
			t.Errorf("an invitation of a person with an account: got %d %s, want a refusal without a session", accepted.Status, accepted.Body)
		}
		if joined := h.As("", http.MethodPost, servicetest.InvitationsPath+"join/", `{"token":"`+token+`"}`); joined.Status != http.StatusUnauthorized {
			t.Errorf("joining without a session: got %d %s, want 401", joined.Status, joined.Body)
		}
		wantNoSession(t, "after the invitation", h.SignIn(noura, newPassword), http.StatusUnauthorized, "second_factor_required")
		h.Clock.Advance(time.Minute)
		session := servicetest.Text(h.Send(http.MethodPost, servicetest.SessionPath, servicetest.JSONBody(
			`{"email":"`+noura+`","password":"`+newPassword+`","code":"`+code(h, secret)+`"}`)).Wants(t, http.StatusOK)["access_token"])
		h.As(session, http.MethodPost, servicetest.InvitationsPath+"join/", `{"token":"`+token+`"}`).Wants(t, http.StatusOK)
		wantNoSession(t, "after joining", h.SignIn(noura, newPassword), http.StatusUnauthorized, "second_factor_required")
	})
}

func TestK8_SignUpTakesTheArabicAddress(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, openSignUp)
	askSignUp(h, "sara@example.sa").Wants(t, http.StatusAccepted)
	wantArabicAddress(t, h, servicetest.SignUpPath+"complete/", servicetest.SignUpBody(h.TokenTo("sara@example.sa")))
}
