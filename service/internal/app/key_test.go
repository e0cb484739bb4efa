package app_test

import (
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
)

// createKey creates a key over HTTP and returns the response.
func createKey(t *testing.T, h *servicetest.Instance, admin, body string) servicetest.Record {
	t.Helper()
	return h.As(admin, http.MethodPost, servicetest.KeysPath, body).Wants(t, http.StatusCreated)
}

// wantCode checks the status and the code of an error response.
func wantCode(t *testing.T, what string, a servicetest.Answer, status int, code string) {
	t.Helper()
	if got := a.JSON(t)["code"]; a.Status != status || got != code {
		t.Errorf("%s: got %d %s, want %d %s", what, a.Status, a.Body, status, code)
	}
}

func TestInterface_5_2_KeyIsShownOnce(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		h.Enrol("noura@example.sa")
		admin := h.SignedIn("noura@example.sa")
		a := h.As(admin, http.MethodPost, servicetest.KeysPath, `{"title":" Online shop ","role":"ViewInvoice","scopes":["item.get","invoice.get","item.get"]}`)
		made := a.Wants(t, http.StatusCreated)
		text := servicetest.Text(made["key"])
		if !regexp.MustCompile(`^svc_[A-Za-z0-9]{7}_[A-Za-z0-9_-]{43}$`).MatchString(text) {
			t.Fatalf("key = %q, want svc_, 7 characters, _ and 43 characters", text)
		}
		servicetest.Same(t, "Cache-Control", a.Header.Get("Cache-Control"), "no-store")
		want := servicetest.Record{
			"uuid": made["uuid"], "name": text[:12], "title": "Online shop", "role": "ViewInvoice", "scopes": []any{"invoice.get", "item.get"},
			"created_at": "2026-11-15T12:00:00+03:00", "created_by": "noura@example.sa", "revoked_at": nil,
		}
		listed := h.As(admin, http.MethodGet, servicetest.KeysPath, "")
		servicetest.Same(t, "the listed key", servicetest.First(t, listed.Wants(t, http.StatusOK)["keys"]), want)
		delete(made, "key")
		want["blocked"], want["blocked_ar"] = nil, nil
		servicetest.Same(t, "the created key", made, want)
		h.As(text, http.MethodGet, "/v1/api/items/", "").Wants(t, http.StatusOK)
		secret := text[12:]
		revoked := h.As(admin, http.MethodDelete, servicetest.KeysPath+servicetest.Text(want["uuid"])+"/", "")
		for where, found := range map[string]string{"list": listed.Body, "answer to the revocation": revoked.Body, "log": h.Log.String(), "database": h.CopyDatabase()} {
			if strings.Contains(found, secret) {
				t.Errorf("the %s contains the secret of the key", where)
			}
		}
		if by, err := h.Service.Store().Events(t.Context(), org.TenantOf(h.Org.ID), 2); err != nil || by[0].Action != "key.revoke" || by[1].Action != "key.create" || by[0].Subject != text[:12] {
			t.Errorf("audit trail = %v, %v; want key.create and key.revoke of %s", by, err, text[:12])
		}
	})
}

func TestInterface_5_2_KeysAreListedInPages(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin := h.Session(org.Admin, h.Org)
		for n := range 3 {
			createKey(t, h, admin, fmt.Sprintf(`{"title":"key %d"}`, n))
		}
		first := h.As(admin, http.MethodGet, servicetest.KeysPath+"?page_size=2", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "first page", servicetest.Names(t, first["keys"], "title"), []string{"key 2", "key 1"})
		servicetest.Same(t, "total", first["total"], any(servicetest.Number(4))) // with that of the instance
		second := h.As(admin, http.MethodGet, servicetest.KeysPath+"?page_size=2&cursor="+servicetest.Text(first["next_cursor"]), "").Wants(t, http.StatusOK)
		servicetest.Same(t, "second page", servicetest.Names(t, second["keys"], "title"), []string{"key 0", "test"})
		servicetest.Same(t, "next cursor", second["next_cursor"], nil)
	})
}

