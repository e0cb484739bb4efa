package app_test

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store"
)

// A new installation has no account. The set-up link creates one, once, and its
// token is in no log and not in the database.
func TestK8_SetUpOverHTTP(t *testing.T) {
	t.Parallel()
	h := servicetest.Unused(t, nil)
	state := func(needed bool) servicetest.Record {
		return servicetest.Record{
			"needed": needed, "signup": "first", "environment": "simulator", "environments": []any{}, "environment_warning": nil, "environment_warning_ar": nil,
		}
	}
	servicetest.Same(t, "before", h.As("", http.MethodGet, servicetest.SetUpPath, "").Wants(t, http.StatusOK), state(true))
	token, err := h.Service.NewSetUp(context.Background(), "test")
	if err != nil {
		t.Fatal(err)
	}
	send := func(body servicetest.Record, more ...func(*http.Request)) servicetest.Answer {
		return h.Send(http.MethodPost, servicetest.SetUpPath, append(more, servicetest.JSONBody(servicetest.AsJSON(t, body)))...)
	}
	good := servicetest.SetUpBody(token)
	servicetest.OtherSite.Wants(t, "another site", send(good, servicetest.Header("Origin", "https://evil.example")))
	plain := h.Send(http.MethodPost, servicetest.SetUpPath, servicetest.JSONBody(servicetest.AsJSON(t, good)), servicetest.Header("Content-Type", "text/plain"))
	servicetest.Same(t, "status of text/plain", plain.Status, http.StatusBadRequest)
	weak := servicetest.SetUpBody(token)
	weak["account"] = servicetest.Record{"email": "noura", "password": "short"}
	a := send(weak)
	if a.Status != http.StatusBadRequest || !strings.Contains(a.Body, "account.email") || !strings.Contains(a.Body, "account.password") {
		t.Errorf("invalid account: got %d %s, want 400 naming account.email and account.password", a.Status, a.Body)
	}
	servicetest.NoAccessLink.Wants(t, "unknown link", send(servicetest.SetUpBody("unknown")))
	made := send(good)
	session, _ := made.Wants(t, http.StatusCreated)["access_token"].(string)
	if !strings.Contains(made.Header.Get("Set-Cookie"), "accessToken="+session+";") {
		t.Errorf("Set-Cookie = %q, want the session", made.Header.Get("Set-Cookie"))
	}
	h.Send(http.MethodGet, servicetest.OutboxPath, servicetest.Bearer(session)).Wants(t, http.StatusOK)
	servicetest.NoAccessLink.Wants(t, "used link", send(good))
	var actions []string
	err = h.Service.Store().Snapshot(context.Background(), func(kept *store.Snapshot) error {
		return kept.WholeTrail(context.Background(), func(e org.Event, _ org.Link) error {
			actions = append(actions, e.Action)
			return nil
		})
	})
	if err != nil || !slices.Contains(actions, "setup.link") || !slices.Contains(actions, "setup.used") {
		t.Errorf("audit trail %v, %v; want setup.link and setup.used", actions, err)
	}
	servicetest.Same(t, "after", h.As("", http.MethodGet, servicetest.SetUpPath, "").Wants(t, http.StatusOK), state(false))
	if strings.Contains(h.Log.String(), token) || strings.Contains(h.Log.String(), servicetest.ClerkPassword) {
		t.Error("the log contains the token or the password")
	}
	notStored(t, h, token)
}

// A server with closed sign-up accepts no link.
func TestK8_ClosedSignUpAcceptsNoLink(t *testing.T) {
	t.Parallel()
	h := servicetest.Unused(t, func(c *server.Config) { c.SignUp = "closed" })
	token, err := h.Service.NewSetUp(context.Background(), "test")
	if err != nil {
		t.Fatal(err)
	}
	servicetest.NoAccessLink.Wants(t, "link", h.Send(http.MethodPost, servicetest.SetUpPath, servicetest.JSONBody(servicetest.AsJSON(t, servicetest.SetUpBody(token)))))
}

// arabicAddress is an address in Arabic as PATCH /app/api/company/ takes it.
func arabicAddress() servicetest.Record {
	return servicetest.Record{
		"street_arabic": "طريق الملك فهد", "additional_street_arabic": "برج العليا", "district_arabic": "العليا", "city_arabic": "الرياض", "province_state_arabic": "منطقة الرياض",
	}
}

// wantArabicAddress sends the body of a set-up or a sign-up with an address in
// Latin letters as the Arabic one, which is refused, and then with arabicAddress.
func wantArabicAddress(t *testing.T, h *servicetest.Instance, path string, body servicetest.Record) {
	t.Helper()
	organisation, _ := body["organisation"].(servicetest.Record)
	for name := range arabicAddress() {
		organisation[name] = "King Fahd Road"
	}
	problems := h.Send(http.MethodPost, path, servicetest.JSONBody(servicetest.AsJSON(t, body))).Problems(t)
	slices.Sort(problems)
	var want []string
	for name := range arabicAddress() {
		want = append(want, "organisation."+name+": must contain Arabic letters")
	}
	slices.Sort(want)
	servicetest.Same(t, "problems of an address in Latin letters", problems, want)

	maps.Copy(organisation, arabicAddress())
	made := h.Send(http.MethodPost, path, servicetest.JSONBody(servicetest.AsJSON(t, body))).Wants(t, http.StatusCreated)
	company := h.As(servicetest.Text(made["access_token"]), http.MethodGet, "/app/api/company/", "").Wants(t, http.StatusOK)
	for name, value := range arabicAddress() {
		servicetest.Same(t, name, company[name], value)
	}
}

// The first organisation can have its address in Arabic.
func TestK8_SetUpTakesTheArabicAddress(t *testing.T) {
	t.Parallel()
	h := servicetest.Unused(t, nil)
	token, err := h.Service.NewSetUp(context.Background(), "test")
	if err != nil {
		t.Fatal(err)
	}
	wantArabicAddress(t, h, servicetest.SetUpPath, servicetest.SetUpBody(token))
}
