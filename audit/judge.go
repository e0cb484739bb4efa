package audit

import (
	"fmt"
	"slices"

	"github.com/google/uuid"
)

// judge says what is wrong with a document of which all facts are known.
func (w *walk) judge(j *joined) {
	if j.id == uuid.Nil && j.stored == nil && j.seen+j.told+j.created+j.finals == 0 {
		return // nothing came before the first
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

// findOf enters a fault of a document; its device is that of its row or that
// which the authority saw.
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

// judgeLost is about a document that the store does not have.
func (w *walk) judgeLost(j *joined) {
	if j.told > 0 {
		w.findOf(j, NothingLost, "a client was told that it was issued (202, line %d of the client journal), and the store does not have it", j.request.order)
	}
	if j.seen > 0 && !w.inGap(j.first) {
		w.findOf(j, NothingLost, "the authority has seen it (line %d of its journal), and the store does not have it", j.first.order)
	}
	if j.created+j.finals > 0 {
		w.findOf(j, TrailComplete, "the audit trail speaks of it, and the store does not have it")
	}
}

// inGap says whether the place of a document that the authority saw lies in a
// declared gap of its device.
func (w *walk) inGap(f *fact) bool {
	if f == nil {
		return false
	}
	u := w.devices[f.device]
	return u.Abandoned && f.counter > uint64(u.Counter) || slices.ContainsFunc(u.Gaps, func(g Gap) bool {
		return f.counter >= uint64(g.First) && f.counter <= uint64(g.Last)
	})
}

// judgeTrail: one entry for the creation, one for the final status.
func (w *walk) judgeTrail(j *joined) {
	status := statusAt(j.stored.status)
	switch {
	case j.twice:
		w.findOf(j, OneVersionSeen, "two documents in the store have this uuid")
	case j.created == 0:
		w.findOf(j, TrailComplete, "the audit trail does not say that it was created")
	case j.created > 1:
		w.findOf(j, TrailComplete, "the audit trail says %d times that it was created", j.created)
	case j.hash.hasBody && j.hash.hash != j.stored.hash:
		w.findOf(j, TrailComplete, "the audit trail says that it was created with another hash")
	}
	switch {
	case j.finals > 1:
		w.findOf(j, FinalStatusStays, "the audit trail says %d times that it got a final status, at last %s", j.finals, j.final)
	case j.finals == 1 && j.undone != "":
		w.findOf(j, FinalStatusStays, "the audit trail says that its final status %s was followed by %s", j.final, j.undone.words())
	case j.finals == 1 && j.final != status:
		w.findOf(j, FinalStatusStays, "the audit trail says that it got the final status %s, and its status is %s", j.final, status.words())
	case j.finals == 0 && status.Final():
		w.findOf(j, TrailComplete, "its status is %s, and the audit trail does not say that it got it", status)
	}
}

// judgeSent: what the authority saw is what is stored.
func (w *walk) judgeSent(j *joined) {
	switch {
	case j.other != nil:
		w.findOf(j, OneVersionSeen, "the authority saw it with another hash, another counter (%d) or by another device (line %d of its journal) than is stored", j.other.counter, j.other.order)
	case j.first != nil && j.stored.hasBody && j.first.hasBody && j.first.body != j.stored.body:
		w.findOf(j, OneVersionSeen, "the bytes that the authority saw (line %d of its journal) are not those that are stored", j.first.order)
	}
}

// judgeVerdict: the final status is the authority's first verdict.
func (w *walk) judgeVerdict(j *joined) {
	status := statusAt(j.stored.status)
	yes := j.verdict == saidNew || j.verdict == saidDuplicate
	switch {
	case !status.Final():
	case j.verdict == saidNothing:
		w.findOf(j, FirstVerdictStands, "its status is %s, and the authority's journal has no verdict on it", status)
	case status.accepted() && !yes:
		w.findOf(j, FirstVerdictStands, "its status is %s, and the authority's first verdict was a rejection", status)
	case status.rejected() && yes:
		w.findOf(j, FirstVerdictStands, "its status is %s, and the authority's first verdict was an acceptance", status)
	case status == Cleared && !j.cleared, status == Reported && !j.reported:
		w.findOf(j, FirstVerdictStands, "its status is %s, and the authority did not accept it there", status)
	case status.accepted() && j.news == 0:
		w.findOf(j, AcceptedOnce, "its status is %s, and the authority never took it as new", status)
	}
}

// judgeSeen: one string of bytes, and taken as new once.
func (w *walk) judgeSeen(j *joined) {
	if j.bodies {
		w.findOf(j, OneVersionSeen, "the authority saw it in more than one version of its bytes")
	}
	if j.news > 1 {
		w.findOf(j, AcceptedOnce, "the authority took it as new %d times", j.news)
	}
}

// judgeRequests: what clients were told of it.
func (w *walk) judgeRequests(j *joined) {
	if j.told == 0 {
		if t := w.requests[j.stored.device]; t != nil && j.stored.created {
			t.strange++
			t.instance = j.id
		}
		return
	}
	if j.shared != nil {
		w.findOf(j, NothingLost, "two different requests (lines %d and %d of the client journal) were answered with it: what one of them asked for is not in the store", j.request.order, j.shared.order)
	}
	if j.strayed != nil {
		w.findOf(j, NothingLost, "a client was told that it was issued by another device (line %d of the client journal)", j.strayed.order)
	}
}

// judgeUnanswered: documents that nobody was told of come from requests that had no
// answer.
func (w *walk) judgeUnanswered() {
	if !w.options.Sole {
		return
	}
	for _, u := range w.devices {
		t := w.requests[u.place]
		if t == nil || t.strange <= t.open {
			continue
		}
		w.report.find(Fault{Invariant: NoNumberWasted, Organisation: u.Organisation, Device: u.ID, Document: t.instance,
			Text: fmt.Sprintf("%s of the device that no client was told of, this one among them, and %s left without an answer: a request that was refused has used up a number", count(t.strange, "document"), count(t.open, "request"))})
	}
}
