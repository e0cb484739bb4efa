package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"khatm/internal/testtool"

	"github.com/google/go-cmp/cmp"
)

// demoRun is a running demo in a separate process.
type demoRun struct {
	t       *testing.T
	folder  string
	output  *output
	process *exec.Cmd
	demoCredentials
}

func startDemo(t *testing.T, folder string) *demoRun {
	t.Helper()
	r := &demoRun{t: t, folder: folder, output: &output{}}
	r.process = exec.Command("khatm", "demo", "--addr=127.0.0.1:0", "--data=khatm-demo")
	r.process.Dir, r.process.Env = filepath.Dir(folder), stateIn(filepath.Dir(folder))
	r.process.Stdout, r.process.Stderr = r.output, r.output
	if err := r.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.process.Process.Kill() })
	r.output.wait(t, `(Serving)`)
	if err := json.Unmarshal(r.file("credentials.json"), &r.demoCredentials); err != nil {
		t.Fatal(err)
	}
	return r
}

// copyDemo returns a data folder in which the demo has run once.
func copyDemo(t *testing.T) string {
	t.Helper()
	made, err := demoOnce()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := made.write(dir); err != nil {
		t.Fatal(err)
	}
	confirm := exec.Command("khatm", "recover", "--confirm-complete", "--data=khatm-demo")
	confirm.Dir, confirm.Env = dir, stateIn(dir)
	if out, err := confirm.CombinedOutput(); err != nil {
		t.Fatalf("khatm recover --confirm-complete on a copy: %v\n%s", err, out)
	}
	return filepath.Join(dir, "khatm-demo")
}

func (r *demoRun) file(name string) []byte {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.folder, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return text
}

// stop interrupts the demo, as Ctrl-C does, and waits for it.
func (r *demoRun) stop() {
	r.t.Helper()
	if err := r.process.Process.Signal(syscall.SIGINT); err != nil {
		r.t.Fatal(err)
	}
	if err := r.process.Wait(); err != nil {
		r.t.Errorf("the demo exited with %v, want success", err)
	}
}

// call calls the API and decodes the response into into. It returns the status
// and the X-RateLimit-Limit header.
func (r *demoRun) call(key, method, path string, body []byte, into any) (status int, limit string) {
	r.t.Helper()
	request, err := http.NewRequest(method, r.BaseURL+path, bytes.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		r.t.Fatal(err)
	}
	defer answer.Body.Close() //nolint:errcheck // the body was read
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		r.t.Fatalf("decode the response %s: %v", text, err)
	}
	return answer.StatusCode, answer.Header.Get("X-RateLimit-Limit")
}

// statuses returns the status of every invoice, by number.
func (r *demoRun) statuses() map[string]string {
	r.t.Helper()
	var list struct {
		Invoices []demoDocument `json:"invoices"`
	}
	if status, limit := r.call(r.Keys.ViewInvoice, http.MethodGet, "/api/invoices/", nil, &list); status != http.StatusOK || limit != "200" {
		r.t.Fatalf("list of invoices: status %d with rate limit %q, want 200 with 200", status, limit)
	}
	all := map[string]string{}
	for _, i := range list.Invoices {
		all[i.Number] = i.Status
	}
	return all
}

// send creates an invoice from a file in the folder bodies.
func (r *demoRun) send(body string) (number string) {
	r.t.Helper()
	var made struct {
		Number string `json:"ref_num"`
	}
	if status, _ := r.call(r.Keys.CreateInvoice, http.MethodPost, "/api/invoices/", r.file("bodies/"+body), &made); status != http.StatusAccepted {
		r.t.Fatalf("create with %s: status %d, want 202", body, status)
	}
	return made.Number
}

// becomes waits until an invoice has the given status.
func (r *demoRun) becomes(number, status string) {
	r.t.Helper()
	for end := time.Now().Add(patience); r.statuses()[number] != status; time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatalf("status of %s = %q, want %q", number, r.statuses()[number], status)
		}
	}
}

