package simulator_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"khatm/internal/testtool"
	"khatm/rules"
	"khatm/sample"
	"khatm/simulator"
)

// verdictOf is the part of an answer that these tests read.
type verdictOf struct {
	Results struct {
		Errors   []struct{ Type, Code, Category, Message, Status string } `json:"errorMessages"`
		Warnings []struct{ Code string }                                  `json:"warningMessages"`
		Status   string
	} `json:"validationResults"`
	Clearance string `json:"clearanceStatus"`
	Reporting string `json:"reportingStatus"`
}

// lastReasons returns the reasons of the last record of the journal.
func lastReasons(h *fixture) []struct{ Kind, Code, Cause string } {
	h.t.Helper()
	lines := splitLines(h.mustControl(http.MethodGet, "/journal", ""))
	var record struct {
		Reasons []struct{ Kind, Code, Cause string }
	}
	if err := json.Unmarshal(lines[len(lines)-1], &record); err != nil {
		h.t.Fatal(err)
	}
	return record.Reasons
}

// TestForcedRejectionOfEveryRule rejects a valid document with each rule, or with
// every third one without testtool.All, alternately of both kinds, and accepts the same
// document afterwards.
func TestForcedRejectionOfEveryRule(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	standard, simplified := d.seal(sample.Invoice(), d.pcsid), d.seal(sample.Simplified(), d.pcsid)
	book := testtool.Spread(rules.Book(), 0, 3)
	for i, rule := range book {
		doc, isSimplified := standard, i%2 == 1
		if isSimplified {
			doc = simplified
		}
		h.mustControl(http.MethodPost, "/rejections", fmt.Sprintf(`{"codes":[%q]}`, rule.ID))
		r, _ := d.submit(doc, isSimplified)
		var v verdictOf
		r.into(t, &v)
		if r.status != http.StatusBadRequest || v.Clearance+v.Reporting != map[bool]string{false: "NOT_CLEARED", true: "NOT_REPORTED"}[isSimplified] {
			t.Fatalf("%s: status %d, want a rejection: %s", rule.ID, r.status, r.body)
		}
		if len(v.Results.Errors) != 1 || v.Results.Errors[0].Code != rule.ID || v.Results.Errors[0].Message == "" || v.Results.Errors[0].Category == "" || v.Results.Status != "ERROR" {
			t.Errorf("%s: results %+v, want this error only", rule.ID, v.Results)
		}
		if header := r.header.Get("X-Simulator-Reason"); !strings.HasPrefix(header, "forced "+rule.ID+": this rejection was forced with POST /rejections") {
			t.Errorf("%s: X-Simulator-Reason is %q, want that the rejection was forced", rule.ID, header)
		}
	}
	if reasons := lastReasons(h); len(reasons) == 0 || reasons[0].Kind != "forced" || reasons[0].Code != book[len(book)-1].ID {
		t.Errorf("reasons in the journal %+v, want the forced rejection first", reasons)
	}
	if r, _ := d.submit(standard, false); r.status != http.StatusOK {
		t.Errorf("clearance after the rejections: status %d, want 200: %s", r.status, r.body)
	}
	if r, _ := d.submit(simplified, true); r.status != http.StatusOK {
		t.Errorf("report after the rejections: status %d, want 200: %s", r.status, r.body)
	}
}

