package audit

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// submission is one request in the journal of the simulator.
type submission struct {
	Time        time.Time `json:"time"`
	Environment string    `json:"environment"`
	Endpoint    string    `json:"endpoint"`
	Device      string    `json:"device"` // VAT number and serial of the certificate
	UUID        string    `json:"uuid"`
	Counter     string    `json:"counter"`
	Hash        string    `json:"hash"`
	Body        string    `json:"body"` // SHA-256 of the request's body, hexadecimal
	Status      int       `json:"status"`
	Outcome     string    `json:"outcome"`
}

func readSubmission(line []byte) (submission, error) {
	var s submission
	err := json.Unmarshal(line, &s)
	switch {
	case err != nil:
		return submission{}, err
	case s.Time.IsZero():
		return submission{}, errors.New("time is missing")
	case s.Status != 0 && (s.Status < 100 || s.Status > 599):
		return submission{}, fmt.Errorf("status is %d, want 100 to 599", s.Status)
	case s.Outcome != "" && s.Outcome != "new" && s.Outcome != "duplicate":
		return submission{}, fmt.Errorf("unknown outcome %q", s.Outcome)
	case s.Body != "" && !isDigest(s.Body):
		return submission{}, errors.New("body is not a hexadecimal SHA-256")
	case s.Outcome != "" && (s.UUID == "" || s.Hash == ""):
		return submission{}, errors.New("accepted document has no uuid or hash")
	}
	return s, nil
}

func isDigest(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == 32
}

// route returns the endpoint of the request: clearance, reporting, or "" for any
// other.
func (s submission) route() string {
	switch s.Endpoint {
	case "/invoices/clearance/single":
		return clearance
	case "/invoices/reporting/single":
		return reporting
	}
	return ""
}

// verdict returns the authority's verdict on the document. A document that it
// accepted earlier counts as accepted. A rejection is final only with status
// 400, which the authority sends after it has read the document.
func (s submission) verdict() byte {
	switch {
	case s.Outcome == "new":
		return saidNew
	case s.Outcome == "duplicate":
		return saidDuplicate
	case s.Status == 400:
		return saidNo
	}
	return saidNothing
}

// The verdicts of the authority.
const (
	saidNothing byte = iota
	saidNew
	saidDuplicate
	saidNo
)

// takeAuthority reads the authority's journal into the sorters.
func (w *walk) takeAuthority(context.Context) error {
	if w.options.Authority == nil {
		return nil
	}
	count := &Count{}
	w.report.Authority = count
	foreign := int64(0)
	for r, err := range records(w.report, count, "the authority", w.options.Authority, readSubmission) {
		if err != nil {
			return err
		}
		s := r.record
		if s.route() == "" || s.UUID == "" || w.options.Environment != "" && s.Environment != w.options.Environment {
			continue
		}
		if s.Outcome == "new" {
			count.Accepted++
		}
		device, ours := w.byName[s.Device]
		if !ours {
			foreign++
			continue
		}
		if err := w.takeSubmission(r.line, s, device); err != nil {
			return err
		}
	}
	if foreign > 0 {
		w.report.remark("ignored submissions in the authority's journal, from devices that are not in this store: %d", foreign)
	}
	return nil
}

func (w *walk) takeSubmission(line int64, s submission, device uint32) error {
	id, err := uuid.Parse(s.UUID)
	if err != nil {
		w.report.find(Fault{Invariant: OneVersionSeen, Device: w.devices[device].ID, Organisation: w.devices[device].Organisation,
			Text: fmt.Sprintf("the authority received a document with the invalid uuid %q (line %d of its journal)", clip(s.UUID), line)})
		return nil
	}
	f := fact{
		id: id, kind: factAuthority, order: uint64(line), device: device, counter: parseCounter(s.Counter),
		code: uint16(s.Status), said: s.verdict(), hash: hashOf(s.Hash),
	}
	f.cleared = s.route() == clearance
	f.body, f.hasBody = digestOf(s.Body), s.Body != ""
	if err := w.facts.put(f.bytes()); err != nil {
		return err
	}
	if f.counter == 0 {
		return nil
	}
	return w.positions.put(position{device, f.counter, id}.bytes())
}

// hashOf decodes a SHA-256 in base64. For any other text it returns a digest of
// the text, which equals no real hash.
func hashOf(text string) (hash [32]byte) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) != 32 {
		return digest("no hash: " + text)
	}
	return [32]byte(raw)
}

func digestOf(text string) (sum [32]byte) {
	raw, err := hex.DecodeString(strings.ToLower(text))
	if err == nil {
		copy(sum[:], raw)
	}
	return sum
}
