package audit

import (
	"fmt"
	"slices"

	"github.com/google/uuid"
)

// judge checks a document after all its facts are known.
func (w *walk) judge(j *joined) {
	if j.id == uuid.Nil && j.stored == nil && j.seen+j.acknowledged+j.created+j.finals == 0 {
		return // the empty group before the first document
	}
	if j.stored == nil {
		w.judgeLost(j)
	} else {
		w.judgeTrail(j)
		if w.options.Authority != nil {
			w.judgeSent(j)
			w.judgeVerdict(j)
		}
		w.judgeRequests(j)
	}
	w.judgeSeen(j)
}

// findOf records a fault of a document. The device is that of its row, or else
// that of the first submission to the authority.
func (w *walk) findOf(j *joined, i Invariant, format string, args ...any) {
	f := Fault{Invariant: i, Document: j.id, Text: fmt.Sprintf(format, args...)}
	from := j.stored
	if from == nil {
		from = j.first
	}
	if from != nil {
		u := w.devices[from.device]
		f.Device, f.Organisation, f.Counter = u.ID, u.Organisation, int64(from.counter)
	}
	w.report.find(f)
}

// judgeLost checks a document that is not in the store.
func (w *walk) judgeLost(j *joined) {
	if j.acknowledged > 0 {
		w.findOf(j, NothingLost, "a client received a 202 for it (line %d of the client journal), but it is not in the store", j.request.order)
	}
	if j.seen > 0 && !w.inGap(j.first) {
		w.findOf(j, NothingLost, "the authority received it (line %d of its journal), but it is not in the store", j.first.order)
	}
	if j.created+j.finals > 0 {
		w.findOf(j, TrailComplete, "it is in the audit trail, but not in the store")
	}
}

// inGap reports whether the counter of a document that the authority received
// is in a declared gap of its device.
func (w *walk) inGap(f *fact) bool {
	if f == nil {
		return false
	}
	u := w.devices[f.device]
	return u.Abandoned && f.counter > uint64(u.Counter) || slices.ContainsFunc(u.Gaps, func(g Gap) bool {
		return f.counter >= uint64(g.First) && f.counter <= uint64(g.Last)
	})
}

// judgeTrail checks that the trail has one entry for the creation and one for
// the final status.
func (w *walk) judgeTrail(j *joined) {
	status := statusAt(j.stored.status)
	switch {
	case j.twice:
		w.findOf(j, OneVersionSeen, "two documents in the store have this uuid")
	case j.created == 0:
		w.findOf(j, TrailComplete, "the audit trail has no entry for its creation")
	case j.created > 1:
		w.findOf(j, TrailComplete, "the audit trail has %d entries for its creation", j.created)
	case j.hash.hasBody && j.hash.hash != j.stored.hash:
		w.findOf(j, TrailComplete, "the audit trail records another hash for it")
	}
	switch {
	case j.finals > 1:
		w.findOf(j, FinalStatusStays, "the audit trail has %d entries with a final status, the last one %s", j.finals, j.final)
	case j.finals == 1 && j.undone != "":
		w.findOf(j, FinalStatusStays, "its final status %s is followed by %s in the audit trail", j.final, j.undone.words())
	case j.finals == 1 && j.final != status:
		w.findOf(j, FinalStatusStays, "its final status is %s in the audit trail, but its status is %s", j.final, status.words())
	case j.finals == 0 && status.Final():
		w.findOf(j, TrailComplete, "its status is %s, but the audit trail has no entry for it", status)
	}
}

// judgeSent checks that the authority received the stored document.
func (w *walk) judgeSent(j *joined) {
	switch {
	case j.other != nil:
		w.findOf(j, OneVersionSeen, "the authority received it with another hash, with another counter (%d) or from another device than is stored (line %d of its journal)", j.other.counter, j.other.order)
	case j.first != nil && j.stored.hasBody && j.first.hasBody && j.first.body != j.stored.body:
		w.findOf(j, OneVersionSeen, "the bytes that the authority received (line %d of its journal) differ from the stored ones", j.first.order)
	}
}

// judgeVerdict checks that the final status is the authority's first verdict.
func (w *walk) judgeVerdict(j *joined) {
	status := statusAt(j.stored.status)
	yes := j.verdict == saidNew || j.verdict == saidDuplicate
	switch {
	case !status.Final():
	case j.verdict == saidNothing:
		w.findOf(j, FirstVerdictStands, "its status is %s, but the authority's journal has no verdict on it", status)
	case status.accepted() && !yes:
		w.findOf(j, FirstVerdictStands, "its status is %s, but the authority's first verdict was a rejection", status)
	case status.rejected() && yes:
		w.findOf(j, FirstVerdictStands, "its status is %s, but the authority's first verdict was an acceptance", status)
	case status == Cleared && !j.cleared, status == Reported && !j.reported:
		w.findOf(j, FirstVerdictStands, "its status is %s, but the authority did not accept it at that endpoint", status)
	case status.accepted() && j.news == 0:
		w.findOf(j, AcceptedOnce, "its status is %s, but the authority never accepted it as new", status)
	}
}

// judgeSeen checks that the authority received one version and accepted it as
// new once.
func (w *walk) judgeSeen(j *joined) {
	if j.bodies {
		w.findOf(j, OneVersionSeen, "the authority received it in more than one version")
	}
	if j.news > 1 {
		w.findOf(j, AcceptedOnce, "the authority accepted it as new %d times", j.news)
	}
}

// judgeRequests checks the answers that clients received about the document.
func (w *walk) judgeRequests(j *joined) {
	if j.acknowledged == 0 {
		if t := w.requests[j.stored.device]; t != nil && j.stored.created {
			t.unexplained++
			t.instance = j.id
		}
		return
	}
	if j.shared != nil {
		w.findOf(j, NothingLost, "two different requests (lines %d and %d of the client journal) were answered with it: the document of one of them is not in the store", j.request.order, j.shared.order)
	}
	if j.misdirected != nil {
		w.findOf(j, NothingLost, "a client received a 202 for it from another device (line %d of the client journal)", j.misdirected.order)
	}
}

// judgeUnanswered checks that documents without a 202 come from requests that
// had no answer.
func (w *walk) judgeUnanswered() {
	if !w.options.Sole {
		return
	}
	for _, u := range w.devices {
		t := w.requests[u.place]
		if t == nil || t.unexplained <= t.open {
			continue
		}
		w.report.find(Fault{Invariant: NoNumberWasted, Organisation: u.Organisation, Device: u.ID, Document: t.instance,
			Text: fmt.Sprintf("the device has %s without a 202, including this one, but only %s without an answer: a refused request has used a number", count(t.unexplained, "document"), count(t.open, "request"))})
	}
}
