package wire_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

func TestInterface_5_1_KeyFormAndPublicName(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	form := regexp.MustCompile(`^svc_[A-Za-z0-9]{7}_[A-Za-z0-9_-]{43}$`)
	seen := map[string]bool{}
	for range 50 {
		key := h.NewKey(h.Org, org.ViewInvoice)
		if !form.MatchString(key) || seen[key[:12]] {
			t.Errorf("key %q does not match %s, or its name is not unique", key, form)
		}
		seen[key[:12]] = true
	}
	kept, err := h.Service.Store().Keys(t.Context(), org.TenantOf(h.Org.ID))
	if err != nil || len(kept) != 51 {
		t.Fatalf("%d keys are stored, %v; want 51", len(kept), err)
	}
	for _, k := range kept {
		if k.Name != h.Key[:12] && !seen[k.Name] {
			t.Errorf("stored name = %q, want the first 12 characters", k.Name)
		}
	}
}

// The scheme is case-insensitive (RFC 9110), the key is not.
func TestInterface_5_1_SchemeIsInAnyCase(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for _, scheme := range []string{"Bearer", "bearer", "BEARER", "Bearer  "} {
		if got := h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Header("Authorization", scheme+" "+h.Key)); got.Status != http.StatusOK {
			t.Errorf("scheme %q: status %d, body %s; want 200", scheme, got.Status, got.Body)
		}
	}
	swapped := strings.ToUpper(h.Key[4:]) // a key in upper case is another key
	servicetest.NoKey.Wants(t, "a key in capitals", h.Send(http.MethodGet, servicetest.UsagePath, servicetest.Bearer("svc_"+swapped)))
}

func TestInterface_5_1_LogKnowsAKeyByItsName(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	h.Call(http.MethodGet, servicetest.UsagePath, "")
	log := h.Log.String()
	if !strings.Contains(log, `"actor":"`+h.Key[:12]+`"`) {
		t.Errorf("the log does not name the key:\n%s", log)
	}
	if strings.Contains(log, h.Key[12:]) {
		t.Error("the log contains the secret of the key")
	}
}

func TestInterface_5_5_ScopesNarrowAndNeverWiden(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	key := h.NewKey(h.Org, org.CreateInvoice, org.ClientGet, org.ItemCreate)
	for path, want := range map[string]int{"/v1/api/buyers/": 200, "/v1/api/items/": 403, "/v1/api/devices/": 403, servicetest.UsagePath: 200} {
		if got := h.As(key, http.MethodGet, path, ""); got.Status != want {
			t.Errorf("GET %s with restricted scopes: status %d, want %d", path, got.Status, want)
		}
	}
}

func TestInterface_5_6_ActiveOrgIsIgnoredForAKey(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		other := h.Organisation("Other", "business")
		h.Client(h.Org, "Mine alone")
		h.Client(other, "Theirs")
		for _, named := range []string{other.ID.String(), h.Org.ID.String(), "nonsense", ""} {
			got := h.Send(http.MethodGet, "/v1/api/buyers/", servicetest.Bearer(h.Key), servicetest.Header("X-Active-Org", named))
			if got.Status != http.StatusOK || !strings.Contains(got.Body, "Mine alone") || strings.Contains(got.Body, "Theirs") {
				t.Errorf("X-Active-Org %q: status %d, body %s; want 200 with the clients of the key's organisation only", named, got.Status, got.Body)
			}
		}
	})
}

func TestInterface_5_7_RevocationTakesEffectAtTheNextCall(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		if got := h.Call(http.MethodGet, servicetest.UsagePath, ""); got.Status != http.StatusOK {
			t.Fatalf("before revocation: status %d, body %s; want 200", got.Status, got.Body)
		}
		spare := h.NewKey(h.Org, org.ViewInvoice)
		h.Revoke(h.Org, h.Key)
		servicetest.NoKey.Wants(t, "the next call", h.Call(http.MethodGet, servicetest.UsagePath, ""))
		servicetest.NoKey.Wants(t, "a write", h.Call(http.MethodPatch, "/v1/api/buyers/x/", "{}"))
		if got := h.As(spare, http.MethodGet, servicetest.UsagePath, ""); got.Status != http.StatusOK {
			t.Errorf("another key of the organisation after revocation: status %d, want 200", got.Status)
		}
	})
}

