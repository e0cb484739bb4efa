package audit_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"khatm/audit"
	"khatm/invoice"
)

// journalMutants returns the faults that only the journals show.
func journalMutants() []mutant { return slices.Concat(authorityMutants(), clientMutants()) }

// record returns a function that changes a matching record of the authority's
// journal.
func record(fit func(seen) bool, change func(p *planter, i int)) func(*planter) bool {
	return func(p *planter) bool {
		i, found := anyOf(p.rng, p.authority, fit)
		if found {
			change(p, i)
		}
		return found
	}
}

// line returns a function that changes a matching line of the client journal.
func line(fit func(audit.Request) bool, change func(p *planter, i int)) func(*planter) bool {
	return func(p *planter) bool {
		i, found := anyOf(p.rng, p.clients, fit)
		if found {
			change(p, i)
		}
		return found
	}
}

func anyOf[T any](rng *rand.Rand, all []T, fit func(T) bool) (int, bool) {
	var places []int
	for i, one := range all {
		if fit(one) {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return 0, false
	}
	return places[rng.IntN(len(places))], true
}

func isNew(s seen) bool       { return s.Outcome == "new" }
func isDocument(s seen) bool  { return strings.HasPrefix(s.Endpoint, "/invoices/") && s.UUID != "" }
func isRefused(s seen) bool   { return isDocument(s) && s.Status == 400 }
func isDuplicate(s seen) bool { return s.Outcome == "duplicate" }

func authorityMutants() []mutant {
	again := func(change func(*seen)) func(p *planter, i int) {
		return func(p *planter, i int) {
			s := p.authority[i]
			s.Time = s.Time.Add(25 * time.Hour)
			change(&s)
			p.authority = append(p.authority, s)
		}
	}
	return []mutant{
		{"second acceptance", audit.AcceptedOnce, record(isNew, again(func(*seen) {}))},
		{"duplicate accepted as new", audit.AcceptedOnce, record(isDuplicate, func(p *planter, i int) { p.authority[i].Outcome = "new" })},
		{"duplicate without a first acceptance", audit.AcceptedOnce, record(isDuplicate, func(p *planter, i int) {
			id := p.authority[i].UUID
			p.authority = slices.DeleteFunc(p.authority, func(s seen) bool { return s.UUID == id && isNew(s) })
		})},
		{"two versions for one uuid", audit.OneVersionSeen, record(isDocument, again(func(s *seen) {
			s.Body, s.Outcome, s.Status = strings.Repeat("ab", 32), "", 500
		}))},
		{"two hashes for one uuid", audit.OneVersionSeen, record(isDocument, again(func(s *seen) { s.Hash, s.Outcome, s.Status = otherHash, "", 500 }))},
		{"two documents for one counter", audit.OneVersionSeen, record(isDocument, again(func(s *seen) { s.UUID, s.Hash = idOf(8, 8, 8).String(), otherHash }))},
		{"document sent by another device", audit.OneVersionSeen, record(isDocument, func(p *planter, i int) {
			for _, t := range p.devices {
				if t.maker.name() != p.authority[i].Device {
					p.authority[i].Device = t.maker.name()
					return
				}
			}
		})},
		{"document sent with another counter", audit.OneVersionSeen, record(isDocument, func(p *planter, i int) { p.authority[i].Counter = "77" })},
		{"invalid uuid", audit.OneVersionSeen, record(isDocument, func(p *planter, i int) { p.authority[i].UUID = "no uuid" })},
		{"stored bytes differ from sent bytes", audit.OneVersionSeen, place(isLast, func(p *planter, t *testDevice, i int) {
			// Stamped again after sending: the same hash, but another stamp.
			was := t.documents[i]
			p.authority = append(p.authority, sees(t, &was, endpoint(&was), 500, "", p.now))
			_, changed := t.maker.again(&was)
			t.documents[i].XML = changed
		})},
		{"document missing in the store", audit.NothingLost, place(isLast, func(p *planter, t *testDevice, i int) {
			lost := t.documents[i]
			p.authority = append(p.authority, sees(t, &lost, endpoint(&lost), 500, "", p.now))
			t.documents = t.documents[:i]
			p.noClients = true
		})},
		{"opposite verdict", audit.FirstVerdictStands, record(isRefused, func(p *planter, i int) { p.authority[i].Outcome, p.authority[i].Status = "new", 200 })},
		{"acceptance stored, rejection sent", audit.FirstVerdictStands, doc(isAccepted, func(p *planter, _ *testDevice, d *audit.Document) {
			for i, s := range p.authority {
				if s.UUID == d.ID.String() && s.Outcome != "" {
					p.authority[i].Outcome, p.authority[i].Status = "", 400
				}
			}
		})},
		{"verdict without a record of the authority", audit.FirstVerdictStands, doc(isFinal, func(p *planter, _ *testDevice, d *audit.Document) {
			p.authority = slices.DeleteFunc(p.authority, func(s seen) bool { return s.UUID == d.ID.String() })
		})},
		{"accepted at the other endpoint", audit.FirstVerdictStands, doc(isAccepted, func(p *planter, _ *testDevice, d *audit.Document) {
			for i, s := range p.authority {
				if s.UUID == d.ID.String() {
					p.authority[i].Endpoint = map[string]string{"/invoices/clearance/single": "/invoices/reporting/single", "/invoices/reporting/single": "/invoices/clearance/single"}[s.Endpoint]
				}
			}
		})},
		{"invalid line of the authority's journal", audit.Journal, func(p *planter) bool {
			p.authorityBad[p.rng.IntN(len(p.authority))] = []string{"", "{", "null", `{"time":1}`, "\x00\x00\x00", `{"time":"2026-01-01T00:00:00Z","status":9}`}[p.rng.IntN(6)]
			return true
		}},
	}
}

func clientMutants() []mutant {
	acknowledged := func(r audit.Request) bool { return r.Status == 202 }
	return []mutant{
		{"202 without a row", audit.NothingLost, line(acknowledged, func(p *planter, i int) {
			r := p.clients[i]
			r.ID, r.Key, r.Document = "new one", "", idOf(7, 7, p.rng.IntN(1000))
			p.clients = append(p.clients, r)
		})},
		{"202 for two requests", audit.NothingLost, line(acknowledged, func(p *planter, i int) {
			r := p.clients[i]
			r.ID, r.Key = "another", "another"
			p.clients = append(p.clients, r)
		})},
		{"202 for another device", audit.NothingLost, line(acknowledged, func(p *planter, i int) {
			for _, t := range p.devices {
				if t.ID != p.clients[i].Device && t.Organisation == p.clients[i].Organisation {
					p.clients[i].Device = t.ID
					return
				}
			}
		})},
		{"number used by a refused request", audit.NoNumberWasted, line(func(r audit.Request) bool { return acknowledged(r) && r.Key != "" }, func(p *planter, i int) {
			key := p.clients[i].Key
			for i := range p.clients {
				if p.clients[i].Key == key {
					p.clients[i].Status, p.clients[i].Document = 403, [16]byte{}
				}
			}
		})},
		{"number used by a refused request without a key", audit.NoNumberWasted, func(p *planter) bool {
			device := p.devices[p.rng.IntN(len(p.devices))].ID
			for i, r := range p.clients {
				if r.Device == device && r.Status != 202 {
					p.clients[i].Status = 400
				}
			}
			i, found := anyOf(p.rng, p.clients, func(r audit.Request) bool { return acknowledged(r) && r.Key == "" && r.Device == device })
			if found {
				p.clients[i].Status, p.clients[i].Document = 429, [16]byte{}
			}
			return found && i > 0 && slices.ContainsFunc(p.clients[:i], func(r audit.Request) bool { return r.Device == device })
		}},
		{"one key, two documents", audit.NoNumberWasted, line(func(r audit.Request) bool { return acknowledged(r) && r.Key != "" }, func(p *planter, i int) {
			r := p.clients[i]
			r.ID, r.Document = "again", idOf(6, 6, 6)
			p.clients = append(p.clients, r)
		})},
		{"one key, two bodies", audit.NoNumberWasted, line(func(r audit.Request) bool { return acknowledged(r) && r.Key != "" }, func(p *planter, i int) {
			r := p.clients[i]
			r.ID, r.Body = "again", strings.Repeat("cd", 32)
			p.clients = append(p.clients, r)
		})},
		{"one key, two rows", audit.NoNumberWasted, func(p *planter) bool {
			t, i, found := p.some(func(t *testDevice, i int) bool { return inside(t, i) && t.documents[i].IdempotencyKey != "" })
			if found {
				t.documents[i-1].IdempotencyKey = t.documents[i].IdempotencyKey
			}
			return found
		}},
		{"line of the client journal without a body", audit.Journal, line(acknowledged, func(p *planter, i int) { p.clients[i].Body = "" })},
		{"line of the client journal without a document", audit.Journal, line(acknowledged, func(p *planter, i int) { p.clients[i].Document = [16]byte{} })},
	}
}

// again stamps a document a second time: the bytes differ, but the hash is the
// same.
func (m *maker) again(d *audit.Document) (hash string, xml []byte) {
	id := invoice.Identity{Number: d.Number, UUID: d.ID.String(), Counter: d.Counter, PreviousHash: d.PreviousHash}
	next := m.seal(!standard(d), id.At(d.IssuedAt), d.IssuedAt.Add(time.Minute))
	return next.Hash, next.XML
}
