package audit_test

import (
	"fmt"
	"slices"
	"time"

	"khatm/audit"
)

// opposite returns the status and code of the opposite verdict on a document.
func opposite(d *audit.Document) (audit.Status, int) {
	accepted := isAccepted(d)
	switch {
	case accepted && standard(d):
		return audit.NotCleared, 400
	case accepted:
		return audit.NotReported, 400
	case standard(d):
		return audit.Cleared, 200
	}
	return audit.Reported, 200
}

// turned changes the verdict on a document to the opposite, everywhere in the
// store.
func turned(p *planter, d *audit.Document) {
	d.Status, d.Code = opposite(d)
	d.Verdicts = []audit.Verdict{{Status: d.Status, Code: d.Code}}
	if d.Cleared != nil && d.Status != audit.Cleared {
		d.Cleared = nil
	}
	if d.Status == audit.Cleared {
		d.Unstamped = true
	}
	outcome := "rejected"
	if isAccepted(d) {
		outcome = "accepted"
	}
	d.Attempts = []audit.Attempt{{Token: "one", Endpoint: endpoint(d), Started: d.SubmittedAt, Ended: d.AnsweredAt, Outcome: outcome, Code: d.Code}}
	for i, e := range p.trail {
		if e.Action == "invoice.answer" && e.Subject == d.ID.String() {
			p.trail[i].Details = fmt.Sprintf(`{"status":%q,"code":%d}`, d.Status, d.Code)
		}
	}
	p.relink()
}