func TestInterface_5_8_PlanIsCheckedOnEveryRequest(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		subscribe := func(plan string) {
			t.Helper()
			if err := h.Service.Store().Subscribe(t.Context(), h.Operator(h.Org), plan); err != nil {
				t.Fatal(err)
			}
		}
		for _, step := range []struct {
			plan string
			want int
		}{{"business", 200}, {"starter", 403}, {"enterprise", 200}, {"free", 403}, {"business", 200}} {
			subscribe(step.plan)
			got := h.Call(http.MethodGet, servicetest.UsagePath, "")
			if got.Status != step.want {
				t.Errorf("on plan %s: status %d, body %s; want %d", step.plan, got.Status, got.Body, step.want)
			}
			if got.Status == http.StatusForbidden {
				servicetest.NoPlan.Wants(t, step.plan, got)
			}
		}
	})
}

// The contents of a plan are checked on every request too.
func TestInterface_5_8_PlanThatLosesTheAPI(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	h.Plan(func(p *org.Plan) { p.API = false })
	servicetest.NoPlan.Wants(t, "a plan without API", h.Call(http.MethodGet, servicetest.UsagePath, ""))
}

func TestInterface_7_3_OrganisationIsAskedOnEveryRequest(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		h.Status(h.Org, org.Suspended)
		servicetest.Inactive.Wants(t, "suspended", h.Call(http.MethodGet, servicetest.UsagePath, ""))
		h.Status(h.Org, org.Deactivated)
		servicetest.NoKey.Wants(t, "deactivated", h.Call(http.MethodGet, servicetest.UsagePath, ""))
		h.Status(h.Org, org.Active)
		if got := h.Call(http.MethodGet, servicetest.UsagePath, ""); got.Status != http.StatusOK {
			t.Errorf("organisation active again: status %d, body %s; want 200", got.Status, got.Body)
		}
	})
}

// If a call is refused for several reasons, the response names the first of
// organisation, plan and permission.
func TestInterface_7_3_OrderOfRefusals(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	free := h.Organisation("Free", "free")
	key := h.NewKey(free, org.ViewInvoice)
	write := func() servicetest.Answer {
		return h.Send(http.MethodPost, "/v1/api/items/", servicetest.Bearer(key), servicetest.JSONBody("no form at all"))
	}
	h.Status(free, org.Suspended)
	servicetest.Inactive.Wants(t, "suspended, without API, not allowed, malformed", write())
	h.Status(free, org.Active)
	servicetest.NoPlan.Wants(t, "without API, not allowed, malformed", write())
	if err := h.Service.Store().Subscribe(t.Context(), h.Operator(free), "business"); err != nil {
		t.Fatal(err)
	}
	servicetest.NoRight.Wants(t, "not allowed, malformed", write())
}

func TestInterface_5_9_KeyOnALookupCountsAsAnonymous(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, func(c *server.Config) { c.Rates.IP = 7 })
	for _, show := range []func(*http.Request){func(*http.Request) {}, servicetest.Bearer(h.Key), servicetest.Bearer("svc_wrong"), servicetest.Header("Authorization", "Basic x")} {
		got := h.Send(http.MethodGet, "/v1/api/industries/", show)
		if got.Status != http.StatusOK || got.Header.Get("X-RateLimit-Limit") != "7" {
			t.Errorf("status %d, rate limit %s; want 200 and 7", got.Status, got.Header.Get("X-RateLimit-Limit"))
		}
	}
	if got := h.Send(http.MethodGet, "/v1/api/industries/").Header.Get("X-RateLimit-Remaining"); got != "2" {
		t.Errorf("X-RateLimit-Remaining = %s after 5 of 7 calls, want 2", got)
	}
}