func TestInterface_5_3_KeyMayCreateInvoicesUnlessToldOtherwise(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin := h.Session(org.Admin, h.Org)
		servicetest.Same(t, "role", createKey(t, h, admin, `{"title":"shop"}`)["role"], any("CreateInvoice"))
		for _, role := range []string{"ViewInvoice", "CreateInvoice", "Accountant"} {
			made := createKey(t, h, admin, `{"title":"shop","role":"`+role+`"}`)
			servicetest.Same(t, "role", made["role"], any(role))
			got := h.Send(http.MethodPost, "/v1/api/items/", servicetest.Bearer(servicetest.Text(made["key"])), servicetest.FormBody(t, servicetest.Part{Field: "item_data", Content: servicetest.GoodItem()}))
			if role == "ViewInvoice" {
				servicetest.NoRight.Wants(t, role, got)
			} else {
				got.Wants(t, http.StatusCreated)
			}
		}
	})
}

func TestInterface_5_4_KeyCannotManageKeys(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin := h.Session(org.Admin, h.Org)
		made := createKey(t, h, admin, `{"title":"shop","role":"Accountant"}`)
		key, before := servicetest.Text(made["key"]), h.As(admin, http.MethodGet, servicetest.KeysPath, "").Body
		servicetest.KeyHere.Wants(t, "list", h.As(key, http.MethodGet, servicetest.KeysPath, ""))
		servicetest.KeyHere.Wants(t, "create", h.As(key, http.MethodPost, servicetest.KeysPath, `{"title":"another"}`))
		servicetest.KeyHere.Wants(t, "revoke", h.As(key, http.MethodDelete, servicetest.KeysPath+servicetest.IDOf(made)+"/", ""))
		servicetest.Same(t, "keys", h.As(admin, http.MethodGet, servicetest.KeysPath, "").Body, before)
		for _, path := range []string{"/v1/api/keys/", "/v1/api/keys/" + servicetest.IDOf(made) + "/"} {
			servicetest.NoSuchPath.Wants(t, path, h.As(key, http.MethodGet, path, ""))
		}
	})
}

func TestInterface_5_5_ScopesNarrowAKey(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		made := createKey(t, h, h.Session(org.Admin, h.Org), `{"title":"shop","scopes":["item.get"]}`)
		key := servicetest.Text(made["key"])
		h.As(key, http.MethodGet, "/v1/api/items/", "").Wants(t, http.StatusOK)
		servicetest.NoRight.Wants(t, "clients", h.As(key, http.MethodGet, "/v1/api/buyers/", ""))
	})
}

func TestInterface_5_7_RevokedKeyFailsOnTheNextCall(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin := h.Session(org.Admin, h.Org)
		made := createKey(t, h, admin, `{"title":"shop"}`)
		key, path := servicetest.Text(made["key"]), servicetest.KeysPath+servicetest.IDOf(made)+"/"
		h.As(key, http.MethodGet, servicetest.UsagePath, "").Wants(t, http.StatusOK)
		first := h.As(admin, http.MethodDelete, path, "")
		servicetest.NoKey.Wants(t, "the next call", h.As(key, http.MethodGet, servicetest.UsagePath, ""))
		if first.Wants(t, http.StatusOK)["revoked_at"] == nil {
			t.Errorf("revoked key = %s, want revoked_at", first.Body)
		}
		servicetest.Same(t, "revoking it again", h.As(admin, http.MethodDelete, path, "").Body, first.Body)
		list := h.As(admin, http.MethodGet, servicetest.KeysPath, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "the listed key", any(servicetest.First(t, list["keys"])), any(first.JSON(t)))
	})
}

func TestInterface_5_8_KeyOfAPlanWithoutTheAPI(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		free := h.Organisation("Free", "free")
		made := createKey(t, h, h.Session(org.Admin, free), `{"title":"shop"}`)
		servicetest.Same(t, "blocked", []any{made["blocked"], made["blocked_ar"]}, []any{
			"The plan of the organisation does not include API access. Choose a plan with API access.",
			"باقة المنشأة لا تشمل الربط البرمجي (API). اختر باقة تشمل الربط البرمجي (API).",
		})
		servicetest.NoPlan.Wants(t, "a call", h.As(servicetest.Text(made["key"]), http.MethodGet, servicetest.UsagePath, ""))
	})
}

