package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"testing"
	"time"

	"khatm/check"
	"khatm/internal/testtool"
	"khatm/invoice"
	"khatm/sample"
	"khatm/service"
	"khatm/ubl"
)

// unstamped are the rules that a document without stamp and chain always fails,
// and the rule about the time of reporting.
var unstamped = []string{
	"BR-KSA-26", "BR-KSA-27", "BR-KSA-28", "BR-KSA-29", "BR-KSA-30", "BR-KSA-33", "BR-KSA-34", "BR-KSA-60", "BR-KSA-61", "BR-KSA-98", "BR-CL-KSA-14",
}

// Documents that the public tools parse and export as XML pass khatm validate,
// except for the missing stamp. The test uses a part of the samples, or all of them
// with KHATM_TORTURE=1.
func TestExportsPassValidate(t *testing.T) {
	now := time.Date(2026, time.November, 14, 10, 0, 0, 0, invoice.Riyadh())
	tools := toolsAt(t, now)
	identity := invoice.Identity{Number: "INV-2026-000042", UUID: "8e6000cf-1a98-4174-b3e7-b5d5954bc10d", IssueDate: "2026-11-14", IssueTime: "09:15:30"}
	exported := 0
	for i, c := range sample.Every() {
		if i%testtool.Count(12, 1) > 0 {
			continue
		}
		d, err := invoice.Compute(c.Facts)
		if err != nil {
			t.Fatalf("compute %s: %v", c.Name, err)
		}
		canon, err := ubl.Write(d.UBLUnchecked(identity))
		if err != nil {
			t.Fatalf("write %s: %v", c.Name, err)
		}
		status, document := export(t, tools, canon.Bytes())
		if status != http.StatusOK {
			if found := unexpected(canon.Bytes(), now); len(found) == 0 {
				t.Errorf("export of %s: status %d, want 200: %.300s", c.Name, status, document)
			}
			continue // the sample itself has findings
		}
		exported++
		if found := unexpected(document, now); len(found) > 0 {
			t.Errorf("findings in the export of %s = %v, want none:\n%s", c.Name, found, document)
		}
	}
	if exported < testtool.Count(25, 300) {
		t.Errorf("%d samples were exported, want at least %d", exported, testtool.Count(25, 300))
	}
	t.Logf("%d samples exported", exported)
}

// unexpected returns the ids of the findings of khatm validate that are not about
// the stamp.
func unexpected(document []byte, now time.Time) []string {
	expected := slices.Clone(unstamped)
	if read, err := check.Read(document); err == nil {
		for _, f := range read.Seals() {
			expected = append(expected, f.ID)
		}
	}
	var ids []string
	_, findings := judge(document, now, "en")
	for _, f := range findings {
		if !slices.Contains(expected, f.ID) {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// toolsAt runs a server with a fixed time and returns the URL of its public tools.
func toolsAt(t *testing.T, now time.Time) string {
	t.Helper()
	c := service.Defaults()
	c.Data, c.Address, c.Operations, c.Now = t.TempDir(), "127.0.0.1:0", "", func() time.Time { return now }
	c.Rates.IP, c.Rates.PublicDaily = 1<<30, 1<<30
	ctx, stop := context.WithCancel(t.Context())
	s, err := service.New(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	serving, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- s.Run(ctx, func(address string) { serving <- address }) }()
	t.Cleanup(func() {
		stop()
		<-ended
		s.Close()
	})
	select {
	case address := <-serving:
		return "http://" + address + "/v1-3/api/public/"
	case err := <-ended:
		ended <- err
		t.Fatal(err)
	}
	return ""
}

// export parses a document with the public tools and exports the result as XML.
func export(t *testing.T, tools string, document []byte) (status int, answer []byte) {
	t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	file, err := w.CreateFormFile("file", "invoice.xml")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = file.Write(document) // writes to a buffer do not fail
	_ = w.Close()
	status, answer = post(t, tools+"parse-invoice/", w.FormDataContentType(), form.Bytes())
	var parsed struct{ Invoice json.RawMessage }
	if err := json.Unmarshal(answer, &parsed); err != nil || status != http.StatusOK {
		t.Fatalf("parse-invoice: status %d, error %v, want 200: %.300s", status, err, answer)
	}
	body, err := json.Marshal(map[string]any{"invoice": parsed.Invoice, "format": "ubl-xml"})
	if err != nil {
		t.Fatal(err)
	}
	return post(t, tools+"export/", "application/json", body)
}

func post(t *testing.T, address, media string, body []byte) (status int, answer []byte) {
	t.Helper()
	response, err := http.Post(address, media, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // the body was read
	answer, err = io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, answer
}
