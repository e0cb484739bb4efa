package audit

import "strings"

// checkStatus compares the status with the kind of document, the stored verdict
// and the state of its submission.
func (x *examination) checkStatus() {
	d := x.d
	simplified := strings.HasPrefix(d.Transaction, "02")
	switch {
	case d.Status.place() == unknownStatus:
		x.find(FirstVerdictStands, "its status %q is unknown", clipHash(string(d.Status)))
	case simplified && (d.Status == Cleared || d.Status == NotCleared):
		x.find(FirstVerdictStands, "it is a simplified document, which is never cleared, but its status is %s", d.Status)
	case d.Status.accepted() && d.Code != 200 && d.Code != 202:
		x.find(FirstVerdictStands, "its status is %s, but its code is %d instead of 200 or 202", d.Status, d.Code)
	case d.Status.rejected() && d.Code != 400:
		x.find(FirstVerdictStands, "its status is %s, but its code is %d instead of 400", d.Status, d.Code)
	case d.Status.Final() && (d.SubmittedAt.IsZero() || d.AnsweredAt.IsZero()):
		x.find(FirstVerdictStands, "its status is %s, but the time of sending or of the answer is not stored", d.Status)
	}
	x.checkVerdict()
	x.checkState()
}

// checkVerdict checks that a document with a final status has one stored
// verdict, and any other document none.
func (x *examination) checkVerdict() {
	d := x.d
	switch {
	case !d.Status.Final() && len(d.Verdicts) > 0:
		x.find(FinalStatusStays, "a final verdict (%s) is stored for it, but its status is %s", d.Verdicts[0].Status, d.Status.words())
	case d.Status.Final() && len(d.Verdicts) == 0:
		x.find(FirstVerdictStands, "its status is %s, but no verdict of the authority is stored for it", d.Status)
	case len(d.Verdicts) > 1:
		x.find(FinalStatusStays, "%d final verdicts are stored for it, want 1", len(d.Verdicts))
	case len(d.Verdicts) == 1 && d.Verdicts[0] != Verdict{d.Status, d.Code}:
		v := d.Verdicts[0]
		x.find(FinalStatusStays, "its status is %s with code %d, but the stored verdict is %s with code %d", d.Status, d.Code, v.Status, v.Code)
	}
}

// checkState checks that a document without a verdict will be sent, and that a
// document with one will not be sent again.
func (x *examination) checkState() {
	d := x.d
	switch {
	case d.State == "":
		x.find(EverythingAnswered, "it has no submission, so it will never be sent")
	case d.Status.Final() && d.State != "done":
		x.find(FinalStatusStays, "its status is %s, but its submission is still %q: it would be sent again", d.Status, d.State)
	case !d.Status.Final() && d.State == "done":
		x.find(EverythingAnswered, "it is %s, but its submission is done, so it will not be sent", d.Status.words())
	}
}

// checkAttempts compares the status with the attempts to send the document.
func (x *examination) checkAttempts() {
	d := x.d
	tokens := map[string]bool{}
	yes, no, endpoints := false, false, map[string]bool{}
	news, copies := 0, 0
	for n, a := range d.Attempts {
		if tokens[a.Token] {
			x.find(FirstVerdictStands, "two of its attempts have the token %q, so one may have been recorded as the other", clipHash(a.Token))
		}
		tokens[a.Token] = true
		if !a.Ended.IsZero() && a.Ended.Before(a.Started) {
			x.find(FirstVerdictStands, "its attempt %d ended before it began", n+1)
		}
		if a.Outcome == accepted {
			news++
		}
		// The answer to a copy request is not a verdict.
		if a.Copy {
			copies++
			continue
		}
		switch a.Outcome {
		case accepted, duplicate:
			yes, endpoints[a.Endpoint] = true, true
		case rejected:
			no = true
		}
	}
	if news > 1 {
		x.find(AcceptedOnce, "%d of its attempts were accepted as new: the authority may count it as %d documents", news, news)
	}
	if copies > 0 && d.Status != Cleared {
		x.find(FirstVerdictStands, "its stamped copy was requested %d times, but its status is %s", copies, d.Status.words())
	}
	switch {
	case d.Status.accepted() && !yes:
		x.find(FirstVerdictStands, "its status is %s, but no attempt was accepted", d.Status)
	case d.Status.rejected() && !no:
		x.find(FirstVerdictStands, "its status is %s, but no attempt was rejected", d.Status)
	case yes && no:
		x.find(FirstVerdictStands, "one of its attempts was accepted and another rejected")
	case !d.Status.Final() && (yes || no):
		x.find(FirstVerdictStands, "one of its attempts got a final verdict, but its status is %s", d.Status.words())
	case d.Status == Cleared && !endpoints[clearance], d.Status == Reported && !endpoints[reporting]:
		x.find(FirstVerdictStands, "its status is %s, but it was not accepted at that endpoint", d.Status)
	}
}

// checkAge reports a document that has waited too long for a verdict.
func (x *examination) checkAge() {
	d, o := x.d, x.options
	if o.Overdue <= 0 || d.Status.Final() || o.Now.Sub(d.CreatedAt) <= o.Overdue {
		return
	}
	x.find(EverythingAnswered, "it was created at %s and has no verdict after %s; its status is %s, its submission is %q, and it was sent %d times",
		stamp(d.CreatedAt), o.Overdue, d.Status.words(), d.State, len(d.Attempts))
}
