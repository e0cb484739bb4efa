package service_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
)

const usagePath = "/v1/api/usage/current/"

func TestInterface_5_1_KeyFormAndPublicName(t *testing.T) {
	h := open(t, nil)
	form := regexp.MustCompile(`^svc_[A-Za-z0-9]{7}_[A-Za-z0-9_-]{43}$`)
	seen := map[string]bool{}
	for range 50 {
		key := h.newKey(h.org, org.ViewInvoice)
		if !form.MatchString(key) || seen[key[:12]] {
			t.Errorf("%q has not the form of a key, or its name was given before", key)
		}
		seen[key[:12]] = true
	}
	kept, err := h.service.Store().Keys(t.Context(), org.TenantOf(h.org.ID))
	if err != nil || len(kept) != 51 {
		t.Fatalf("%d keys are kept, %v", len(kept), err)
	}
	for _, k := range kept {
		if k.Name != h.key[:12] && !seen[k.Name] {
			t.Errorf("a key is kept as %q", k.Name)
		}
	}
}

// The scheme is written in any case (RFC 9110), the key in its own.
func TestInterface_5_1_SchemeIsInAnyCase(t *testing.T) {
	h := open(t, nil)
	for _, scheme := range []string{"Bearer", "bearer", "BEARER", "Bearer  "} {
		if got := h.send(http.MethodGet, usagePath, header("Authorization", scheme+" "+h.key)); got.status != http.StatusOK {
			t.Errorf("%q: got %d %s", scheme, got.status, got.body)
		}
	}
	swapped := strings.ToUpper(h.key[4:]) // letters of the other case are another key
	noKey.wants(t, "a key in capitals", h.send(http.MethodGet, usagePath, bearer("svc_"+swapped)))
}

func TestInterface_5_1_LogKnowsAKeyByItsName(t *testing.T) {
	h := open(t, nil)
	h.call(http.MethodGet, usagePath, "")
	log := h.log.String()
	if !strings.Contains(log, `"actor":"`+h.key[:12]+`"`) {
		t.Errorf("the log does not name the key:\n%s", log)
	}
	if strings.Contains(log, h.key[12:]) {
		t.Error("the log holds the secret")
	}
}

func TestInterface_5_5_ScopesNarrowAndNeverWiden(t *testing.T) {
	h := open(t, nil)
	key := h.newKey(h.org, org.CreateInvoice, org.ClientGet, org.ItemCreate)
	for path, want := range map[string]int{"/v1/api/buyers/": 200, "/v1/api/items/": 403, "/v1/api/devices/": 403, usagePath: 200} {
		if got := h.as(key, http.MethodGet, path, ""); got.status != want {
			t.Errorf("%s: got %d, want %d", path, got.status, want)
		}
	}
}

func TestInterface_5_6_ActiveOrgIsIgnoredForAKey(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		other := h.organisation("Other", "business")
		h.client(h.org, "Mine alone")
		h.client(other, "Theirs")
		for _, named := range []string{other.ID.String(), h.org.ID.String(), "nonsense", ""} {
			got := h.send(http.MethodGet, "/v1/api/buyers/", bearer(h.key), header("X-Active-Org", named))
			if got.status != http.StatusOK || !strings.Contains(got.body, "Mine alone") || strings.Contains(got.body, "Theirs") {
				t.Errorf("X-Active-Org %q: got %d %s", named, got.status, got.body)
			}
		}
	})
}

func TestInterface_5_7_RevocationTakesEffectAtTheNextCall(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		if got := h.call(http.MethodGet, usagePath, ""); got.status != http.StatusOK {
			t.Fatalf("got %d %s", got.status, got.body)
		}
		spare := h.newKey(h.org, org.ViewInvoice)
		h.revoke(h.org, h.key)
		noKey.wants(t, "the next call", h.call(http.MethodGet, usagePath, ""))
		noKey.wants(t, "a write", h.call(http.MethodPatch, "/v1/api/buyers/x/", "{}"))
		if got := h.as(spare, http.MethodGet, usagePath, ""); got.status != http.StatusOK {
			t.Errorf("another key of the organisation: got %d", got.status)
		}
	})
}

func TestInterface_5_8_PlanIsCheckedOnEveryRequest(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		subscribe := func(plan string) {
			t.Helper()
			if err := h.service.Store().Subscribe(t.Context(), h.operator(h.org), plan); err != nil {
				t.Fatal(err)
			}
		}
		for _, step := range []struct {
			plan string
			want int
		}{{"business", 200}, {"starter", 403}, {"enterprise", 200}, {"free", 403}, {"business", 200}} {
			subscribe(step.plan)
			got := h.call(http.MethodGet, usagePath, "")
			if got.status != step.want {
				t.Errorf("on plan %s: got %d %s", step.plan, got.status, got.body)
			}
			if got.status == http.StatusForbidden {
				noPlan.wants(t, step.plan, got)
			}
		}
	})
}

// What a plan holds is data too.
func TestInterface_5_8_PlanThatLosesTheAPI(t *testing.T) {
	h := open(t, nil)
	h.plan(func(p *org.Plan) { p.API = false })
	noPlan.wants(t, "a plan without API", h.call(http.MethodGet, usagePath, ""))
}

func TestInterface_7_3_OrganisationIsAskedOnEveryRequest(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		h.status(h.org, org.Suspended)
		inactive.wants(t, "suspended", h.call(http.MethodGet, usagePath, ""))
		h.status(h.org, org.Deactivated)
		noKey.wants(t, "deactivated", h.call(http.MethodGet, usagePath, ""))
		h.status(h.org, org.Active)
		if got := h.call(http.MethodGet, usagePath, ""); got.status != http.StatusOK {
			t.Errorf("active again: got %d %s", got.status, got.body)
		}
	})
}

// Of several reasons the first in this order is told: organisation, plan, right.
func TestInterface_7_3_OrderOfRefusals(t *testing.T) {
	h := open(t, nil)
	free := h.organisation("Free", "free")
	key := h.newKey(free, org.ViewInvoice)
	write := func() answer {
		return h.send(http.MethodPost, "/v1/api/items/", bearer(key), jsonBody("no form at all"))
	}
	h.status(free, org.Suspended)
	inactive.wants(t, "suspended, without API, not allowed, malformed", write())
	h.status(free, org.Active)
	noPlan.wants(t, "without API, not allowed, malformed", write())
	if err := h.service.Store().Subscribe(t.Context(), h.operator(free), "business"); err != nil {
		t.Fatal(err)
	}
	noRight.wants(t, "not allowed, malformed", write())
}

func TestInterface_5_9_KeyOnALookupCountsAsAnonymous(t *testing.T) {
	h := open(t, func(c *server.Config) { c.Rates.IP = 7 })
	for _, show := range []func(*http.Request){func(*http.Request) {}, bearer(h.key), bearer("svc_wrong"), header("Authorization", "Basic x")} {
		got := h.send(http.MethodGet, "/v1/api/industries/", show)
		if got.status != http.StatusOK || got.header.Get("X-RateLimit-Limit") != "7" {
			t.Errorf("got %d of limit %s", got.status, got.header.Get("X-RateLimit-Limit"))
		}
	}
	if got := h.send(http.MethodGet, "/v1/api/industries/").header.Get("X-RateLimit-Remaining"); got != "2" {
		t.Errorf("%s remain of 7 after 5 calls", got)
	}
}
