package servicetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"khatm/service/internal/api"
	"khatm/service/internal/fault"
	"khatm/service/internal/wire"
	"khatm/service/internal/wire/wiretest"
)

// contracts caches the OpenAPI documents by base path. They are the same for
// every instance; another test checks that an instance serves them. The lock is
// held while a document is read, so that concurrent calls do not all read it.
var contracts = struct {
	sync.Mutex
	by map[string]*wiretest.Contract
}{by: map[string]*wiretest.Contract{}}

// ContractOf returns the OpenAPI document of a base path.
func ContractOf(rows []wire.Route, base string) (*wiretest.Contract, error) {
	contracts.Lock()
	defer contracts.Unlock()
	if known := contracts.by[base]; known != nil {
		return known, nil
	}
	document, err := wire.Document(wire.Info{Title: base, Version: api.Version}, base, RowsBelow(rows, base))
	if err != nil {
		return nil, err
	}
	contract, err := wiretest.Read(document)
	if err != nil {
		return nil, err
	}
	contracts.by[base] = contract
	return contract, nil
}

// Contract returns the OpenAPI document of a base path.
func (h *Instance) Contract(t testing.TB, base string) *wiretest.Contract {
	t.Helper()
	contract, err := ContractOf(h.Service.Rows(), base)
	if err != nil {
		t.Fatal(err)
	}
	return contract
}

// Violations returns calls that each break one constraint of the OpenAPI document
// of a base path.
func (h *Instance) Violations(t testing.TB, base string) []wiretest.Violation {
	t.Helper()
	violations, err := h.Contract(t, base).Violations()
	if err != nil {
		t.Fatal(err)
	}
	return violations
}

// RowsBelow returns the routes of a base path.
func RowsBelow(rows []wire.Route, base string) []wire.Route {
	return slices.DeleteFunc(slices.Clone(rows), func(r wire.Route) bool { return r.Base() != base })
}

// CheckAnswer returns an error if a response differs from the OpenAPI document.
// For hidden routes, unknown paths and wrong methods it checks only the form of
// errors.
func CheckAnswer(rows []wire.Route, r *http.Request, a Answer) error {
	if a.Header.Get("X-Request-ID") == "" {
		if byServer(a) {
			return nil
		}
		return fmt.Errorf("%s %s returns %d without X-Request-ID", r.Method, r.URL.Path, a.Status)
	}
	if a.Status >= http.StatusBadRequest {
		if err := Shaped(a); err != nil {
			return fmt.Errorf("%s %s returns %d: %w: %.300s", r.Method, r.URL.Path, a.Status, err, a.Body)
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
			return fmt.Errorf("%s %s returns %d without %s", r.Method, r.URL.Path, a.Status, name)
		}
	}
	if row.Hidden {
		return nil
	}
	if row.Base() == api.Base && slices.ContainsFunc(wire.SessionCodes, func(c fault.Code) bool { return strings.Contains(a.Body, `"code":"`+string(c)+`"`) }) {
		return nil // the document is for callers with a key, who never get these errors
	}
	contract, err := ContractOf(rows, row.Base())
	if err != nil {
		return err
	}
	// The escaped path: an escaped slash is not a separator.
	asked := &http.Request{Method: r.Method, URL: &url.URL{Path: r.URL.EscapedPath()}}
	return contract.Check(asked, a.Status, a.Header, []byte(a.Body))
}

// byServer reports whether net/http refused the request before our handler: it
// answers in plain text that starts with the status, and closes the connection.
func byServer(a Answer) bool {
	return a.Status/100 == 4 && a.Header.Get("Content-Type") == "text/plain; charset=utf-8" &&
		a.Header.Get("X-Content-Type-Options") == "" && strings.HasPrefix(a.Body, strconv.Itoa(a.Status)+" ")
}

// rowOf returns the route that serves a request, or nil. As in the router, a
// literal segment has priority over a parameter.
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

// Fits reports whether a path matches a template.
func Fits(template, path string) bool {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	return slices.EqualFunc(want, got, func(w, g string) bool {
		return w == g || strings.HasPrefix(w, "{") && g != ""
	})
}

// Shaped checks an error response against docs/contract.md section 7.1: a
// message, which is a sentence or a list of problems, or a detail; and status
// on a 401 only.
func Shaped(a Answer) error {
	if kind := a.Header.Get("Content-Type"); kind != "application/json" {
		return fmt.Errorf("Content-Type is %q, want application/json", kind)
	}
	var body map[string]any
	if err := json.Unmarshal([]byte(a.Body), &body); err != nil {
		return fmt.Errorf("not a JSON object: %w", err)
	}
	if _, is := body["status"]; is != (a.Status == http.StatusUnauthorized) || is && body["status"] != "false" {
		return errors.New(`a 401, and no other response, must have status "false"`)
	}
	if err := coded(a.Status, body); err != nil {
		return err
	}
	if message, is := body["message"]; is {
		return worded(message)
	}
	if detail, _ := body["detail"].(string); detail == "" {
		return errors.New("no message and no detail")
	}
	return nil
}

// coded checks that an error response has a known code of its status, and a
// complete list of errors. The refusal beyond the monthly allowance has neither.
func coded(status int, body map[string]any) error {
	if _, silent := body["upgrade_url"]; silent {
		if body["code"] != nil || body["errors"] != nil {
			return errors.New("the refusal beyond the monthly allowance must have no code")
		}
		return nil
	}
	code, _ := body["code"].(string)
	if fault.Code(code).Entry().Code == "" {
		return fmt.Errorf("code %q is not registered", code)
	}
	if status >= http.StatusInternalServerError && body["errors"] == nil {
		return nil
	}
	list, _ := body["errors"].([]any)
	if len(list) == 0 {
		return errors.New("errors is missing or empty")
	}
	for _, one := range list {
		problem, _ := one.(map[string]any)
		for _, name := range []string{"code", "message", "message_ar", "fix", "fix_ar"} {
			if text, _ := problem[name].(string); text == "" {
				return fmt.Errorf("errors contains %v, without %s", one, name)
			}
		}
	}
	return nil
}

// Plain returns the body of an error response without code and errors.
func Plain(body string) string { return without(body, "code", "errors") }

// without removes members from a JSON object. It returns other texts unchanged.
func without(body string, names ...string) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &fields) != nil {
		return body
	}
	for _, name := range names {
		delete(fields, name)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(fields) != nil {
		return body
	}
	return b.String()
}

func worded(message any) error {
	all, is := message.([]any)
	if !is {
		all = []any{message}
	}
	if len(all) == 0 {
		return errors.New("message is an empty list")
	}
	for _, one := range all {
		if text, _ := one.(string); text == "" {
			return fmt.Errorf("message contains %v, want a non-empty string", one)
		}
	}
	return nil
}
