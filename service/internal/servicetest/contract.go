package servicetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"khatm/service/internal/api"
	"khatm/service/internal/wire"
	"khatm/service/internal/wire/wiretest"
)

// contracts are the documents of the surfaces, by base. They say the same of
// every instance; that they are what an instance serves is a test of its own.
var contracts sync.Map

// ContractOf returns the published document of a surface.
func ContractOf(rows []wire.Route, base string) (*wiretest.Contract, error) {
	if known, is := contracts.Load(base); is {
		contract, _ := known.(*wiretest.Contract)
		return contract, nil
	}
	document, err := wire.Document(wire.Info{Title: base, Version: api.Version}, base, RowsBelow(rows, base))
	if err != nil {
		return nil, err
	}
	contract, err := wiretest.Read(document)
	contracts.Store(base, contract)
	return contract, err
}

// RowsBelow returns the routes of a surface.
func RowsBelow(rows []wire.Route, base string) []wire.Route {
	return slices.DeleteFunc(slices.Clone(rows), func(r wire.Route) bool { return r.Base() != base })
}

// CheckAnswer says how an answer differs from what the document promises, or nil. Rows
// that are not in the document, paths that lead nowhere and methods that a path
// does not know are held to the shapes of refusals only.
func CheckAnswer(rows []wire.Route, r *http.Request, a Answer) error {
	if a.Header.Get("X-Request-ID") == "" {
		if byServer(a) {
			return nil
		}
		return fmt.Errorf("%s %s answers %d without X-Request-ID", r.Method, r.URL.Path, a.Status)
	}
	if a.Status >= http.StatusBadRequest {
		if err := Shaped(a); err != nil {
			return fmt.Errorf("%s %s answers %d: %w: %.300s", r.Method, r.URL.Path, a.Status, err, a.Body)
		}
	}
	row := rowOf(rows, r)
	if row == nil {
		return nil
	}
	if row.Uncount {
		return nil
	}
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		if a.Header.Get(name) == "" {
			return fmt.Errorf("%s %s answers %d without %s", r.Method, r.URL.Path, a.Status, name)
		}
	}
	if row.Hidden {
		return nil
	}
	if row.Base() == api.Base && a.Status == http.StatusConflict && strings.Contains(a.Body, `"org_context_required"`) {
		return nil // the document speaks to callers with a key, who never meet it
	}
	contract, err := ContractOf(rows, row.Base())
	if err != nil {
		return err
	}
	// The path as it was sent: a slash that was escaped divides nothing.
	asked := &http.Request{Method: r.Method, URL: &url.URL{Path: r.URL.EscapedPath()}}
	return contract.Check(asked, a.Status, a.Header, []byte(a.Body))
}

// byServer says whether net/http refused a request before we saw it: it says so
// in plain text, repeats the status and ends the connection.
func byServer(a Answer) bool {
	return a.Status/100 == 4 && a.Header.Get("Content-Type") == "text/plain; charset=utf-8" &&
		a.Header.Get("X-Content-Type-Options") == "" && strings.HasPrefix(a.Body, strconv.Itoa(a.Status)+" ")
}

// rowOf finds the row that serves a request, as the router does: a name goes
// before a parameter. Nil: none does.
func rowOf(rows []wire.Route, r *http.Request) *wire.Route {
	var found *wire.Route
	for i := range rows {
		if rows[i].Method != r.Method || !Fits(rows[i].Address(), r.URL.EscapedPath()) {
			continue
		}
		if found == nil || strings.Contains(found.Path, "{") {
			found = &rows[i]
		}
	}
	return found
}

// Fits reports whether a path is one of a template.
func Fits(template, path string) bool {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	return slices.EqualFunc(want, got, func(w, g string) bool {
		return w == g || strings.HasPrefix(w, "{") && g != ""
	})
}

// Shaped holds a refusal to the shapes of section 7.1: a message, which is a
// sentence or a list of problems, or a detail; and status on a 401 alone.
func Shaped(a Answer) error {
	if kind := a.Header.Get("Content-Type"); kind != "application/json" {
		return fmt.Errorf("content type %q", kind)
	}
	var body map[string]any
	if err := json.Unmarshal([]byte(a.Body), &body); err != nil {
		return fmt.Errorf("no JSON object: %w", err)
	}
	if _, is := body["status"]; is != (a.Status == http.StatusUnauthorized) || is && body["status"] != "false" {
		return errors.New(`status "false" stands on a 401, and on nothing else`)
	}
	if message, is := body["message"]; is {
		return worded(message)
	}
	if detail, _ := body["detail"].(string); detail == "" {
		return errors.New("neither a message nor a detail")
	}
	return nil
}

func worded(message any) error {
	all, is := message.([]any)
	if !is {
		all = []any{message}
	}
	if len(all) == 0 {
		return errors.New("a list of no problems")
	}
	for _, one := range all {
		if text, _ := one.(string); text == "" {
			return fmt.Errorf("%v says nothing", one)
		}
	}
	return nil
}
