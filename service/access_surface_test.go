package service_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/app"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/wire"
)

// Writes to the app with a session cookie are refused if they come from another
// site or have no Origin. API keys are refused too.
func TestK8_WritesOfTheAppNeedAnOrigin(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		own, token := shop.RecordsOf(h.Key), h.Session(org.Admin, h.Org)
		before := h.Snapshot(h.Org)
		var asked, want []string
		for operation, r := range appPermissions {
			if r.people && !strings.HasPrefix(operation, http.MethodGet) {
				want = append(want, operation)
			}
		}
		for _, row := range h.Service.AppRows() {
			if row.Method == http.MethodGet || row.Access == wire.Anyone {
				continue
			}
			operation := operationOf(row)
			asked = append(asked, operation)
			fill := servicetest.Body(shop, operation)
			servicetest.OtherSite.Wants(t, operation+" from another origin", h.Send(row.Method, own.At(row), servicetest.Cookie(token), fill, servicetest.Header("Origin", "https://evil.example")))
			servicetest.OtherSite.Wants(t, operation+" from another site", h.Send(row.Method, own.At(row), servicetest.Cookie(token), fill, servicetest.Header("Sec-Fetch-Site", "cross-site")))
			servicetest.NoOrigin.Wants(t, operation+" without an origin", h.Send(row.Method, own.At(row), servicetest.Cookie(token), fill))
			servicetest.KeyHere.Wants(t, operation+" with a key", h.Send(row.Method, own.At(row), servicetest.Bearer(h.Key), fill))
		}
		servicetest.Same(t, "operations", slices.Sorted(slices.Values(asked)), slices.Sorted(slices.Values(want)))
		servicetest.Same(t, "records of the organisation", h.Snapshot(h.Org), before)
		// An HTML form cannot send JSON.
		for _, path := range []string{servicetest.DraftsPath, servicetest.DraftsPath + own.App["draft_id"] + "/"} {
			method := http.MethodPost
			if path != servicetest.DraftsPath {
				method = http.MethodPatch
			}
			for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
				got := h.Send(method, path, servicetest.Cookie(token), servicetest.Header("Origin", h.HTTP.URL), servicetest.JSONBody(shop.Draft()), servicetest.Header("Content-Type", kind))
				servicetest.Same(t, method+" of "+kind, []any{got.Status, got.JSON(t)["message"]}, []any{http.StatusBadRequest, "The body must be application/json in UTF-8."})
			}
		}
		servicetest.Same(t, "records of the organisation", h.Snapshot(h.Org), before)
	})
}

// withoutCredentials contains the operations that never return 401.
var withoutCredentials = map[string]bool{
	"GET /api/setup/":               true,
	"POST /api/setup/":              true,
	"POST /api/signup/":             true,
	"POST /api/signup/complete/":    true,
	"POST /api/session/link/":       true,
	"POST /api/password/":           true,
	"POST /api/password/reset/":     true,
	"POST /api/invitations/read/":   true,
	"POST /api/invitations/accept/": true,
}

func TestInterface_5_AppDocumentIsPublicAndComplete(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for _, path := range []string{servicetest.AppDocumentPath, "/app/openapi-3.0.json", "/app/docs"} {
		if a := h.As("", http.MethodGet, path, ""); a.Status != http.StatusOK {
			t.Errorf("%s: got %d, want 200", path, a.Status)
		}
	}
	document := h.As("", http.MethodGet, servicetest.AppDocumentPath, "").Wants(t, http.StatusOK)
	made, _, err := app.New(app.Config{}).Document()
	if err != nil {
		t.Fatal(err)
	}
	servicetest.Same(t, "the document", document, servicetest.Answer{Body: string(made)}.JSON(t))
	all := servicetest.Operations(document)
	servicetest.Same(t, "operations", slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(appPermissions)))
	for name, operation := range all {
		summary, _ := operation["summary"].(string)
		words, _ := operation["description"].(string)
		responses, _ := operation["responses"].(servicetest.Record)
		if summary == "" || words == "" || operation["operationId"] == nil || operation["tags"] == nil {
			t.Errorf("%s has no summary, description, operationId or tags: %v", name, operation)
		}
		signed := []any{servicetest.Record{"session": []any{}}, servicetest.Record{"sessionToken": []any{}}}
		if appPermissions[name].public {
			signed = []any{}
		}
		servicetest.Same(t, name+" security", operation["security"], any(signed))
		for _, code := range []string{"401", "403", "429", "500", "503"} {
			// These need no credentials, and a read has no origin to check.
			exempt := withoutCredentials[name] && (code == "401" || code == "403" && strings.HasPrefix(name, http.MethodGet))
			if responses[code] == nil && !exempt {
				t.Errorf("%s does not list the response %s", name, code)
			}
		}
		least := appPermissions[name].least
		if least != "" && !strings.Contains(words, "with role `"+string(least)+"` or higher; an API key is refused") {
			t.Errorf("the description of %s does not state the role: %q", name, words)
		}
	}
	if words := servicetest.AsJSON(t, document); strings.Contains(words, "svc_") || strings.Contains(words, "422") {
		t.Error("the document mentions API keys or 422")
	}
	servicetest.Properties(document, "", func(way string, property servicetest.Record) {
		if property["$ref"] == nil && property["description"] == nil && !strings.Contains(way, "/responses/") {
			t.Errorf("%s has no description", way)
		}
	})
}

func TestInterface_5_ExamplesOfTheAppDocumentAreAccepted(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	shop := h.NewSeller()
	own := shop.RecordsOf(h.Key)
	h.Enrol("noura@example.sa")
	for name, operation := range servicetest.Operations(h.As("", http.MethodGet, servicetest.AppDocumentPath, "").Wants(t, http.StatusOK)) {
		if has := operation["requestBody"] != nil; has != servicetest.HasBody(name) {
			t.Errorf("%s has a body: %v in the document, %v in servicetest.Body", name, has, !has)
		}
		if operation["requestBody"] == nil || appPermissions[name].unsent != "" {
			continue
		}
		part, example := servicetest.BodyExample(operation)
		text := servicetest.AsJSON(t, example)
		fill := servicetest.JSONBody(text)
		if part != "" {
			fill = servicetest.FormBody(t, servicetest.Part{Field: part, Filename: "", Content: text})
		}
		method, path, _ := strings.Cut(name, " ")
		if a := h.Send(method, "/app"+own.Fill(path), servicetest.Bearer(h.Session(org.Admin, h.Org)), fill); a.Status/100 != 2 {
			t.Errorf("example of %s: got %d %s, want 2xx", name, a.Status, a.Body)
		}
	}
}
