package mood

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sight describes how a client recognises that a fault was applied.
type sight struct {
	setting Setting
	ran     int64 // how often the handler runs for a request
	seen    func(e Endpoint, r reply) bool
}

func withStatus(status int, text string) func(Endpoint, reply) bool {
	return func(_ Endpoint, r reply) bool {
		return r.err == nil && r.status == status && strings.Contains(r.body, text)
	}
}

var sights = map[string][]sight{
	"latency": {{ran: 1, seen: func(e Endpoint, r reply) bool { return r.body == goodBody(e) }}},
	"server_error": {
		{setting: Setting{Statuses: []int{500}}, seen: func(e Endpoint, r reply) bool {
			text := `"code":"Invalid-Request"`
			if e == Renewal {
				text = `"category":"HTTP-Errors"`
			}
			return withStatus(500, text)(e, r)
		}},
		{setting: Setting{Statuses: []int{503}, Accepted: Always}, seen: withStatus(503, `"code":"503"`)},
		{setting: Setting{Statuses: []int{504}}, seen: withStatus(504, `"code":"504"`)},
		{setting: Setting{Statuses: []int{504}, Accepted: Always}, ran: 1, seen: withStatus(504, `"code":"504"`)},
	},
	"too_many": {{setting: Setting{RetryAfter: 7 * time.Second}, seen: func(_ Endpoint, r reply) bool {
		return r.status == 429 && r.header.Get("Retry-After") == "7"
	}}},
	"too_many_silent": {{seen: func(_ Endpoint, r reply) bool {
		return r.status == 429 && r.header.Values("Retry-After") == nil
	}}},
	"timeout": {
		{seen: func(_ Endpoint, r reply) bool { return errors.Is(r.err, io.EOF) }},
		{setting: Setting{Accepted: Always}, ran: 1, seen: func(_ Endpoint, r reply) bool { return errors.Is(r.err, io.EOF) }},
	},
	"drop_before": {{seen: func(_ Endpoint, r reply) bool { return errors.Is(r.err, syscall.ECONNRESET) }}},
	"drop_after":  {{ran: 1, seen: func(_ Endpoint, r reply) bool { return errors.Is(r.err, io.EOF) }}},
	"empty_body": {{ran: 1, seen: func(e Endpoint, r reply) bool {
		return r.err == nil && r.status == goodStatus(e) && r.body == "" && r.header.Get("Content-Length") == "0"
	}}},
	"truncated_body": {{ran: 1, seen: func(e Endpoint, r reply) bool {
		want := goodBody(e)
		return r.status == goodStatus(e) && r.body == want[:len(want)/2] && (r.err == nil || errors.Is(r.err, io.ErrUnexpectedEOF))
	}}},
	"html_body": {
		{setting: Setting{Statuses: []int{200}}, seen: html(200)},
		{setting: Setting{Statuses: []int{502}, Accepted: Always}, ran: 1, seen: html(502)},
	},
	"wrong_type": {{ran: 1, seen: func(e Endpoint, r reply) bool {
		return r.header.Get("Content-Type") == "text/plain; charset=utf-8" && r.body == goodBody(e)
	}}},
	"duplicate_first": {{ran: 1, seen: func(e Endpoint, r reply) bool {
		if e == Clearance {
			return r.status == 208 && r.body == goodBody(e)
		}
		return r.status == 409 && strings.Contains(r.body, `"category":"Duplicate-Invoice"`) && strings.HasSuffix(r.body, `"reportingStatus":"NOT_REPORTED"}`)
	}}},
	"unauthorised": {{seen: withStatus(401, `{"timestamp":1654514661409,"status":401,"error":"Unauthorized","message":""}`)}},
	"too_large":    {{seen: withStatus(413, `"code":"413"`)}},
	"slow_drip":    {{ran: 1, seen: func(e Endpoint, r reply) bool { return r.err == nil && r.body == goodBody(e) }}},
	"endless_body": {{setting: Setting{Bytes: 100_000, Hold: time.Hour}, ran: 1, seen: func(_ Endpoint, r reply) bool {
		return errors.Is(r.err, io.ErrUnexpectedEOF) && len(r.body) == 100_000 && strings.HasPrefix(r.body, `{"validationResults":{"infoMessages":[{`)
	}}},
	"contradiction": {
		{setting: Setting{Statuses: []int{200}}, seen: func(e Endpoint, r reply) bool {
			return withStatus(200, `"code":"GENERAL"`)(e, r) && strings.Contains(r.body, `"NOT_`)
		}},
		{setting: Setting{Statuses: []int{400}}, ran: 1, seen: func(e Endpoint, r reply) bool {
			return r.status == 400 && r.body == goodBody(e)
		}},
	},
	"empty_rejection": {{seen: func(e Endpoint, r reply) bool {
		return withStatus(400, `"infoMessages":`)(e, r) && !strings.Contains(r.body, `"message":"`)
	}}},
	"clearance_off": {{seen: withStatus(303, "Please use the /invoices/reporting/single endpoint instead.")}},
	"shuffled_messages": {{ran: 1, seen: func(e Endpoint, r reply) bool {
		return r.body != goodBody(e) && len(r.body) == len(goodBody(e)) && sameJSON(unshuffled(r.body), goodBody(e))
	}}},
	"unknown_fields": {{ran: 1, seen: func(_ Endpoint, r reply) bool {
		return strings.Contains(r.body, `"traceContext":{`) && strings.Contains(r.body, `"validatorVersion":"`) &&
			strings.Count(r.body, `"severityRank":`) == 6
	}}},
	"info_object": {{ran: 1, seen: func(e Endpoint, r reply) bool {
		return r.body == strings.Replace(goodBody(e), "["+info+"]", info, 1)
	}}},
	"flat_results": {{ran: 1, seen: func(_ Endpoint, r reply) bool {
		return strings.HasPrefix(r.body, `{"validationResults":{"infoMessages":[`+info+`]},"warningMessages":[`+warnings+`],"errorMessages":[],"status":"WARNING",`)
	}}},
}

