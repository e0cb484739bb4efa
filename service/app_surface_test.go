package service_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/app"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/wire"
)

const appDocument = "/app/openapi.json"

// Whatever writes in the app is refused to another site's script, and to who
// does not say where the cookie was sent from.
func TestK8_EveryWriteOfTheAppKnowsWhereItComesFrom(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		shop := h.till()
		own, token := shop.stockOf(h.key), h.session(org.Admin, h.org)
		before := h.snapshot(h.org)
		asked := 0
		for _, row := range h.service.AppRows() {
			if row.Method == http.MethodGet || row.Access == wire.Anyone {
				continue
			}
			asked++
			operation := operationOf(row)
			fill := body(shop, operation)
			otherSite.wants(t, operation+" from another origin", h.send(row.Method, own.at(row), cookie(token), fill, header("Origin", "https://evil.example")))
			otherSite.wants(t, operation+" from another site", h.send(row.Method, own.at(row), cookie(token), fill, header("Sec-Fetch-Site", "cross-site")))
			noOrigin.wants(t, operation+" from nowhere", h.send(row.Method, own.at(row), cookie(token), fill))
			keyHere.wants(t, operation+" with a key", h.send(row.Method, own.at(row), bearer(h.key), fill))
		}
		if asked != 10 {
			t.Errorf("%d rows write", asked)
		}
		same(t, "what there is", h.snapshot(h.org), before)
		// What a form of HTML can send is no JSON.
		for _, path := range []string{draftsPath, draftsPath + own.draft + "/"} {
			method := http.MethodPost
			if path != draftsPath {
				method = http.MethodPatch
			}
			for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
				got := h.send(method, path, cookie(token), header("Origin", h.server.URL), jsonBody(shop.draft()), header("Content-Type", kind))
				same(t, method+" of "+kind, []any{got.status, got.json(t)["message"]}, []any{http.StatusBadRequest, "The body must be application/json in UTF-8"})
			}
		}
		same(t, "what there is", h.snapshot(h.org), before)
	})
}

func TestInterface_5_AppDocumentIsPublicAndComplete(t *testing.T) {
	h := open(t, nil)
	for _, path := range []string{appDocument, "/app/openapi-3.0.json", "/app/docs"} {
		if a := h.as("", http.MethodGet, path, ""); a.status != http.StatusOK {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	document := h.as("", http.MethodGet, appDocument, "").wants(t, http.StatusOK)
	made, _, err := app.New(app.Config{}).Document()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the document", document, answer{body: string(made)}.json(t))
	all := operations(document)
	var want []string
	for operation, r := range rights {
		if r.people || operation == "POST /api/session/" {
			want = append(want, operation)
		}
	}
	same(t, "operations", slices.Sorted(maps.Keys(all)), slices.Sorted(slices.Values(want)))
	for name, operation := range all {
		summary, _ := operation["summary"].(string)
		words, _ := operation["description"].(string)
		responses, _ := operation["responses"].(record)
		if summary == "" || words == "" || operation["operationId"] == nil || operation["tags"] == nil {
			t.Errorf("%s is not described: %v", name, operation)
		}
		signed := []any{record{"session": []any{}}, record{"sessionToken": []any{}}}
		if name == "POST /api/session/" {
			signed = []any{}
		}
		same(t, name+" security", operation["security"], any(signed))
		for _, code := range []string{"401", "403", "429", "500", "503"} {
			if responses[code] == nil {
				t.Errorf("%s does not tell of %s", name, code)
			}
		}
		least := rights[name].least
		if least != "" && !strings.Contains(words, "of role `"+string(least)+"` or above; a key is refused") {
			t.Errorf("%s says %q", name, words)
		}
	}
	if words := asJSON(t, document); strings.Contains(words, "svc_") || strings.Contains(words, "422") {
		t.Error("the document speaks of keys or of 422")
	}
	properties(document, "", func(way string, property record) {
		if property["$ref"] == nil && property["description"] == nil && !strings.Contains(way, "/responses/") {
			t.Errorf("%s has no description", way)
		}
	})
}

func TestInterface_5_ExamplesOfTheAppDocumentAreAccepted(t *testing.T) {
	h := open(t, nil)
	shop := h.till()
	own, token := shop.stockOf(h.key), h.session(org.Admin, h.org)
	h.enrol("noura@example.sa")
	sent := 0
	for name, operation := range operations(h.as("", http.MethodGet, appDocument, "").wants(t, http.StatusOK)) {
		if operation["requestBody"] == nil {
			continue
		}
		sent++
		_, example := bodyExample(operation)
		method, path, _ := strings.Cut(name, " ")
		if a := h.send(method, "/app"+own.fill(path), bearer(token), jsonBody(asJSON(t, example))); a.status/100 != 2 {
			t.Errorf("%s: got %d %s", name, a.status, a.body)
		}
	}
	same(t, "bodies", sent, 3)
}

func TestInterface_5_WhatTheAppDocumentForbidsIsRefused(t *testing.T) {
	h := open(t, nil)
	token := h.session(org.Admin, h.org)
	contract, err := contractOf(h.service.Rows(), app.Base)
	if err != nil {
		t.Fatal(err)
	}
	violations, err := contract.Violations()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range violations {
		r, err := v.Request(h.server.URL)
		if err != nil {
			t.Fatal(err)
		}
		bearer(token)(r)
		a := h.do(r)
		if a.status != http.StatusBadRequest {
			t.Errorf("%s: got %d %s for %s %.200s", v, a.status, a.body, v.URL, v.Body)
			continue
		}
		if err := v.Told([]byte(a.body)); err != nil {
			t.Error(err)
		}
	}
	same(t, "drafts", h.as(token, http.MethodGet, draftsPath, "").wants(t, http.StatusOK)["total"], any(number(0)))
	if len(violations) < 100 {
		t.Errorf("only %d violations", len(violations))
	}
}

// Signing in, signing out and previews are no writes; what changes a draft is.
func TestInterface_8_FairUseOfTheApp(t *testing.T) {
	onSQLiteWith(t, fairUse, func(t *testing.T, h *house) {
		w := h.writer()
		h.enrol("noura@example.com")
		id := w.draftedBy(w.session)
		h.allow(0)
		spent("0").wants(t, "another draft", w.as(w.session, http.MethodPost, draftsPath, w.draft()))
		spent("0").wants(t, "sharing", w.do(http.MethodPost, id, "share", ""))
		w.do(http.MethodPost, id, "preview", "").wants(t, http.StatusOK)
		w.get(id)
		token := h.signedIn("noura@example.com")
		h.send(http.MethodDelete, sessionPath, bearer(token)).wants(t, http.StatusOK)
	})
}

// The app's rates are those of people: shared by all they do, and their own.
func TestInterface_8_CallsOfTheAppAreCountedByPerson(t *testing.T) {
	h := open(t, func(c *server.Config) { c.Rates.Person = 3 })
	one, two := h.session(org.Admin, h.org), h.session(org.Admin, h.org)
	for range 3 {
		h.as(one, http.MethodGet, draftsPath, "").wants(t, http.StatusOK)
	}
	throttled(t, h.as(one, http.MethodGet, sessionPath, ""), 3, 60)
	throttled(t, h.as(one, http.MethodGet, usagePath, ""), 3, 60)
	h.as(two, http.MethodGet, sessionPath, "").wants(t, http.StatusOK)
}
