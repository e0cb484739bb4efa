package audit_test

import (
	"slices"
	"time"

	"khatm/audit"
	"khatm/invoice"
)

// storeMutants returns faults in documents, chains, trail and usage.
func storeMutants() []mutant {
	return slices.Concat(byteMutants(), chainMutants(), bookMutants())
}

func byteMutants() []mutant {
	return []mutant{
		{"flipped bit in the XML", audit.DocumentsVerify, doc(nil, func(p *planter, _ *testDevice, d *audit.Document) { flip(p, d.XML) })},
		{"empty XML", audit.DocumentsVerify, doc(nil, func(_ *planter, _ *testDevice, d *audit.Document) { d.XML = nil })},
		{"truncated XML", audit.DocumentsVerify, doc(nil, func(p *planter, _ *testDevice, d *audit.Document) { d.XML = d.XML[:p.rng.IntN(len(d.XML))] })},
		{"flipped bit in the cleared XML", audit.DocumentsVerify, doc(isCleared, func(p *planter, _ *testDevice, d *audit.Document) { flip(p, d.Cleared) })},
		{"cleared XML of another document", audit.DocumentsVerify, func(p *planter) bool {
			t, i, one := p.some(func(t *testDevice, i int) bool { return isCleared(&t.documents[i]) })
			u, j, two := p.some(func(u *testDevice, j int) bool { return isCleared(&u.documents[j]) && (u != t || j != i) })
			if one && two {
				t.documents[i].Cleared = u.documents[j].Cleared
			}
			return one && two
		}},
		{"cleared XML with the device's own stamp", audit.DocumentsVerify, doc(isCleared, func(_ *planter, _ *testDevice, d *audit.Document) { d.Cleared = d.XML })},
		{"missing cleared XML", audit.DocumentsVerify, doc(isCleared, func(_ *planter, _ *testDevice, d *audit.Document) { d.Cleared = nil })},
		{"changed hash in the row", audit.DocumentsVerify, doc(nil, func(_ *planter, _ *testDevice, d *audit.Document) { d.Hash = otherHash })},
		{"changed QR in the row", audit.DocumentsVerify, doc(nil, func(p *planter, _ *testDevice, d *audit.Document) {
			b := []byte(d.QR)
			flip(p, b)
			d.QR = string(b)
		})},
		{"QR of another document", audit.DocumentsVerify, place(inside, func(_ *planter, t *testDevice, i int) { t.documents[i].QR = t.documents[i-1].QR })},
		{"changed number in the row", audit.DocumentsVerify, doc(nil, func(_ *planter, _ *testDevice, d *audit.Document) { d.Number = "INV-2026-900000" })},
		{"changed date in the row", audit.DocumentsVerify, doc(nil, func(_ *planter, _ *testDevice, d *audit.Document) { d.IssueDate = "2026-01-01" })},
		{"changed type in the row", audit.DocumentsVerify, doc(nil, func(_ *planter, _ *testDevice, d *audit.Document) { d.TypeCode = 381 })},
		{"changed uuid in the row", audit.DocumentsVerify, doc(nil, func(_ *planter, _ *testDevice, d *audit.Document) { d.ID = idOf(9, 9, 9) })},
		{"signed by another device", audit.DocumentsVerify, place(nil, func(p *planter, t *testDevice, i int) {
			other := *t
			other.maker = p.devices[(slices.Index(p.devices, t)+1)%len(p.devices)].maker
			other.reissue(i, func(*invoice.Identity, *time.Time) {})
		})},
		{"certificate of another device", audit.DocumentsVerify, func(p *planter) bool {
			p.devices[1].Certificates = p.devices[2].Certificates
			return true
		}},
		{"signed before the certificate was valid", audit.DocumentsVerify, place(isFirst, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(_ *invoice.Identity, at *time.Time) { *at = at.AddDate(-1, 0, 0) })
		})},
		{"signed after the certificate expired", audit.DocumentsVerify, place(isLast, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(_ *invoice.Identity, at *time.Time) { *at = at.AddDate(6, 0, 0) })
		})},
	}
}