func html(status int) func(Endpoint, reply) bool {
	return func(_ Endpoint, r reply) bool {
		return r.status == status && strings.HasPrefix(r.body, "<html>") && r.header.Get("Content-Type") == "text/html; charset=utf-8"
	}
}

// TestEveryKnobIsSeen checks with a real client that each fault applies on its
// endpoints and on no others.
func TestEveryKnobIsSeen(t *testing.T) {
	for i := range table {
		k := &table[i]
		t.Run(k.Name, func(t *testing.T) {
			if len(sights[k.Name]) == 0 {
				t.Fatalf("sights has no entry for %s", k.Name)
			}
			for _, s := range sights[k.Name] {
				x := newFixture(t, Config{Seed: 3, Plan: only(k.Name, s.setting)})
				for _, e := range everyEndpoint {
					want, seen := s.ran, s.seen
					if !k.scope.has(e) {
						want, seen = 1, func(e Endpoint, r reply) bool { return r.body == goodBody(e) }
					}
					before, struck := x.ran.Load(), x.Counts()[k.Name]
					if r := x.ask(e); !seen(e, r) {
						t.Errorf("%s on %s: answer is not as wanted: %s", k.Name, e, r)
					}
					if got := x.ran.Load() - before; got != want {
						t.Errorf("%s on %s: the handler ran %d times, want %d", k.Name, e, got, want)
					}
					if got := x.Counts()[k.Name] - struck; (got == 1) != k.scope.has(e) {
						t.Errorf("%s on %s: counted %d times, want once only on its own endpoints", k.Name, e, got)
					}
				}
			}
		})
	}
}

// TestEveryVariantIsSeen checks that a fault with several variants uses all of
// them.
func TestEveryVariantIsSeen(t *testing.T) {
	for name, want := range map[string]int{
		"server_error": 3, "truncated_body": 2, "html_body": 2, "contradiction": 2, "empty_rejection": 3, "duplicate_first": 3,
	} {
		x := newFixture(t, Config{Seed: testSeed, Plan: only(name, Setting{})})
		seen := map[string]bool{}
		for range 60 {
			r := x.ask(Reporting)
			seen[fmt.Sprint(r.status, r.body, r.err)] = true
		}
		if len(seen) != want {
			t.Errorf("%s has %d variants, want %d", name, len(seen), want)
		}
	}
}

func TestEndpointOf(t *testing.T) {
	cases := []struct {
		method, path string
		want         Endpoint
	}{
		{"POST", "/e-invoicing/core/compliance", Compliance},
		{"POST", "/e-invoicing/developer-portal/compliance/invoices", ComplianceCheck},
		{"POST", "/e-invoicing/simulation/production/csids", Production},
		{"PATCH", "/e-invoicing/core/production/csids", Renewal},
		{"POST", "/invoices/clearance/single", Clearance},
		{"POST", "/e-invoicing/core/invoices/reporting/single", Reporting},
		{"GET", "/e-invoicing/core/invoices/reporting/single", Other},
		{"POST", "/e-invoicing/core/invoices/reporting/single/", Other},
		{"POST", "/", Other},
	}
	for _, c := range cases {
		r, err := http.NewRequest(c.method, "http://host"+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := EndpointOf(r); got != c.want {
			t.Errorf("EndpointOf(%s %s) = %s, want %s", c.method, c.path, got, c.want)
		}
	}
}
