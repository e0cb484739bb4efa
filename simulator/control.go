package simulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
)

// order is one operation of the control API.
type order struct {
	pattern string // as http.ServeMux takes it
	says    string
	do      func(*Simulator, http.ResponseWriter, *http.Request) error
}

// orders is the whole control API. docs/simulator.md has the same table.
func orders() []order {
	return []order{
		{"GET /{$}", "this list", (*Simulator).showOrders},
		{"POST /otps", `a one-time password: {"vat_number":"3…3","environment":"simulation"}`, (*Simulator).postPassword},
		{"GET /mood", "the mood, its plan, and how often each knob has struck", (*Simulator).getMood},
		{"PUT /mood", `another mood: {"name":"polite"}, or a plan of knobs`, (*Simulator).putMood},
		{"POST /mood/force", `a fault for the next requests: {"knob":"drop_after","times":3}`, (*Simulator).forceFault},
		{"GET /clock", "the simulator's time", (*Simulator).getClock},
		{"PUT /clock", `move it: {"step":"25h"}, {"offset":"0s"} or {"freeze":"2026-01-01T00:00:00Z"}`, (*Simulator).putClock},
		{"GET /settings", "clearance (on, off), renewal (direct, checks), sandbox (open, strict)", (*Simulator).getSettings},
		{"PUT /settings", `change some: {"clearance":"off"}`, (*Simulator).putSettings},
		{"GET /credentials", "the certificates that were issued, without secrets", (*Simulator).getCredentials},
		{"POST /revoke", `end one: {"request_id":"…"}, or all of a taxpayer: {"vat_number":"3…3"}`, (*Simulator).postRevoke},
		{"GET /issuers/{environment}", "the issuers' certificates, PEM", (*Simulator).getIssuers},
		{"GET /journal", "every request, a JSON object a line", (*Simulator).getJournal},
		{"GET /chain", "the chain of each device: gaps, forks, repeats", (*Simulator).getChain},
		{"GET /counts", "how many requests had which fate", (*Simulator).getCounts},
		{"POST /reset", "forget everything: certificates, passwords, journal, mood, clock and settings", (*Simulator).postReset},
	}
}

// Control is the control API. Whoever reaches it rules the simulator, so it
// belongs on a loopback address; requests from a browser's page are refused, and
// so are those to another host's name, which a page can have lead here.
func (s *Simulator) Control() http.Handler {
	mux := http.NewServeMux()
	for _, o := range orders() {
		mux.HandleFunc(o.pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := o.do(s, w, r); err != nil {
				refuseOrder(w, err)
			}
		})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") != "" || !isLoopback(r.Host) {
			refuseOrder(w, &badOrder{http.StatusForbidden, errors.New("the control API is not for web pages")})
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// isLoopback says that a host, with or without a port, is this machine by a
// name that nobody else can give it.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// badOrder is an error of whoever gave the order.
type badOrder struct {
	status int
	err    error
}

func (b *badOrder) Error() string { return b.err.Error() }
func (b *badOrder) Unwrap() error { return b.err }

func wrongOrder(err error) error {
	if err == nil {
		return nil
	}
	return &badOrder{http.StatusBadRequest, err}
}

func refuseOrder(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	var bad *badOrder
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
	_ = encoder.Encode(body) // who does not listen is not told
}

// maxOrder is the longest order; a plan with every knob is far shorter.
const maxOrder = 64 << 10

func readOrder(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxOrder))
	return body, wrongOrder(err)
}

// decodeOrder reads an order of known fields only.
func decodeOrder(w http.ResponseWriter, r *http.Request, into any) error {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxOrder))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return wrongOrder(fmt.Errorf("read the order: %w", err))
	}
	return nil
}

func (s *Simulator) showOrders(w http.ResponseWriter, _ *http.Request) error {
	type row struct {
		Order string `json:"order"`
		Does  string `json:"does"`
	}
	var list []row
	for _, o := range orders() {
		list = append(list, row{strings.TrimSuffix(o.pattern, "{$}"), o.says})
	}
	reply(w, http.StatusOK, list)
	return nil
}

// withState does something with the state, while nothing is reset.
func (s *Simulator) withState(do func(*state) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.state == nil {
		return errClosed
	}
	return do(s.state)
}
