package simulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"khatm/simulator/internal/view"
)

// controlRoute is one operation of the control API.
type controlRoute struct {
	pattern     string // pattern of http.ServeMux
	description string
	do          func(*Simulator, http.ResponseWriter, *http.Request) error
}

// controlRoutes returns all operations of the control API. docs/simulator.md has
// the same table.
func controlRoutes() []controlRoute {
	return []controlRoute{
		{"GET /{$}", "list these operations", (*Simulator).listRoutes},
		{"GET " + view.Base, "web page with the mood, the devices and the last requests, for a browser", (*Simulator).getPage},
		{"POST /otps", `create a one-time password: {"vat_number":"3…3","environment":"simulation"}`, (*Simulator).postPassword},
		{"GET /mood", "show the mood, its plan, and how often each fault was applied", (*Simulator).getMood},
		{"PUT /mood", `set the mood: {"name":"polite"}, or a plan of faults`, (*Simulator).putMood},
		{"POST /mood/force", `apply a fault to the next requests: {"knob":"drop_after","times":3}`, (*Simulator).forceFault},
		{"GET /rejections", "show the forced rejections that are not applied yet", (*Simulator).getRejections},
		{"POST /rejections", `reject the next documents with the ids of rules: {"codes":["BR-KSA-84"],"times":1}`, (*Simulator).postRejection},
		{"DELETE /rejections", "remove the forced rejections", (*Simulator).deleteRejections},
		{"GET /clock", "show the simulator's time", (*Simulator).getClock},
		{"PUT /clock", `move or stop the clock: {"step":"25h"}, {"offset":"0s"} or {"freeze":"2026-01-01T00:00:00Z"}`, (*Simulator).putClock},
		{"GET /settings", "show the settings clearance (on, off), renewal (direct, checks), sandbox (open, strict), certificates (own, any)", (*Simulator).getSettings},
		{"PUT /settings", `change settings: {"clearance":"off"}`, (*Simulator).putSettings},
		{"GET /credentials", "list the issued certificates, without secrets", (*Simulator).getCredentials},
		{"POST /revoke", `revoke a certificate: {"request_id":"…"}, or all of a taxpayer: {"vat_number":"3…3"}`, (*Simulator).postRevoke},
		{"GET /issuers/{environment}", "return the issuers' certificates in PEM", (*Simulator).getIssuers},
		{"GET /journal", "return every request, one JSON object per line", (*Simulator).getJournal},
		{"GET /chain", "check the chain of each device for gaps, forks and repeats", (*Simulator).getChain},
		{"GET /counts", "count requests by operation, status, outcome and faults", (*Simulator).getCounts},
		{"POST /reset", "reset everything: certificates, passwords, journal, mood, rejections, clock and settings", (*Simulator).postReset},
	}
}

// PagePath is the path of the web page at the address of [Simulator.Control].
const PagePath = view.Base

// Control returns the control API and, at PagePath, a web page for a browser.
// Anyone who can reach it controls the simulator, so serve it on a loopback
// address only. It refuses requests from other web pages, and requests whose
// Host is not a loopback name, which protects against DNS rebinding.
func (s *Simulator) Control() http.Handler {
	mux := http.NewServeMux()
	for _, o := range controlRoutes() {
		mux.HandleFunc(o.pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := o.do(s, w, r); err != nil {
				writeError(w, err)
			}
		})
	}
	mux.Handle("POST "+view.Base, s.page)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ofPage := strings.HasPrefix(r.URL.Path, view.Base) // the page checks the origin itself
		if !isLoopback(r.Host) || !ofPage && fromPage(r) {
			writeError(w, &controlError{http.StatusForbidden, errors.New("the control API accepts only requests to localhost that do not come from a web page")})
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// fromPage reports whether a web page sent the request. Browsers send Origin
// with every form and every call of a script to another site.
func fromPage(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return r.Header.Get("Origin") != "" || site != "" && site != "none"
}

// isLoopback reports whether a host, with or without a port, is localhost or a
// loopback IP address. Other names can be changed to resolve to this machine.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// controlError is an error caused by the request, with the status of the
// response.
type controlError struct {
	status int
	err    error
}

func (b *controlError) Error() string { return b.err.Error() }
func (b *controlError) Unwrap() error { return b.err }

func badRequest(err error) error {
	if err == nil {
		return nil
	}
	return &controlError{http.StatusBadRequest, err}
}

func writeError(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	var bad *controlError
	switch {
	case errors.As(err, &bad):
		status = bad.status
	case errors.Is(err, errClosed):
		status = http.StatusServiceUnavailable
	}
	reply(w, status, map[string]string{"error": err.Error()})
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(body) // an error means that the client has disconnected
}

// maxControlBody is the maximum size of a request body. A plan with every fault
// is far smaller.
const maxControlBody = 64 << 10

func readControlBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxControlBody))
	return body, badRequest(err)
}

// decodeControlBody decodes a JSON body and refuses unknown fields.
func decodeControlBody(w http.ResponseWriter, r *http.Request, into any) error {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxControlBody))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return badRequest(fmt.Errorf("decode the request body: %w", err))
	}
	return nil
}

// listRoutes lists the operations. A browser gets the web page instead.
func (s *Simulator) listRoutes(w http.ResponseWriter, r *http.Request) error {
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.Redirect(w, r, view.Base, http.StatusSeeOther)
		return nil
	}
	type row struct {
		Order string `json:"order"`
		Does  string `json:"does"`
	}
	var list []row
	for _, o := range controlRoutes() {
		list = append(list, row{strings.TrimSuffix(o.pattern, "{$}"), o.description})
	}
	reply(w, http.StatusOK, list)
	return nil
}

// withState calls do with the state under the read lock, so that no reset can
// interfere.
func (s *Simulator) withState(do func(*state) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.state == nil {
		return errClosed
	}
	return do(s.state)
}
