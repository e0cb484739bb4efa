package guest

import (
	"html/template"

	"khatm/codes"
)

// page is everything that the page of a link says.
type page struct {
	language
	Style    template.CSS
	Outcome  string // what came of a form, for the title
	Sheet    sheet
	Mark     string // printed above what is no tax invoice
	Status   string // what the authority says, or where the draft stands
	Standing string // the same as a class of the style
	Symbol   *symbol

	MarkWords string    // key of what is said beside the mark
	Approval  *approval // of a draft

	PDF, OtherPage string // addresses; the first is empty while there is no PDF
	Expires        day
}

// approval is the part of the page where a draft is approved.
type approval struct {
	form
	Intro           string // key of what is said before the address
	To              string // whom codes are sent to, masked
	Version         int    // of the draft that is shown
	Ask, Approve    string // addresses of the forms
	Waiting, Issued bool
	By              string // who has approved
	At              day
}

// pageOf says what a visitor sees.
func (p *Pages) pageOf(v visit, f form) (page, error) {
	out := page{language: v.in, Style: p.style, Expires: v.in.momentOf(v.view.Expires)}
	other := v
	other.in = v.in.Other()
	out.OtherPage = other.at("", "")
	if v.view.Draft != nil {
		return p.draftOf(out, v, f), nil
	}
	i := *v.view.Issued
	if p.Test {
		out.Mark, out.MarkWords = v.in.of(testMark(int(i.Kind))), "test_words"
	}
	out.Sheet = sheetOf(v.in, i)
	out.Sheet.Number = i.Number
	out.Sheet.Issued = v.in.dayOf(i.IssueDate)
	out.Sheet.Paid = paidWord(v.in, i.Payment)
	out.Status, out.Standing = statusOf(v.in, i)
	if i.Status.Accepted() {
		out.PDF = v.at("/pdf", "")
	}
	if i.Printable() && i.QR != "" {
		var err error
		if out.Symbol, err = symbolOf(i.QR); err != nil {
			return page{}, err
		}
	}
	return out, nil
}

// testMark is what is printed above what was issued for a test. A note is no
// invoice anyway, and of another gender in Arabic.
func testMark(kind int) codes.Word {
	if kind == codes.CreditNote || kind == codes.DebitNote {
		return word("mark_test_note")
	}
	return codes.MustWord("mark_test")
}

// draftOf completes the page of a draft.
func (p *Pages) draftOf(out page, v visit, f form) page {
	d := v.view.Draft
	out.Sheet = sheetOf(v.in, d.Shown.Invoice)
	out.Sheet.Version = d.Shown.Version
	out.Mark, out.MarkWords = v.in.of(codes.MustWord("mark_draft")), "draft_words"
	out.Status, out.Standing = v.in.of(word("draft")), "waiting"
	out.Approval = approvalOf(v, f)
	if !p.Mail {
		out.Approval.Intro = "approve_unsent"
	}
	out.Outcome = f.outcome(v.in)
	if !out.Approval.Waiting {
		out.MarkWords = "draft_settled"
	}
	if d.Approval != nil {
		out.Status, out.Standing = v.in.of(word("draft_approved")), "accepted"
	}
	if d.Invoice != nil {
		out.MarkWords, out.Status = "draft_issued", v.in.of(word("issued_since"))
	}
	out.PDF = v.at("/pdf", "")
	return out
}

func approvalOf(v visit, f form) *approval {
	d := v.view.Draft
	f.Name = clean(f.Name)
	a := &approval{
		form: f, Intro: "approve_intro", To: clean(d.Recipient.Masked()), Version: d.Shown.Version, Ask: v.at("/code", ""), Approve: v.at("/approve", ""),
		Waiting: waits(d), Issued: d.Invoice != nil,
	}
	if d.Approval != nil {
		a.By, a.At = clean(d.Approval.Name), v.in.momentOf(d.Approval.At)
	}
	return a
}

// outcome is what came of a form, in a word; empty where none was sent.
func (f form) outcome(l language) string {
	switch {
	case f.Moved || f.Refused || f.NameWrong != "" || f.CodeWrong != "":
		return l.of(word("outcome_wrong"))
	case f.Notice != "":
		return l.of(word("outcome_done"))
	}
	return ""
}

// T is a word of the pages or of the glossary, in the language of the page.
func (p page) T(key string) string { return p.of(word(key)) }

// Lang is the language as HTML names it.
func (p page) Lang() string { return string(p.language) }
