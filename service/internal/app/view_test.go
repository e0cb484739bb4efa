package app_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
)

func TestViews_BelongToOnePerson(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		noura, fahd := h.Session(org.ViewInvoice, h.Org), h.Session(org.Admin, h.Org)
		list := func(user, query string) servicetest.Record {
			return h.As(user, http.MethodGet, servicetest.ViewsPath+query, "").Wants(t, http.StatusOK)
		}
		const body = `{"list":"invoices","name":" Rejected ","query":"invoice_status=NOT_CLEARED,NOT_REPORTED"}`
		made := h.As(noura, http.MethodPost, servicetest.ViewsPath, body).Wants(t, http.StatusCreated)
		id := servicetest.IDOf(made)
		want := servicetest.Record{"uuid": id, "list": "invoices", "name": "Rejected", "query": "invoice_status=NOT_CLEARED,NOT_REPORTED", "created_at": "2026-11-15T12:00:00+03:00"}
		servicetest.Same(t, "the saved view", made, want)
		servicetest.Same(t, "the list", list(noura, "?list=invoices"), servicetest.Record{"views": []any{want}})
		servicetest.Same(t, "views of another list", list(noura, "?list=clients"), servicetest.Record{"views": []any{}})
		servicetest.Same(t, "views of another member", list(fahd, ""), servicetest.Record{"views": []any{}})
		same := h.As(noura, http.MethodPost, servicetest.ViewsPath, body)
		wantCode(t, "the same name", same, http.StatusBadRequest, "already_exists")
		servicetest.Same(t, "path of the error", servicetest.First(t, same.JSON(t)["errors"])["path"], any("name"))

		change := func(user, id, body string) servicetest.Answer {
			return h.As(user, http.MethodPatch, servicetest.ViewsPath+id+"/", body)
		}
		want["query"] = ""
		servicetest.Same(t, "the changed view", change(noura, id, `{"query":""}`).Wants(t, http.StatusOK), want)
		want["name"] = "All"
		servicetest.Same(t, "the renamed view", change(noura, id, `{"name":"All"}`).Wants(t, http.StatusOK), want)
		servicetest.Same(t, "an empty change", change(noura, id, `{}`).Wants(t, http.StatusOK), want)
		for body, field := range map[string]string{
			`{"name":""}`: "name", `{"name":" "}`: "name", `{"name":"\u200b"}`: "name", `{"name":"a\u202eb"}`: "name", `{"name":"a\u0000b"}`: "name", `{"query":"a=%zz"}`: "query", `{"query":7}`: "query",
		} {
			if got := change(noura, id, body).Problems(t); len(got) != 1 || got[0][:len(field)+2] != field+": " {
				t.Errorf("%s: problems = %q, want one of %s", body, got, field)
			}
		}
		for _, bad := range []string{`{"list":"secrets","name":"x","query":""}`, `{"name":"x","query":""}`} {
			if got := h.As(noura, http.MethodPost, servicetest.ViewsPath, bad).Problems(t); len(got) != 1 || got[0][:6] != "list: " {
				t.Errorf("%s: problems = %q, want one of list", bad, got)
			}
		}
		for what, got := range map[string]servicetest.Answer{
			"change by another member":   change(fahd, id, `{}`),
			"deletion by another member": h.As(fahd, http.MethodDelete, servicetest.ViewsPath+id+"/", ""),
			"an unknown view":            change(noura, uuid.NewString(), `{}`),
		} {
			servicetest.NoView.Wants(t, what, got)
		}
		servicetest.Same(t, "the unchanged view", list(noura, ""), servicetest.Record{"views": []any{want}})
		h.As(noura, http.MethodDelete, servicetest.ViewsPath+id+"/", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "views after the deletion", list(noura, ""), servicetest.Record{"views": []any{}})
		for n := range org.MostViews {
			h.As(noura, http.MethodPost, servicetest.ViewsPath, fmt.Sprintf(`{"list":"items","name":"view %d","query":""}`, n)).Wants(t, http.StatusCreated)
		}
		wantCode(t, "one view too many", h.As(noura, http.MethodPost, servicetest.ViewsPath, body), http.StatusConflict, "too_many_views")
	})
}