func (r *demoRun) mood(to string) {
	r.t.Helper()
	if out, err := exec.Command("khatm", "mood", to, "--data", r.folder).CombinedOutput(); err != nil {
		r.t.Fatalf("khatm mood %s failed: %s", to, out)
	}
}

func TestDemoContinuesAfterRestart(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "khatm-demo")
	r := startDemo(t, folder)
	issued := map[string]string{}
	for number, status := range map[string]string{"INV-%d-000001": "CLEARED", "INV-%d-000002": "REPORTED", "CRN-%d-000001": "CLEARED", "INV-%d-000003": "NOT_CLEARED"} {
		issued[fmt.Sprintf(number, time.Now().In(time.FixedZone("+03", 3*60*60)).Year())] = status
	}
	if diff := cmp.Diff(issued, r.statuses()); diff != "" {
		t.Errorf("invoices (-want +got):\n%s", diff)
	}
	first := r.demoCredentials
	r.refuses()
	r.printedCommandsWork()
	r.onboards()
	r.stop()
	if _, err := os.Stat(filepath.Join(folder, "authority", addressFile)); !os.IsNotExist(err) {
		t.Errorf("Stat of the simulator's address file after the stop: error %v, want %v", err, os.ErrNotExist)
	}

	again := startDemo(t, folder)
	again.BaseURL, again.PublicURL, again.AppURL = first.BaseURL, first.PublicURL, first.AppURL
	if diff := cmp.Diff(first, again.demoCredentials); diff != "" {
		t.Errorf("credentials of the second start (-first +second):\n%s", diff)
	}
	const documents = `(?s)(Khatm Coffee Roasters Company / شركة محامص ختم للقهوة has.*web app)`
	if one, two := r.output.wait(t, documents), again.output.wait(t, documents); one != two {
		t.Errorf("the second start printed\n%s\nwant what the first printed:\n%s", two, one)
	}
	again.stop()
}

// refuses checks the responses to the request bodies of the demo, and that the
// other organisation sees no invoices.
func (r *demoRun) refuses() {
	r.t.Helper()
	var answer struct {
		Message []string `json:"message"`
	}
	if status, _ := r.call(r.Keys.CreateInvoice, http.MethodPost, "/api/invoices/", r.file("bodies/wrong.json"), &answer); status != http.StatusBadRequest || len(answer.Message) != 3 {
		r.t.Errorf("create with wrong.json: status %d with messages %q, want 400 with three", status, answer.Message)
	}
	var list struct {
		Total int `json:"total"`
	}
	if r.call(r.Other.Key, http.MethodGet, "/api/invoices/", nil, &list); list.Total != 0 {
		r.t.Errorf("the second organisation sees %d invoices, want 0", list.Total)
	}
	r.becomes(r.send("rejected.json"), "NOT_CLEARED")
	r.becomes(r.send("credit-note.json"), "CLEARED")
	r.becomes(r.send("simplified.json"), "REPORTED")
}

// printedCommandsWork runs the commands that the demo printed in a shell.
func (r *demoRun) printedCommandsWork() {
	r.t.Helper()
	if _, err := testtool.Find("curl"); err != nil {
		r.t.Log("skipped the printed commands:", err)
		return
	}
	script := r.output.wait(r.t, `(?m)((?:^  .*\n)+)\nServing`)
	shell := exec.Command("sh", "-ec", script)
	shell.Dir = filepath.Dir(r.folder)
	out, err := shell.CombinedOutput()
	for _, part := range []string{`"location":"/api/invoices/`, `"invoices":[{`, "outage", "polite"} {
		if err != nil || !strings.Contains(string(out), part) {
			r.t.Fatalf("printed commands: error %v and this output, want success and %s:\n%s\nThe commands were:\n%s", err, part, out, script)
		}
	}
	r.output.wait(r.t, `(POST  /v1/api/invoices/  202  [\d.]+ ms  svc_)`)
	r.output.wait(r.t, `(to the authority POST  /invoices/clearance/single  200)`)
}