func chainMutants() []mutant {
	return []mutant{
		{"dropped row", audit.CountersRun, place(inside, func(_ *planter, t *testDevice, i int) { t.documents = slices.Delete(t.documents, i, i+1) })},
		{"dropped first row", audit.CountersRun, place(isFirst, func(_ *planter, t *testDevice, _ int) { t.documents = t.documents[1:] })},
		{"removed last rows", audit.CountersRun, place(inside, func(_ *planter, t *testDevice, i int) { t.documents = t.documents[:i] })},
		{"removed last rows, known to the trail only", audit.TrailComplete, place(inside, func(p *planter, t *testDevice, i int) {
			last := t.documents[i-1]
			t.documents = t.documents[:i]
			t.Counter, t.LastHash, t.LastIssuedAt = last.Counter, last.Hash, last.IssuedAt
			p.noClients, p.noAuthority = true, true
		})},
		{"swapped counters", audit.CountersRun, place(notLast, func(_ *planter, t *testDevice, i int) {
			a, b := &t.documents[i], &t.documents[i+1]
			a.Counter, b.Counter = b.Counter, a.Counter
		})},
		{"swapped documents", audit.CountersRun, place(notLast, func(_ *planter, t *testDevice, i int) {
			t.documents[i], t.documents[i+1] = t.documents[i+1], t.documents[i]
		})},
		{"repeated counter", audit.CountersRun, place(inside, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(id *invoice.Identity, _ *time.Time) { id.Counter-- })
		})},
		{"counter differs in the bytes", audit.CountersRun, place(inside, func(_ *planter, t *testDevice, i int) {
			was := t.documents[i].Counter
			t.reissue(i, func(id *invoice.Identity, _ *time.Time) { id.Counter += 7 })
			t.documents[i].Counter = was
		})},
		{"repeated row", audit.CountersRun, place(nil, func(_ *planter, t *testDevice, i int) {
			t.documents = slices.Insert(t.documents, i, t.documents[i])
		})},
		{"repeated uuid", audit.OneVersionSeen, place(nil, func(_ *planter, t *testDevice, i int) {
			t.documents = slices.Insert(t.documents, i, t.documents[i])
		})},
		{"fork", audit.ChainHolds, place(inside, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(id *invoice.Identity, _ *time.Time) { id.PreviousHash = t.documents[i-1].PreviousHash })
		})},
		{"unknown previous hash", audit.ChainHolds, place(inside, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(id *invoice.Identity, _ *time.Time) { id.PreviousHash = otherHash })
		})},
		{"changed previous hash in the row", audit.ChainHolds, doc(nil, func(_ *planter, _ *testDevice, d *audit.Document) { d.PreviousHash = otherHash })},
		{"document signed again in the middle of the chain", audit.ChainHolds, place(inside, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(_ *invoice.Identity, at *time.Time) { *at = at.Add(time.Second) })
		})},
		{"first document without the initial constant", audit.ChainHolds, place(isFirst, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(id *invoice.Identity, _ *time.Time) { id.PreviousHash = otherHash })
		})},
		{"time of issue before the previous one", audit.CountersRun, place(isLast, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(_ *invoice.Identity, at *time.Time) { *at = t.documents[i-1].IssuedAt.Add(-time.Minute) })
		})},
		{"counter of the device set back", audit.CountersRun, place(nil, func(_ *planter, t *testDevice, _ int) { t.Counter-- })},
		{"last hash of the device changed", audit.ChainHolds, place(nil, func(_ *planter, t *testDevice, _ int) { t.LastHash = otherHash })},
		{"last time of the device changed", audit.CountersRun, place(nil, func(_ *planter, t *testDevice, _ int) { t.LastIssuedAt = t.LastIssuedAt.Add(time.Hour) })},
	}
}

func bookMutants() []mutant {
	entry := func(change func(p *planter, i int)) func(*planter) bool {
		return func(p *planter) bool {
			change(p, p.rng.IntN(len(p.trail)-1))
			return true
		}
	}
	return []mutant{
		{"entry of the trail changed", audit.TrailComplete, entry(func(p *planter, i int) { p.trail[i].Actor = "nobody" })},
		{"entry of the trail dropped", audit.TrailComplete, entry(func(p *planter, i int) { p.trail = slices.Delete(p.trail, i, i+1) })},
		{"entries of the trail swapped", audit.TrailComplete, entry(func(p *planter, i int) { p.trail[i], p.trail[i+1] = p.trail[i+1], p.trail[i] })},
		{"trail truncated", audit.TrailComplete, entry(func(p *planter, i int) { p.trail = p.trail[:i+1] })},
		{"trail rewritten", audit.TrailComplete, entry(func(p *planter, i int) {
			p.keepHead = true
			p.trail[i].Details = `{"name":"another"}`
			p.relink()
		})},
		{"creation missing in the trail", audit.TrailComplete, retold("invoice.create", func(p *planter, i int) { p.trail = slices.Delete(p.trail, i, i+1) })},
		{"creation twice in the trail", audit.TrailComplete, retold("invoice.create", func(p *planter, i int) { p.trail = append(p.trail, p.trail[i]) })},
		{"creation with another hash in the trail", audit.TrailComplete, retold("invoice.create", func(p *planter, i int) { p.trail[i].Details = `{"hash":"` + otherHash + `"}` })},
		{"usage too low", audit.UsageCounted, func(p *planter) bool { p.usage[p.rng.IntN(len(p.usage))].Used--; return true }},
		{"usage too high", audit.UsageCounted, func(p *planter) bool { p.usage[p.rng.IntN(len(p.usage))].Used++; return true }},
		{"usage missing", audit.UsageCounted, func(p *planter) bool { p.usage = p.usage[1:]; return true }},
		{"allowance exceeded", audit.UsageCounted, func(p *planter) bool {
			u := &p.usage[p.rng.IntN(len(p.usage))]
			u.Ceiling = u.Used - 1
			return true
		}},
		{"repeated number", audit.NoNumberWasted, place(inside, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(id *invoice.Identity, _ *time.Time) { id.Number = t.documents[i-1].Number })
		})},
		{"skipped number", audit.NoNumberWasted, place(isLast, func(_ *planter, t *testDevice, i int) {
			t.reissue(i, func(id *invoice.Identity, _ *time.Time) { id.Number = "INV-2026-000500" })
		})},
	}
}

// retold returns a function that changes an entry of the trail and links the
// trail again, as if the entry had been written that way.
func retold(action string, change func(p *planter, i int)) func(*planter) bool {
	return func(p *planter) bool {
		var all []int
		for i, e := range p.trail {
			if e.Action == action {
				all = append(all, i)
			}
		}
		change(p, all[p.rng.IntN(len(all))])
		p.relink()
		return true
	}
}
