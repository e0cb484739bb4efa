package audit

import "strings"

// checkStatus holds the status against the kind of document, against the
// verdict that is kept and against the state of its submission.
func (x *examination) checkStatus() {
	d := x.d
	simplified := strings.HasPrefix(d.Transaction, "02")
	switch {
	case d.Status.place() == unknownStatus:
		x.find(FirstVerdictStands, "its status %q is unknown", clipHash(string(d.Status)))
	case simplified && (d.Status == Cleared || d.Status == NotCleared):
		x.find(FirstVerdictStands, "it is a simplified document, which is reported and never cleared, and its status is %s", d.Status)
	case d.Status.accepted() && d.Code != 200 && d.Code != 202:
		x.find(FirstVerdictStands, "its status is %s, and its code is %d instead of 200 or 202", d.Status, d.Code)
	case d.Status.rejected() && d.Code != 400:
		x.find(FirstVerdictStands, "its status is %s, and its code is %d instead of 400", d.Status, d.Code)
	case d.Status.Final() && (d.SubmittedAt.IsZero() || d.AnsweredAt.IsZero()):
		x.find(FirstVerdictStands, "its status is %s, and when it was sent or answered is not kept", d.Status)
	}
	x.checkVerdict()
	x.checkState()
}

// checkVerdict: a final status comes with one verdict, any other with none.
func (x *examination) checkVerdict() {
	d := x.d
	switch {
	case !d.Status.Final() && len(d.Verdicts) > 0:
		x.find(FinalStatusStays, "a final verdict (%s) is kept for it, and its status is %s", d.Verdicts[0].Status, d.Status.words())
	case d.Status.Final() && len(d.Verdicts) == 0:
		x.find(FirstVerdictStands, "its status is %s, and no verdict of the authority is kept for it", d.Status)
	case len(d.Verdicts) > 1:
		x.find(FinalStatusStays, "%d final verdicts are kept for it; there is only one", len(d.Verdicts))
	case len(d.Verdicts) == 1 && d.Verdicts[0] != Verdict{d.Status, d.Code}:
		v := d.Verdicts[0]
		x.find(FinalStatusStays, "its status is %s with code %d, and the verdict that is kept says %s with code %d", d.Status, d.Code, v.Status, v.Code)
	}
}

// checkState: what has no verdict is somebody's to send.
func (x *examination) checkState() {
	d := x.d
	switch {
	case d.State == "":
		x.find(EverythingAnswered, "it has no submission: nothing will ever send it")
	case d.Status.Final() && d.State != "done":
		x.find(FinalStatusStays, "its status is %s, and its submission is still %q: it would be sent again", d.Status, d.State)
	case !d.Status.Final() && d.State == "done":
		x.find(EverythingAnswered, "it is %s, and its submission is done: nothing will send it", d.Status.words())
	}
}

// checkAttempts holds the status against the sendings.
func (x *examination) checkAttempts() {
	d := x.d
	tokens := map[string]bool{}
	yes, no, doors := false, false, map[string]bool{}
	news, copies := 0, 0
	for n, a := range d.Attempts {
		if tokens[a.Token] {
			x.find(FirstVerdictStands, "two of its attempts have the token %q, so that one may have been recorded as the other", clipHash(a.Token))
		}
		tokens[a.Token] = true
		if !a.Ended.IsZero() && a.Ended.Before(a.Started) {
			x.find(FirstVerdictStands, "its attempt %d ended before it began", n+1)
		}
		if a.Outcome == accepted {
			news++
		}
		// What the authority answers to a copy request is no verdict.
		if a.Copy {
			copies++
			continue
		}
		switch a.Outcome {
		case accepted, duplicate:
			yes, doors[a.Endpoint] = true, true
		case rejected:
			no = true
		}
	}
	if news > 1 {
		x.find(AcceptedOnce, "%d of its attempts were answered as if the authority had never seen it: it may count as %d documents there", news, news)
	}
	if copies > 0 && d.Status != Cleared {
		x.find(FirstVerdictStands, "its stamped copy was requested %d times, and its status is %s", copies, d.Status.words())
	}
	switch {
	case d.Status.accepted() && !yes:
		x.find(FirstVerdictStands, "its status is %s, and no attempt was answered with an acceptance", d.Status)
	case d.Status.rejected() && !no:
		x.find(FirstVerdictStands, "its status is %s, and no attempt was answered with a rejection", d.Status)
	case yes && no:
		x.find(FirstVerdictStands, "one of its attempts was accepted and another rejected")
	case !d.Status.Final() && (yes || no):
		x.find(FirstVerdictStands, "the authority has answered one of its attempts for good, and its status is %s", d.Status.words())
	case d.Status == Cleared && !doors[clearance], d.Status == Reported && !doors[reporting]:
		x.find(FirstVerdictStands, "its status is %s, and it was not accepted there", d.Status)
	}
}

// checkAge finds what waits for too long.
func (x *examination) checkAge() {
	d, o := x.d, x.options
	if o.Overdue <= 0 || d.Status.Final() || o.Now.Sub(d.CreatedAt) <= o.Overdue {
		return
	}
	x.find(EverythingAnswered, "it was created at %s and has no verdict after %s; its status is %s, its submission %q, and it was sent %d times",
		stamp(d.CreatedAt), o.Overdue, d.Status.words(), d.State, len(d.Attempts))
}