func TestInterface_7_4_InvalidRequest(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin := h.Session(org.Admin, h.Org)
		for _, body := range []string{
			``, `{`, `null`, `[]`, `"shop"`, `{}`, `{"title":null}`, `{"title":""}`, `{"title":"  "}`, `{"title":7}`, `{"title":"a\nb"}`,
			`{"title":"` + strings.Repeat("x", 101) + `"}`, `{"title":"shop","role":7}`, `{"title":"shop","scopes":"invoice.get"}`, `{"title":"shop","scopes":[7]}`,
		} {
			wantCode(t, "create "+body, h.As(admin, http.MethodPost, servicetest.KeysPath, body), http.StatusBadRequest, "invalid_request")
		}
		missing := h.As(admin, http.MethodPost, servicetest.KeysPath, `{}`).Problems(t)
		servicetest.Same(t, "message", missing, []string{"title: Field required"})
		wantCode(t, "revoke", h.As(admin, http.MethodDelete, servicetest.KeysPath+"shop/", ""), http.StatusBadRequest, "invalid_request")
		wantCode(t, "list", h.As(admin, http.MethodGet, servicetest.KeysPath+"?page_size=many", ""), http.StatusBadRequest, "invalid_request")
		wantCode(t, "cursor", h.As(admin, http.MethodGet, servicetest.KeysPath+"?cursor=x", ""), http.StatusBadRequest, "invalid_request")
		servicetest.Same(t, "keys", h.As(admin, http.MethodGet, servicetest.KeysPath, "").Wants(t, http.StatusOK)["total"], any(servicetest.Number(1)))
	})
}

func TestInterface_7_4_NotFound(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		other := h.Organisation("Other", "business")
		theirs := createKey(t, h, h.Session(org.Admin, other), `{"title":"shop"}`)
		admin := h.Session(org.Admin, h.Org)
		for what, id := range map[string]string{"an unknown key": uuid.NewString(), "a key of another organisation": servicetest.IDOf(theirs)} {
			servicetest.NoSuchKey.Wants(t, what, h.As(admin, http.MethodDelete, servicetest.KeysPath+id+"/", ""))
		}
		h.As(servicetest.Text(theirs["key"]), http.MethodGet, servicetest.UsagePath, "").Wants(t, http.StatusOK)
	})
}

func TestInterface_7_4_InvalidRoleAndScopes(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin := h.Session(org.Admin, h.Org)
		for _, role := range []string{"Admin", "admin", "Owner", "viewinvoice"} {
			wantCode(t, role, h.As(admin, http.MethodPost, servicetest.KeysPath, `{"title":"shop","role":"`+role+`"}`), http.StatusBadRequest, "invalid_role")
		}
		for _, body := range []string{
			`{"title":"shop","scopes":[]}`, `{"title":"shop","scopes":["invoice.delete"]}`, `{"title":"shop","scopes":[""]}`, `{"title":"shop","scopes":["key.manage"]}`,
			`{"title":"shop","role":"ViewInvoice","scopes":["invoice.create"]}`, `{"title":"shop","role":"Accountant","scopes":["payment.create"]}`,
		} {
			wantCode(t, body, h.As(admin, http.MethodPost, servicetest.KeysPath, body), http.StatusBadRequest, "invalid_scopes")
		}
		servicetest.Same(t, "keys", h.As(admin, http.MethodGet, servicetest.KeysPath, "").Wants(t, http.StatusOK)["total"], any(servicetest.Number(1)))
	})
}

// sticky is a random source that returns the same bytes once it is stuck.
type sticky struct{ stuck atomic.Bool }

func (s *sticky) Read(p []byte) (int, error) {
	if !s.stuck.Load() {
		return io.ReadFull(rand.Reader, p)
	}
	for n := range p {
		p[n] = 7
	}
	return len(p), nil
}

func TestInterface_7_4_KeyIDUnavailable(t *testing.T) {
	t.Parallel()
	random := &sticky{}
	h := servicetest.Open(t, func(c *server.Config) { c.Random = random })
	admin := h.Session(org.Admin, h.Org)
	random.stuck.Store(true)
	createKey(t, h, admin, `{"title":"the first"}`)
	got := h.As(admin, http.MethodPost, servicetest.KeysPath, `{"title":"the second"}`)
	wantCode(t, "a name that is taken", got, http.StatusServiceUnavailable, "key_id_unavailable")
	if got.Header.Get("Retry-After") == "" {
		t.Error("the response has no Retry-After")
	}
	random.stuck.Store(false)
	createKey(t, h, admin, `{"title":"the second"}`)
}

// Creating and revoking keys does not count as writes.
func TestInterface_8_KeyManagementIsFree(t *testing.T) {
	servicetest.OnSQLiteWith(t, servicetest.FairUse, func(t *testing.T, h *servicetest.Instance) {
		admin := h.Session(org.Admin, h.Org)
		h.Allow(0)
		made := createKey(t, h, admin, `{"title":"shop"}`)
		h.As(admin, http.MethodDelete, servicetest.KeysPath+servicetest.IDOf(made)+"/", "").Wants(t, http.StatusOK)
	})
}
