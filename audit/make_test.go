package audit_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/audit"
	"khatm/invoice"
	"khatm/sample"
	"khatm/seal"
)

// The sizes of a generated history.
const (
	madeOrganisations = 2
	madeDevices       = 2 // of each organisation
	madeDocuments     = 5 // of each device
)

var began = time.Date(2026, 10, 31, 20, 0, 0, 0, time.UTC)

// generator generates a history without faults.
type generator struct {
	*history
	rng    *rand.Rand
	now    time.Time
	number map[uuid.UUID]int // the last number of each organisation
}

// made generates a history without faults: two organisations with two devices
// each, one of which was renewed, and documents with every outcome.
func made(t testing.TB, seed uint64) *history {
	t.Helper()
	random := sample.Seeded(seed)
	s := &generator{history: &history{overdue: 48 * time.Hour}, rng: rand.New(rand.NewPCG(seed, 1)), now: began, number: map[uuid.UUID]int{}}
	stamp := newMaker(t, random, "authority", began.AddDate(-1, 0, 0))
	for o := range madeOrganisations {
		organisation := idOf(o, 0, 0)
		for d := range madeDevices {
			m := newMaker(t, random, fmt.Sprintf("till-%d-%d", o, d), began.Add(-24*time.Hour))
			m.stamp, m.organisation = stamp, organisation
			s.devices = append(s.devices, &testDevice{maker: m, Device: audit.Device{
				ID: idOf(o, d+1, 0), Organisation: organisation, Name: "Till " + strconv.Itoa(d), LastHash: seal.GenesisHash,
				Certificates: [][]byte{m.certificate.DER},
			}})
		}
	}
	for n := range madeDocuments {
		for i, u := range s.devices {
			if n == madeDocuments/2 && i == 0 {
				u.maker.certify(random, "till-0-0", s.now)
				u.Certificates = append(u.Certificates, u.maker.certificate.DER)
			}
			s.issue(u)
			s.noise(u)
		}
	}
	s.book()
	s.relink()
	s.history.now = s.now
	return s.history
}

// tick advances the clock and returns the time. Every history crosses the end
// of a month.
func (s *generator) tick() time.Time {
	s.now = s.now.Add(time.Duration(1+s.rng.IntN(600)) * time.Second)
	return s.now
}

func (s *generator) issue(u *testDevice) {
	s.number[u.Organisation]++
	n := len(u.documents) + 1
	id := invoice.Identity{
		Number: fmt.Sprintf("INV-2026-%06d", s.number[u.Organisation]), UUID: uuid.Must(uuid.NewRandomFromReader(sample.Seeded(s.rng.Uint64()))).String(),
		Counter: int64(n), PreviousHash: u.LastHash,
	}
	d := u.maker.issue(s.rng.IntN(2) == 0, id, s.tick())
	if s.rng.IntN(2) == 0 {
		d.IdempotencyKey = "ticket " + d.Number
	}
	u.Counter, u.LastHash, u.LastIssuedAt = d.Counter, d.Hash, d.IssuedAt
	s.entry(u.Organisation, "invoice.create", d.ID.String(), map[string]any{"ref_num": d.Number, "counter": d.Counter, "hash": d.Hash})
	s.ask(u, &d)
	s.send(u, &d)
	u.documents = append(u.documents, d)
}

// ask records the request that created the document.
func (s *generator) ask(u *testDevice, d *audit.Document) {
	r := s.request(u, d.IdempotencyKey, "sale "+d.Number)
	r.Time = d.CreatedAt.Add(-time.Millisecond)
	switch s.rng.IntN(4) {
	case 0: // the connection broke before the answer
		r.Trouble = "connection reset"
		s.clients = append(s.clients, r)
		if d.IdempotencyKey == "" {
			return
		}
		r.ID += " again" // with a key the request can be repeated
	case 1:
		if d.IdempotencyKey != "" { // another body under the same key is refused
			other := s.request(u, d.IdempotencyKey, "another sale")
			other.Status = 400
			defer func() { s.clients = append(s.clients, other) }()
		}
	}
	r.Status, r.Document = 202, d.ID
	s.clients = append(s.clients, r)
}

func (s *generator) request(u *testDevice, key, body string) audit.Request {
	sum := sha256.Sum256([]byte(body))
	return audit.Request{
		ID: fmt.Sprintf("client 1 request %d", len(s.clients)), Time: s.now, Organisation: u.Organisation, Device: u.ID,
		Key: key, Body: hex.EncodeToString(sum[:]),
	}
}

// noise adds records that do not concern a document.
func (s *generator) noise(u *testDevice) {
	refused := s.request(u, "refused "+strconv.Itoa(len(s.clients)), "wrong")
	refused.Status = 400
	s.clients = append(s.clients, refused)
	s.entry(u.Organisation, "client.create", uuid.Nil.String(), map[string]any{"name": "<Noor & Sons>"})
	s.authority = append(s.authority,
		seen{Time: s.now, Environment: "simulation", Endpoint: "/invoices/reporting/single", Status: 401, Mood: "unauthorised"},
		seen{Time: s.now, Environment: "simulation", Endpoint: "/compliance/invoices", Device: u.maker.name(), UUID: "1", Hash: "x", Counter: "1", Status: 200})
}

// book records the usage of the allowance.
func (s *generator) book() {
	type key struct {
		organisation uuid.UUID
		month        time.Time
	}
	used := map[key]int64{}
	for u, d := range s.all() {
		at := d.CreatedAt.UTC()
		used[key{u.Organisation, time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)}]++
	}
	for k, n := range used {
		s.usage = append(s.usage, audit.Usage{Organisation: k.organisation, Month: k.month, Used: n, Ceiling: 1100})
	}
}

func (s *generator) entry(organisation uuid.UUID, action, subject string, details map[string]any) {
	text, err := json.Marshal(details)
	if err != nil {
		panic(err)
	}
	s.trail = append(s.trail, audit.Entry{
		ID: idOf(0, 999, len(s.trail)), Organisation: organisation, At: s.now, Kind: "key", Actor: "svc_0000000_", Address: "192.0.2.7",
		Request: "r", Action: action, Subject: subject, Details: string(text),
	})
}
