package authority_test

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/ledger"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// statuses are the statuses that the authority, its gateway or a proxy may
// return.
var statuses = []int{200, 202, 208, 303, 400, 401, 403, 404, 406, 409, 413, 428, 429, 500, 501, 502, 503, 504}

// signs are abbreviations of outcomes in the golden file.
var signs = map[ledger.Outcome]string{
	ledger.Accepted: "acc", ledger.Duplicate: "dup", ledger.Rejected: "REJ", ledger.UseReporting: "rep",
	ledger.Unauthorised: "una", ledger.Throttled: "thr", ledger.TooLarge: "big", ledger.Unknown: "·",
}

// TestReliability_U4_GoldenOutcomes tests every combination of endpoint, status
// and body over HTTP. REJ in the golden table is the only outcome that cannot
// be undone.
func TestReliability_U4_GoldenOutcomes(t *testing.T) {
	var table bytes.Buffer
	cases := 0
	for _, to := range []string{"clearance", "reporting", "compliance check"} {
		fmt.Fprintf(&table, "%-40s", to)
		for _, status := range statuses {
			fmt.Fprintf(&table, " %3d", status)
		}
		table.WriteByte('\n')
		for _, body := range bodies(t) {
			fmt.Fprintf(&table, "%-40s", body.name)
			for _, status := range statuses {
				v := hostile(t, status, body.text, nil).send(to)
				fmt.Fprintf(&table, " %3s", signs[v.Outcome])
				checkRead(t, v, status, body.text)
				cases++
			}
			table.WriteByte('\n')
		}
	}
	t.Logf("%d cases", cases)
	testtool.Golden(t, *update, "testdata/outcomes.txt", table.Bytes())
}

// checkRead checks what must hold for every answer.
func checkRead(t *testing.T, v ledger.Verdict, status int, body []byte) {
	t.Helper()
	if v.Code != status || !bytes.Equal(v.Raw, body) || !v.Sent || v.Cause != nil {
		t.Errorf("%d %.60q: code %d, raw %.60q, sent %v, cause %v; want the same code and body, sent, no cause", status, body, v.Code, v.Raw, v.Sent, v.Cause)
	}
	if v.Outcome == ledger.Rejected && (status != http.StatusBadRequest || len(v.Errors) == 0) {
		t.Errorf("%d %.60q: rejected, want rejections only for a 400 with an error message", status, body)
	}
}

// All bodies of one form have the same outcomes in the golden file.
func TestBodiesOfAFormHaveTheSameOutcome(t *testing.T) {
	text, err := os.ReadFile("testdata/outcomes.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen, at := map[string]string{}, ""
	for line := range strings.Lines(string(text)) {
		name, outcomes := strings.TrimSpace(line[:40]), line[40:]
		if !strings.Contains(name, "-") {
			at = name
			continue
		}
		form, _, _ := strings.Cut(name, "-")
		if first, known := seen[at+form]; known && first != outcomes {
			t.Errorf("%s: the outcomes of %s differ from those of its form", at, name)
		}
		seen[at+form] = outcomes
	}
	if len(seen) != 3*7 {
		t.Errorf("%d combinations of endpoint and form, want 21", len(seen))
	}
}

type body struct {
	name string
	text []byte
}

func bodies(t *testing.T) []body {
	t.Helper()
	paths, err := filepath.Glob("testdata/bodies/*")
	if err != nil || len(paths) < 6 {
		t.Fatalf("found %d bodies, want at least 6: %v", len(paths), err)
	}
	var all []body
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, body{filepath.Base(path), text})
	}
	return all
}
