package service_test

import (
	"database/sql"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"khatm/service/internal/org"
)

// record is a JSON object as read; numbers are json.Number.
type record = map[string]any

// same compares all of a value with what it should be.
func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// wants reads the body of an answer that must have a status.
func (a answer) wants(t testing.TB, status int) record {
	t.Helper()
	if a.status != status {
		t.Fatalf("got %d %s, want %d", a.status, a.body, status)
	}
	return a.json(t)
}

// read gets a record or a list.
func (h *house) read(t testing.TB, path string) record {
	t.Helper()
	return h.call(http.MethodGet, "/v1"+path, "").wants(t, http.StatusOK)
}

// addClient and addItem create over HTTP what must be accepted.
func (h *house) addClient(t testing.TB, data string, more ...part) record {
	t.Helper()
	return h.tryClient(data, more...).wants(t, http.StatusCreated)
}

func (h *house) addItem(t testing.TB, data string, more ...part) record {
	t.Helper()
	return h.tryItem(data, more...).wants(t, http.StatusCreated)
}

func (h *house) tryClient(data string, more ...part) answer {
	h.t.Helper()
	return h.form("/v1/api/onboarding/organizations/clients/", append([]part{{"client_data", "", data}}, more...)...)
}

func (h *house) tryItem(data string, more ...part) answer {
	h.t.Helper()
	return h.form("/v1/api/items/", append([]part{{"item_data", "", data}}, more...)...)
}

// change sends a PATCH.
func (h *house) change(path, body string) answer {
	h.t.Helper()
	return h.call(http.MethodPatch, "/v1"+path, body)
}

// problems are the lines of a 400 that lists them; a sentence is one line.
func (a answer) problems(t testing.TB) []string {
	t.Helper()
	message := a.wants(t, http.StatusBadRequest)["message"]
	all, is := message.([]any)
	if !is {
		all = []any{message}
	}
	lines := make([]string, len(all))
	for i := range all {
		lines[i], _ = all[i].(string)
	}
	return lines
}

// with gives a JSON object with some members set anew; a json.RawMessage is
// taken as it stands, an absent{} takes the member away.
func with(t testing.TB, object string, changes record) string {
	t.Helper()
	var o record
	d := json.NewDecoder(strings.NewReader(object))
	d.UseNumber()
	if err := d.Decode(&o); err != nil {
		t.Fatal(err)
	}
	for name, value := range changes {
		if _, drop := value.(absent); drop {
			delete(o, name)
			continue
		}
		o[name] = value
	}
	return asJSON(t, o)
}

type absent struct{}

func asJSON(t testing.TB, value any) string {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// stranger is a second organisation with a key.
func (h *house) stranger() (org.Organisation, string) {
	h.t.Helper()
	o := h.organisation("Other Trading", "business")
	return o, h.newKey(o, org.CreateInvoice)
}

// exec puts rows where no part of the service puts them yet.
func (h *house) exec(t testing.TB, query string, args ...any) {
	t.Helper()
	driver, source := "pgx", h.database
	if source == "" {
		driver, source = "sqlite", "file:"+(&url.URL{Path: filepath.Join(h.data, "khatm.db")}).EscapedPath()+"?_pragma=busy_timeout(10000)"
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// pictures are the names of the files that organisations have here.
func (h *house) pictures(t testing.TB) []string {
	t.Helper()
	var found []string
	root := os.DirFS(filepath.Join(h.data, "files"))
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasPrefix(path, "org/") {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

// names are the values of one field over a list.
func names(t testing.TB, list any, field string) []string {
	t.Helper()
	rows, is := list.([]any)
	if !is {
		t.Fatalf("%v is no list", list)
	}
	all := make([]string, len(rows))
	for i := range rows {
		row, _ := rows[i].(record)
		all[i], _ = row[field].(string)
	}
	return all
}

func idOf(r record) string {
	id, _ := r["uuid"].(string)
	return id
}
