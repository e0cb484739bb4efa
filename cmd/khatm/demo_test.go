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

// demoRun is a demo that serves, in a process of its own.
type demoRun struct {
	t       *testing.T
	folder  string
	said    *book
	process *exec.Cmd
	demoCredentials
}

func startDemo(t *testing.T, folder string) *demoRun {
	t.Helper()
	r := &demoRun{t: t, folder: folder, said: &book{}}
	r.process = exec.Command("khatm", "demo", "--addr=127.0.0.1:0", "--data=khatm-demo")
	r.process.Dir, r.process.Stdout, r.process.Stderr = filepath.Dir(folder), r.said, r.said
	if err := r.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.process.Process.Kill() })
	r.said.wait(t, `(Serving)`)
	if err := json.Unmarshal(r.file("credentials.json"), &r.demoCredentials); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *demoRun) file(name string) []byte {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.folder, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return text
}

// stop ends it as Ctrl-C does.
func (r *demoRun) stop() {
	r.t.Helper()
	if err := r.process.Process.Signal(syscall.SIGINT); err != nil {
		r.t.Fatal(err)
	}
	if err := r.process.Wait(); err != nil {
		r.t.Errorf("the demo ended with %v", err)
	}
}

// call calls the API and reads the answer into a value.
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
	defer answer.Body.Close() //nolint:errcheck // it was read
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		r.t.Fatalf("%s: %v", text, err)
	}
	return answer.StatusCode, answer.Header.Get("X-RateLimit-Limit")
}

// statuses are those of all invoices, by number.
func (r *demoRun) statuses() map[string]string {
	r.t.Helper()
	var list struct {
		Invoices []demoDocument `json:"invoices"`
	}
	if status, limit := r.call(r.Keys.ViewInvoice, http.MethodGet, "/api/invoices/", nil, &list); status != http.StatusOK || limit != "200" {
		r.t.Fatalf("list: %d, limit %q", status, limit)
	}
	all := map[string]string{}
	for _, i := range list.Invoices {
		all[i.Number] = i.Status
	}
	return all
}

// send creates an invoice of a ready body.
func (r *demoRun) send(body string) (number string) {
	r.t.Helper()
	var made struct {
		Number string `json:"ref_num"`
	}
	if status, _ := r.call(r.Keys.CreateInvoice, http.MethodPost, "/api/invoices/", r.file("bodies/"+body), &made); status != http.StatusAccepted {
		r.t.Fatalf("%s: %d", body, status)
	}
	return made.Number
}

// becomes waits for a status.
func (r *demoRun) becomes(number, status string) {
	r.t.Helper()
	for end := time.Now().Add(patience); r.statuses()[number] != status; time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatalf("%s is %q, want %q", number, r.statuses()[number], status)
		}
	}
}

func (r *demoRun) mood(to string) {
	r.t.Helper()
	if out, err := exec.Command("khatm", "mood", to, "--data", r.folder).CombinedOutput(); err != nil {
		r.t.Fatalf("mood %s: %s", to, out)
	}
}

func TestDemoServesAndGoesOn(t *testing.T) {
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
	r.stop()
	if _, err := os.Stat(filepath.Join(folder, "authority", addressFile)); !os.IsNotExist(err) {
		t.Errorf("the simulator's address is left behind: %v", err)
	}

	again := startDemo(t, folder)
	again.BaseURL, again.PublicURL, again.AppURL = first.BaseURL, first.PublicURL, first.AppURL
	if diff := cmp.Diff(first, again.demoCredentials); diff != "" {
		t.Errorf("credentials of the second start (-first +second):\n%s", diff)
	}
	const said = `(?s)(Khatm Demo Trading.*API)`
	if one, two := r.said.wait(t, said), again.said.wait(t, said); one != two {
		t.Errorf("the first start said\n%s\nand the second\n%s", one, two)
	}
	again.stop()
}