// verdictMutants returns faults in the statuses, verdicts and attempts of
// documents.
func verdictMutants() []mutant {
	return []mutant{
		{"changed status", audit.FinalStatusStays, doc(isFinal, func(_ *planter, _ *testDevice, d *audit.Document) { d.Status, d.Code = opposite(d) })},
		{"changed status and verdict", audit.FinalStatusStays, doc(isFinal, func(p *planter, _ *testDevice, d *audit.Document) {
			was := slices.Clone(p.trail)
			turned(p, d)
			p.trail = was
			p.relink()
		})},
		{"verdict changed everywhere in the store", audit.FirstVerdictStands, doc(isFinal, func(p *planter, _ *testDevice, d *audit.Document) { turned(p, d) })},
		{"status reset", audit.FinalStatusStays, doc(isFinal, func(_ *planter, _ *testDevice, d *audit.Document) { d.Status, d.Code, d.State = "", 0, "queued" })},
		{"two verdicts", audit.FinalStatusStays, doc(isFinal, func(_ *planter, _ *testDevice, d *audit.Document) { d.Verdicts = append(d.Verdicts, d.Verdicts[0]) })},
		{"no verdict", audit.FirstVerdictStands, doc(isFinal, func(_ *planter, _ *testDevice, d *audit.Document) { d.Verdicts = nil })},
		{"verdict with another code", audit.FinalStatusStays, doc(isFinal, func(_ *planter, _ *testDevice, d *audit.Document) { d.Verdicts[0].Code = 299 })},
		{"unknown status", audit.FirstVerdictStands, doc(nil, func(_ *planter, _ *testDevice, d *audit.Document) { d.Status = "ACCEPTED" })},
		{"simplified document that is cleared", audit.FirstVerdictStands, doc(func(d *audit.Document) bool { return d.Status == audit.Reported && !standard(d) },
			func(_ *planter, _ *testDevice, d *audit.Document) { d.Status = audit.Cleared })},
		{"acceptance with the code of a rejection", audit.FirstVerdictStands, doc(isAccepted, func(_ *planter, _ *testDevice, d *audit.Document) { d.Code = 400 })},
		{"rejection with the code of an acceptance", audit.FirstVerdictStands, doc(isRejected, func(_ *planter, _ *testDevice, d *audit.Document) { d.Code = 200 })},
		{"missing time of the answer", audit.FirstVerdictStands, doc(isFinal, func(_ *planter, _ *testDevice, d *audit.Document) { d.AnsweredAt = time.Time{} })},
		{"final without an attempt", audit.FirstVerdictStands, doc(isFinal, func(_ *planter, _ *testDevice, d *audit.Document) { d.Attempts = nil })},
		{"final without an answer", audit.FirstVerdictStands, doc(isFinal, func(_ *planter, _ *testDevice, d *audit.Document) {
			d.Attempts[len(d.Attempts)-1].Outcome = "unknown"
		})},
		{"answered at another endpoint", audit.FirstVerdictStands, doc(func(d *audit.Document) bool { return d.Status == audit.Cleared },
			func(_ *planter, _ *testDevice, d *audit.Document) {
				d.Attempts[len(d.Attempts)-1].Endpoint = "reporting"
			})},
		{"attempts with both verdicts", audit.FirstVerdictStands, doc(isAccepted, func(_ *planter, _ *testDevice, d *audit.Document) {
			d.Attempts = append(d.Attempts, audit.Attempt{Token: "x", Outcome: "rejected"})
		})},
		{"accepted as new by a copy request too", audit.AcceptedOnce, doc(func(d *audit.Document) bool {
			return d.Status == audit.Cleared && d.Attempts[len(d.Attempts)-1].Outcome == "accepted"
		},
			func(_ *planter, _ *testDevice, d *audit.Document) {
				d.Attempts = append(d.Attempts, audit.Attempt{Token: "x", Copy: true, Endpoint: "clearance", Outcome: "accepted"})
			})},
		{"copy requested of a document that is not cleared", audit.FirstVerdictStands, doc(isRejected, func(_ *planter, _ *testDevice, d *audit.Document) {
			d.Attempts = append(d.Attempts, audit.Attempt{Token: "x", Copy: true, Endpoint: "clearance", Outcome: "unknown"})
		})},
		{"accepted by a copy request alone", audit.FirstVerdictStands, doc(func(d *audit.Document) bool { return d.Status == audit.Cleared },
			func(_ *planter, _ *testDevice, d *audit.Document) {
				for i := range d.Attempts {
					d.Attempts[i].Copy = true
				}
			})},
		{"answer that was not recorded", audit.FirstVerdictStands, doc(isOpen, func(_ *planter, _ *testDevice, d *audit.Document) {
			d.Attempts = append(d.Attempts, audit.Attempt{Token: "x", Outcome: "accepted", Endpoint: endpoint(d)})
		})},
		{"token used twice", audit.FirstVerdictStands, doc(isFinal, func(_ *planter, _ *testDevice, d *audit.Document) {
			d.Attempts = append(d.Attempts, d.Attempts[0])
		})},
		{"attempt that ends before it begins", audit.FirstVerdictStands, doc(isFinal, func(_ *planter, _ *testDevice, d *audit.Document) {
			a := &d.Attempts[len(d.Attempts)-1]
			a.Ended = a.Started.Add(-time.Second)
		})},
		{"cleared document of a rejected document", audit.FirstVerdictStands, doc(isRejected, func(_ *planter, _ *testDevice, d *audit.Document) { d.Cleared = d.XML })},
		{"document that waits too long", audit.EverythingAnswered, doc(isOpen, func(p *planter, _ *testDevice, _ *audit.Document) { p.now = p.now.AddDate(0, 0, 3) })},
		{"document that will not be sent", audit.EverythingAnswered, doc(isOpen, func(_ *planter, _ *testDevice, d *audit.Document) { d.State = "done" })},
		{"document without a submission", audit.EverythingAnswered, doc(nil, func(_ *planter, _ *testDevice, d *audit.Document) { d.State = "" })},
		{"final document that is sent again", audit.FinalStatusStays, doc(isFinal, func(_ *planter, _ *testDevice, d *audit.Document) { d.State = "waiting" })},
		{"final status twice in the trail", audit.FinalStatusStays, retold("invoice.answer", func(p *planter, i int) {
			e := p.trail[i]
			e.Details = `{"status":"REPORTED","code":200}`
			p.trail = append(p.trail, e, e)
		})},
		{"final status undone in the trail", audit.FinalStatusStays, doc(isFinal, func(p *planter, t *testDevice, d *audit.Document) {
			p.trail = append(p.trail, audit.Entry{ID: idOf(0, 998, 1), Organisation: t.Organisation, At: p.now, Kind: "system", Action: "invoice.no_response",
				Subject: d.ID.String(), Details: `{"attempt":9}`})
			p.relink()
		})},
		{"final status missing in the trail", audit.TrailComplete, doc(isFinal, func(p *planter, _ *testDevice, d *audit.Document) {
			p.trail = slices.DeleteFunc(p.trail, func(e audit.Entry) bool { return e.Action == "invoice.answer" && e.Subject == d.ID.String() })
			p.relink()
		})},
	}
}