// onboards checks that the app onboards a device without a one-time password, as
// docs/app.md shows.
func (r *demoRun) onboards() {
	r.t.Helper()
	var session struct {
		Token string `json:"access_token"`
	}
	var made struct {
		ID string `json:"device_id"`
	}
	var begun map[string]any
	app := *r
	app.BaseURL = r.AppURL + "/app"
	app.call("", http.MethodPost, "/api/session/", fmt.Appendf(nil, `{"email":%q,"password":%q}`, r.Admin.Email, r.Admin.Password), &session)
	app.call(session.Token, http.MethodPost, "/api/devices/", []byte(`{"common_name":"Till 1","invoice_type":"1100","industry":"Retail"}`), &made)
	if status, _ := app.call(session.Token, http.MethodPost, "/api/devices/"+made.ID+"/onboard/", []byte(`{}`), &begun); status != http.StatusAccepted {
		r.t.Errorf("onboarding without a one-time password: status %d %v, want 202", status, begun)
	}
}

func TestDemoClearsInvoiceAfterOutage(t *testing.T) {
	r := startDemo(t, copyDemo(t))
	r.mood("outage")
	number := r.send("standard.json")
	r.becomes(number, "No response")
	r.mood("polite")
	r.becomes(number, "CLEARED")
	r.stop()
}

// credentials.json has exactly the documented fields.
func TestDemoCredentials(t *testing.T) {
	made, err := demoOnce()
	if err != nil {
		t.Fatal(err)
	}
	credentials, err := made.file("khatm-demo/credentials.json")
	if err != nil {
		t.Fatal(err)
	}
	if credentials.mode != 0o600 {
		t.Errorf("mode of credentials.json = %o, want 600", credentials.mode)
	}
	var got map[string]any
	if err := json.Unmarshal(credentials.data, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"": "admin app_url base_url buyers devices items keys organisation other_organisation public_url reasons", "organisation": "name uuid",
		"admin": "email password", "keys": "Accountant CreateInvoice ViewInvoice", "buyers": "foreign with_vat without_vat",
		"items": "limited_stock unlimited", "reasons": "active inactive", "other_organisation": "key uuid",
	}
	for part, fields := range want {
		object := got
		if part != "" {
			object, _ = got[part].(map[string]any)
		}
		if have := strings.Join(slices.Sorted(maps.Keys(object)), " "); have != fields {
			t.Errorf("fields of %q in credentials.json = %s, want %s", part, have, fields)
		}
	}
	devices, _ := got["devices"].([]any)
	var types []string
	for _, d := range devices {
		row, _ := d.(map[string]any)
		if row["device_status"] != "pcsid_generated" || len(row) != 4 {
			t.Errorf("device in credentials.json = %v, want four fields and the status pcsid_generated", row)
		}
		types = append(types, fmt.Sprint(row["invoice_type"]))
	}
	if diff := cmp.Diff([]string{"1000", "0100", "1100"}, types); diff != "" {
		t.Errorf("device types in credentials.json (-want +got):\n%s", diff)
	}
}

// If its port is in use, the demo suggests another and creates nothing.
func TestDemoPortInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close() //nolint:errcheck // nobody connects
	folder := filepath.Join(t.TempDir(), "khatm-demo")
	out, err := exec.Command("khatm", "demo", "--once", "--addr", taken.Addr().String(), "--data", folder).CombinedOutput()
	if err == nil || !strings.Contains(string(out), taken.Addr().String()+" is in use by another program: choose another port") {
		t.Errorf("error %v and output %q, want an error that suggests another port", err, out)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("Stat of the data folder: error %v, want %v", err, os.ErrNotExist)
	}
}

// Two demos cannot use the same folder at the same time.
func TestDemoFolderInUse(t *testing.T) {
	folder := copyDemo(t)
	r := startDemo(t, folder)
	out, err := exec.Command("khatm", "demo", "--once", "--addr=127.0.0.1:0", "--data", folder).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "a server is already running on "+folder) {
		t.Errorf("error %v and output %q, want an error that a server is already running", err, out)
	}
	r.stop()
}