// refuses sends what is wrong, and has another organisation look.
func (r *demoRun) refuses() {
	r.t.Helper()
	var told struct {
		Message []string `json:"message"`
	}
	if status, _ := r.call(r.Keys.CreateInvoice, http.MethodPost, "/api/invoices/", r.file("bodies/wrong.json"), &told); status != http.StatusBadRequest || len(told.Message) != 3 {
		r.t.Errorf("wrong body: %d %q", status, told.Message)
	}
	var list struct {
		Total int `json:"total"`
	}
	if r.call(r.Other.Key, http.MethodGet, "/api/invoices/", nil, &list); list.Total != 0 {
		r.t.Errorf("the second organisation sees %d invoices", list.Total)
	}
	r.becomes(r.send("rejected.json"), "NOT_CLEARED")
	r.becomes(r.send("credit-note.json"), "CLEARED")
	r.becomes(r.send("simplified.json"), "REPORTED")
}

// printedCommandsWork types what the demo printed into a shell.
func (r *demoRun) printedCommandsWork() {
	r.t.Helper()
	if _, err := testtool.Find("curl"); err != nil {
		r.t.Log("the printed commands were not run:", err)
		return
	}
	script := r.said.wait(r.t, `(?m)((?:^  .*\n)+)\nServing`)
	shell := exec.Command("sh", "-ec", script)
	shell.Dir = filepath.Dir(r.folder)
	out, err := shell.CombinedOutput()
	for _, part := range []string{`"location":"/api/invoices/`, `"invoices":[{`, "outage", "polite"} {
		if err != nil || !strings.Contains(string(out), part) {
			r.t.Fatalf("%v: %s is missing in\n%s\nof\n%s", err, part, out, script)
		}
	}
	r.said.wait(r.t, `(POST  /v1/api/invoices/  202  [\d.]+ ms  svc_)`)
	r.said.wait(r.t, `(to the authority POST  /invoices/clearance/single  200)`)
}

func TestDemoOutageAndBack(t *testing.T) {
	r := startDemo(t, filepath.Join(t.TempDir(), "khatm-demo"))
	r.mood("outage")
	number := r.send("standard.json")
	r.becomes(number, "No response")
	r.mood("polite")
	r.becomes(number, "CLEARED")
	r.stop()
}

// TestDemoCredentials has exactly the fields that programs are told of.
func TestDemoCredentials(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "khatm-demo")
	if out, err := exec.Command("khatm", "demo", "--once", "--addr=127.0.0.1:0", "--data", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path := filepath.Join(folder, "credentials.json")
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("credentials.json: %v, %v", info, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
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
			t.Errorf("%s has %s, want %s", part, have, fields)
		}
	}
	devices, _ := got["devices"].([]any)
	var types []string
	for _, d := range devices {
		row, _ := d.(map[string]any)
		if row["device_status"] != "pcsid_generated" || len(row) != 4 {
			t.Errorf("device %v", row)
		}
		types = append(types, fmt.Sprint(row["invoice_type"]))
	}
	if diff := cmp.Diff([]string{"1000", "0100", "1100"}, types); diff != "" {
		t.Error(diff)
	}
}

// TestDemoPortTaken names a way out, and makes nothing.
func TestDemoPortTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close() //nolint:errcheck // nobody connects
	folder := filepath.Join(t.TempDir(), "khatm-demo")
	out, err := exec.Command("khatm", "demo", "--once", "--addr", taken.Addr().String(), "--data", folder).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "another program has "+taken.Addr().String()+": give another port") {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the folder was made: %v", err)
	}
}

// TestDemoRunsOnce on a folder.
func TestDemoRunsOnce(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "khatm-demo")
	r := startDemo(t, folder)
	out, err := exec.Command("khatm", "demo", "--once", "--addr=127.0.0.1:0", "--data", folder).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "a server runs on "+folder+" already") {
		t.Errorf("%v: %s", err, out)
	}
	r.stop()
}
