package audit_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/audit"
	"khatm/witness"
)

// sent is a document that was sent to the simulator. testdata has the journal
// that the simulator wrote and four such documents: one with a dropped answer,
// one with a false rejection, one with a real rejection, and one that was sent
// while clearance was off.
type sent struct {
	UUID     string
	Hash     string
	Status   audit.Status
	Code     int
	Endpoint string
	At       time.Time
	XML      string
	Cleared  string
}

// simulated returns the history of these documents, and the journal.
func simulated(t *testing.T) (h *history, journal []byte) {
	t.Helper()
	text, err := os.ReadFile("testdata/documents.json")
	if err != nil {
		t.Fatal(err)
	}
	var kept struct {
		Certificate []byte
		Documents   []sent
	}
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	u := &testDevice{Device: audit.Device{ID: idOf(0, 1, 0), Organisation: idOf(0, 0, 0), Certificates: [][]byte{kept.Certificate}}}
	s := &generator{history: &history{devices: []*testDevice{u}, noClients: true}}
	for n, one := range kept.Documents {
		d := one.document(t, n+1)
		s.now = one.At
		s.entry(u.Organisation, "invoice.create", one.UUID, map[string]any{"hash": one.Hash})
		s.finish(u, &d, one.Status, one.Code)
		u.documents = append(u.documents, d)
		u.Counter, u.LastHash, u.LastIssuedAt = d.Counter, d.Hash, d.IssuedAt
	}
	s.book()
	s.relink()
	journal, err = os.ReadFile("testdata/authority.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return s.history, journal
}

func (s sent) document(t *testing.T, n int) audit.Document {
	t.Helper()
	xml := unbase64(t, s.XML)
	r, err := witness.Verify(xml, witness.Expect{})
	if err != nil {
		t.Fatal(err)
	}
	code, err := strconv.Atoi(r.TypeCode)
	if err != nil {
		t.Fatal(err)
	}
	outcome := "accepted"
	if s.Code == 400 {
		outcome = "rejected"
	}
	d := audit.Document{
		ID: uuid.MustParse(s.UUID), Counter: int64(n), Number: r.Number, TypeCode: code, Transaction: r.Transaction, Hash: s.Hash, PreviousHash: r.PreviousHash,
		IssueDate: r.IssueDate, IssueTime: r.IssueTime, IssuedAt: s.At, CreatedAt: s.At, XML: xml, QR: qrOf(r), State: "done", SubmittedAt: s.At,
		Attempts: []audit.Attempt{{Token: "1", Endpoint: s.Endpoint, Started: s.At, Ended: s.At, Outcome: outcome, Code: s.Code}},
	}
	if s.Cleared != "" {
		d.Cleared = unbase64(t, s.Cleared)
	}
	return d
}

func unbase64(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func qrOf(r *witness.Report) string {
	var b []byte
	for _, f := range r.QR {
		b = append(append(b, byte(f.Tag), byte(len(f.Value))), f.Value...)
	}
	return base64.StdEncoding.EncodeToString(b)
}

// asSent returns the request body in which a document was sent.
func asSent(id uuid.UUID, hash string, xml []byte) []byte {
	body, err := json.Marshal(struct {
		Hash string `json:"invoiceHash"`
		UUID string `json:"uuid"`
		XML  []byte `json:"invoice"`
	}{hash, id.String(), xml})
	if err != nil {
		panic(err)
	}
	return body
}

func TestSimulatorJournal(t *testing.T) {
	h, journal := simulated(t)
	for name, c := range map[string]struct {
		change func(*history)
		want   audit.Invariant
	}{
		"as it was": {func(*history) {}, ""},
		"another verdict": {func(h *history) {
			d := &h.devices[0].documents[2]
			turned(&planter{history: h}, d)
		}, audit.FirstVerdictStands},
		"the first acceptance forgotten": {func(h *history) { h.devices[0].documents = h.devices[0].documents[1:] }, audit.NothingLost},
		"other bytes than were sent":     {func(h *history) { h.devices[0].documents[0].XML = h.devices[0].documents[0].Cleared }, audit.OneVersionSeen},
	} {
		t.Run(name, func(t *testing.T) {
			h := h.clone()
			c.change(h)
			r, err := audit.Walk(context.Background(), h, audit.Options{
				Head: h.head, Authority: bytes.NewReader(journal), Environment: "simulation", SubmissionBody: asSent,
			})
			if err != nil {
				t.Fatal(err)
			}
			delete(r.Broken, audit.NoNumberWasted) // the numbers of the documents have no series
			if got := r.Broken[c.want] > 0; got != (c.want != "") || c.want == "" && !r.Sound() {
				t.Errorf("faults %v, want one of %q: %v", r.Broken, c.want, r.Faults)
			}
			if r.Authority.Records != 16 || r.Authority.Accepted != 3 {
				t.Errorf("journal has %d records, %d accepted, want 16 and 3", r.Authority.Records, r.Authority.Accepted)
			}
		})
	}
}
