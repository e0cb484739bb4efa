package app_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/spreadsheet"
)

func entriesOf(t *testing.T, a servicetest.Answer) (all []servicetest.Record) {
	t.Helper()
	list, _ := a.Wants(t, http.StatusOK)["entries"].([]any)
	for _, one := range list {
		record, _ := one.(servicetest.Record)
		all = append(all, record)
	}
	return all
}

func TestK9_TrailIsReadInTheApp(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		person := h.Enrol(noura)
		admin := h.SignedIn(noura)
		h.Clock.Advance(24 * time.Hour)
		key := h.As(admin, http.MethodPost, servicetest.KeysPath, `{"title":"Till"}`).Wants(t, http.StatusCreated)
		name := servicetest.Text(key["name"])
		list := func(query string) []servicetest.Record {
			t.Helper()
			return entriesOf(t, h.As(admin, http.MethodGet, servicetest.TrailPath+query, ""))
		}
		first := list("?page_size=1")[0]
		for _, varies := range []string{"uuid", "request_id"} {
			if servicetest.Text(first[varies]) == "" {
				t.Errorf("%s is empty", varies)
			}
			delete(first, varies)
		}
		servicetest.Same(t, "newest entry", first, servicetest.Record{
			"at": "2026-11-16T12:00:00+03:00", "kind": "person", "actor": noura, "address": "127.0.0.1", "action": "key.create",
			"label": "API key created", "label_ar": "إنشاء مفتاح الربط البرمجي (API)", "subject": name,
			"details": servicetest.Record{"title": "Till", "role": "CreateInvoice", "scopes": nil},
		})
		actions := func(query string) (all []string) {
			t.Helper()
			for _, e := range list(query) {
				all = append(all, servicetest.Text(e["action"]))
			}
			return all
		}
		servicetest.Same(t, "by subject", actions("?subject="+name), []string{"key.create"})
		servicetest.Same(t, "by actor", actions("?actor="+url.QueryEscape(noura)), []string{"key.create", "session.opened"})
		servicetest.Same(t, "by action", actions("?action=person.create&subject="+person.ID.String()), []string{"person.create"})
		servicetest.Same(t, "of a day", actions("?date_from=2026-11-16&date_to=2026-11-16"), []string{"key.create"})
		servicetest.Same(t, "before a day", actions("?actor="+url.QueryEscape(noura)+"&date_to=2026-11-15"), []string{"session.opened"})
		servicetest.Same(t, "of another day", len(list("?date_from=2026-11-17")), 0)
		servicetest.Same(t, "bad date", h.As(admin, http.MethodGet, servicetest.TrailPath+"?date_from=tomorrow", "").Status, http.StatusBadRequest)

		other := h.Session(org.Admin, h.Organisation("Other", "business"))
		for _, e := range entriesOf(t, h.As(other, http.MethodGet, servicetest.TrailPath+"?page_size=100", "")) {
			if strings.Contains(fmt.Sprint(e), name) || e["actor"] == noura {
				t.Errorf("the trail of another organisation contains %v", e)
			}
		}
		servicetest.Same(t, "another's entries by subject", len(entriesOf(t, h.As(other, http.MethodGet, servicetest.TrailPath+"?subject="+name, ""))), 0)
	})
}