// TestForcedRejectionsAreUsedUp checks the order of rejections, how often they
// apply, and that neither compliance checks nor duplicates use them.
func TestForcedRejectionsAreUsedUp(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "1100")
	accepted := d.seal(sample.Simplified(), d.pcsid)
	d.submit(accepted, true)
	h.mustControl(http.MethodPost, "/rejections", `{"codes":["BR-KSA-84","BR-09"],"times":2}`)
	h.mustControl(http.MethodPost, "/rejections", `{"codes":["BR-KSA-49"]}`)
	if r, _ := d.submit(accepted, true); r.status != http.StatusConflict {
		t.Errorf("duplicate: status %d, want 409: %s", r.status, r.body)
	}
	if r := d.must(http.MethodPost, "/compliance/invoices", d.ccsid, "", d.seal(sample.Simplified(), d.ccsid)); r.status != http.StatusOK {
		t.Errorf("compliance check: status %d, want 200: %s", r.status, r.body)
	}
	for i, want := range []string{"BR-KSA-84 BR-09", "BR-KSA-84 BR-09", "BR-KSA-49", ""} {
		r, _ := d.submit(d.seal(sample.Simplified(), d.pcsid), true)
		var v verdictOf
		r.into(t, &v)
		var got []string
		for _, m := range v.Results.Errors {
			got = append(got, m.Code)
		}
		if strings.Join(got, " ") != want || (r.status == http.StatusOK) != (want == "") {
			t.Errorf("document %d: status %d with %v, want %q", i, r.status, got, want)
		}
	}
	for method, path := range map[string]string{"DELETE": "/rejections", "POST": "/reset"} {
		h.mustControl(http.MethodPost, "/rejections", `{"codes":["BR-KSA-84"],"times":1000}`)
		h.mustControl(method, path, "")
		if left := string(h.mustControl(http.MethodGet, "/rejections", "")); strings.Contains(left, "BR-KSA-84") {
			t.Errorf("after %s %s: %s, want no rejections", method, path, left)
		}
	}
}

// TestForcedRejectionOfManyAtOnce checks that concurrent documents use each
// rejection once.
func TestForcedRejectionOfManyAtOnce(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	d := h.onboard("simulation", "0100")
	h.mustControl(http.MethodPost, "/rejections", `{"codes":["BR-KSA-84"],"times":7}`)
	docs := make([]document, 20)
	for i := range docs {
		docs[i] = d.seal(sample.Simplified(), d.pcsid)
	}
	statuses := make([]int, len(docs))
	var all sync.WaitGroup
	for i := range docs {
		all.Go(func() {
			r, err := d.send(http.MethodPost, "/invoices/reporting/single", d.pcsid, "", docs[i])
			if err == nil {
				statuses[i] = r.status
			}
		})
	}
	all.Wait()
	count := map[int]int{}
	for _, s := range statuses {
		count[s]++
	}
	if count[400] != 7 || count[200] != 13 {
		t.Errorf("statuses %v, want 7 rejections and 13 accepted", count)
	}
}

// TestForcedRejectionIsOfTheControlAPI checks that the authority's address does
// not serve it, and what the control API refuses.
func TestForcedRejectionIsOfTheControlAPI(t *testing.T) {
	t.Parallel()
	h := open(t, simulator.Config{})
	for _, path := range []string{"/rejections", "/e-invoicing/simulation/rejections"} {
		request, err := http.NewRequest(http.MethodPost, h.url+path, strings.NewReader(`{"codes":["BR-KSA-84"]}`))
		if err != nil {
			t.Fatal(err)
		}
		if r, err := do(request); err != nil || r.status != http.StatusNotFound {
			t.Errorf("POST %s of the authority: status %d, want 404 (error: %v)", path, r.status, err)
		}
	}
	for body, says := range map[string]string{
		`{}`: "1 to 8", `{"codes":[]}`: "1 to 8", `{"codes":["BR-KSA-999"]}`: "BR-KSA-999", `{"codes":["BR-KSA-84"],"times":0}`: "1 to 1000",
		`{"codes":["BR-KSA-84"],"times":1001}`: "1 to 1000", `{"codes":"BR-KSA-84"}`: "decode", `{"code":"BR-KSA-84"}`: "unknown field",
		`{"codes":["BR-01","BR-02","BR-03","BR-04","BR-05","BR-06","BR-07","BR-08","BR-09"]}`: "1 to 8",
	} {
		if status, text := h.callControl(http.MethodPost, "/rejections", body); status != 400 || !strings.Contains(string(text), says) {
			t.Errorf("POST /rejections %s: status %d: %s, want 400 with %q", body, status, text, says)
		}
	}
	if left := strings.Join(strings.Fields(string(h.mustControl(http.MethodGet, "/rejections", ""))), ""); left != `{"waiting":[]}` {
		t.Errorf("GET /rejections = %s, want none", left)
	}
}