// The trail can only be read.
func TestK9_NoCallChangesTheTrail(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	for _, row := range h.Service.AppRows() {
		if strings.HasPrefix(row.Path, "/api/trail/") && row.Method != http.MethodGet {
			t.Errorf("%s %s is served, want only GET", row.Method, row.Path)
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		servicetest.Same(t, method, h.As(h.Session(org.Admin, h.Org), method, servicetest.TrailPath, "{}").Status, http.StatusMethodNotAllowed)
	}
}

// An export contains the entries of the list, and is itself an entry.
func TestK9_TrailIsExported(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin := h.Session(org.Admin, h.Org)
		for n := range 30 {
			h.As(admin, http.MethodPost, servicetest.ReasonsPath, fmt.Sprintf(`{"description":"سبب %d, \"quoted\""}`, n)).Wants(t, http.StatusCreated)
		}
		const filter = "action=reason.create&date_from=2026-11-15&date_to=2026-11-15"
		listed := entriesOf(t, h.As(admin, http.MethodGet, servicetest.TrailPath+"?page_size=100&"+filter, ""))
		servicetest.Same(t, "entries", len(listed), 30)
		export := func(format string) servicetest.Answer {
			t.Helper()
			a := h.As(admin, http.MethodGet, servicetest.TrailPath+"export/?"+filter+"&format="+format, "")
			servicetest.Same(t, "name of the file", a.Header.Get("Content-Disposition"), "attachment; filename=audit-trail."+format)
			newest := entriesOf(t, h.As(admin, http.MethodGet, servicetest.TrailPath+"?page_size=1", ""))[0]
			servicetest.Same(t, "entry of the export", []any{newest["action"], newest["subject"]}, []any{"trail.export", format + " 2026-11-15/2026-11-15"})
			return a
		}
		lines := strings.Split(strings.TrimSuffix(export("jsonl").Body, "\n"), "\n")
		var decoded []servicetest.Record
		for _, line := range lines {
			decoded = append(decoded, servicetest.Answer{Body: line}.JSON(t))
		}
		servicetest.Same(t, "JSON Lines", decoded, listed)
		for _, format := range []string{"csv", "xlsx"} {
			rows := tableOf(t, export(format).Body)
			servicetest.Same(t, "heading", rows[0], []string{"uuid", "at", "kind", "actor", "address", "request_id", "action", "label", "label_ar", "subject", "details"})
			for n, e := range listed {
				var details, want any
				if err := errors.Join(json.Unmarshal([]byte(rows[n+1][10]), &details), json.Unmarshal([]byte(servicetest.AsJSON(t, e["details"])), &want)); err != nil {
					t.Fatal(err)
				}
				servicetest.Same(t, "details", details, want)
				for i, name := range rows[0][:10] {
					servicetest.Same(t, format+" "+name, rows[n+1][i], servicetest.Text(e[name]))
				}
			}
			servicetest.Same(t, "rows of "+format, len(rows), 31)
		}
		if text := export("csv").Body; !strings.HasPrefix(text, "\ufeff") {
			t.Error("the CSV file does not begin with a byte order mark")
		}
	})
}

// tableOf returns the rows of a CSV or XLSX file.
func tableOf(t *testing.T, text string) (all [][]string) {
	t.Helper()
	r, err := spreadsheet.NewReader(bytes.NewReader([]byte(text)), int64(len(text)), spreadsheet.Limits{})
	for err == nil {
		var row []string
		if row, err = r.Read(); err == nil {
			all = append(all, slices.Clone(row))
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	return all
}

// Texts of strangers in an export are no formulas.
func TestK9_ExportedTextsAreNoFormulas(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin := h.Session(org.Admin, h.Org)
		subjects := []string{"=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1+1", "\r=1+1", "=HYPERLINK(\"https://evil.example\")", "|calc", "harmless"}
		by := h.Operator(h.Org)
		for _, subject := range subjects {
			by.Name = subject
			if err := h.Service.Store().Note(t.Context(), by, "backup.make", subject); err != nil {
				t.Fatal(err)
			}
		}
		a := h.As(admin, http.MethodGet, servicetest.TrailPath+"export/?action=backup.make", "")
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(a.Body, "\ufeff"))).ReadAll()
		if err != nil || len(rows) != len(subjects)+1 {
			t.Fatalf("%d rows, %v, want %d", len(rows), err, len(subjects)+1)
		}
		for _, row := range rows[1:] {
			for _, cell := range row {
				if strings.ContainsAny(strings.TrimLeft(cell, " ")[:min(1, len(strings.TrimLeft(cell, " ")))], "=+-@\t\r") {
					t.Errorf("cell %q begins like a formula", cell)
				}
			}
		}
	})
}

func TestK9_ExportIsLimited(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin := h.Session(org.Admin, h.Org)
		h.Exec(t, `
			INSERT INTO event (id, org_id, at, kind, actor, address, request, action, subject, details)
			WITH RECURSIVE entry (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM entry WHERE n <= 20000)
			SELECT printf('01900000-0000-7000-8000-%012d', n), $1, 1, 'system', '', '', '', 'thing.filled', '', '{}' FROM entry`, h.Org.ID.String())
		wantCode(t, "a long export", h.As(admin, http.MethodGet, servicetest.TrailPath+"export/?action=thing.filled", ""), http.StatusBadRequest, "export_too_large")
		got := h.As(admin, http.MethodGet, servicetest.TrailPath+"?page_size=1&action=thing.filled", "").Wants(t, http.StatusOK)
		servicetest.Same(t, "total", []any{got["total"], got["total_capped"]}, []any{servicetest.Number(10_000), true})
	})
}
