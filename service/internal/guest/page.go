package guest

import (
	"fmt"
	"html/template"
	"net/url"

	"khatm/codes"
)

// page holds the data of the page template.
type page struct {
	language
	Style    template.CSS
	Outcome  string // outcome of a submitted form, for the title
	Sheet    sheet
	Mark     string // text above a document that is not a tax invoice
	Status   string // status of the invoice or the draft
	Standing string // CSS class for the status
	Symbol   *symbol

	MarkWords string    // key of the text beside the mark
	Approval  *approval // set for a draft

	PDF, OtherPage string   // URLs; PDF is "" if there is no PDF yet
	Forward        *forward // set for an invoice
	Expires        day
}

// approval holds the data of the section where a draft is approved.
type approval struct {
	form
	Intro           string // key of the text before the recipient's address
	To              string // masked e-mail address that codes are sent to
	Version         int    // version of the draft that is shown
	Ask, Approve    string // URLs of the forms
	Decline         string // URL that the form with the comment is sent to
	Waiting, Issued bool
	Declined        bool
	By              string // name of the person who approved or declined
	At              day
}

// pageOf returns the data of the page for a visit.
func (p *Pages) pageOf(v visit, f form) (page, error) {
	out := page{language: v.in, Style: p.style, Expires: v.in.momentOf(v.view.Expires)}
	other := v
	other.in = v.in.Other()
	out.OtherPage = other.at("", "")
	if v.view.Draft != nil {
		return p.draftOf(out, v, f), nil
	}
	i := *v.view.Issued
	if p.Test() {
		out.Mark, out.MarkWords = v.in.of(markOf("mark_test", int(i.Kind))), "test_words"
	}
	out.Sheet = sheetOf(v.in, i)
	out.Sheet.Number = i.Number
	out.Sheet.Issued = v.in.dayOf(i.IssueDate)
	out.Sheet.Paid = paidWord(v.in, i.Payment)
	out.Status, out.Standing = statusOf(v.in, i)
	if i.Status.Accepted() {
		out.PDF = v.at("/pdf", "")
	}
	out.Forward = forwardOf(out.Sheet, p.URL+Base+url.PathEscape(v.token))
	if i.Printable() && i.QR != "" {
		var err error
		if out.Symbol, err = symbolOf(i.QR); err != nil {
			return page{}, err
		}
	}
	return out, nil
}

// markOf returns the text above a document that is not a tax invoice. A credit
// or debit note needs a different wording from an invoice, and a different
// gender in Arabic.
func markOf(key string, kind int) codes.Word {
	if kind == codes.CreditNote || kind == codes.DebitNote {
		key += "_note"
	}
	return codes.MustWord(key)
}

// draftOf completes the data for a draft.
func (p *Pages) draftOf(out page, v visit, f form) page {
	d := v.view.Draft
	out.Sheet = sheetOf(v.in, d.Shown.Invoice)
	out.Sheet.Version = d.Shown.Version
	out.Mark, out.MarkWords = v.in.of(markOf("mark_draft", int(d.Shown.Invoice.Kind))), "draft_words"
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
	if d.Decline != nil {
		out.Status, out.Standing = v.in.of(word("draft_declined")), "waiting"
	}
	if d.Invoice != nil {
		out.MarkWords, out.Status = "draft_issued", v.in.of(word("issued_since"))
	}
	out.PDF = v.at("/pdf", "")
	return out
}

func approvalOf(v visit, f form) *approval {
	d := v.view.Draft
	f.Name, f.Comment = clean(f.Name), clean(f.Comment)
	a := &approval{
		form: f, Intro: "approve_intro", To: clean(d.Recipient.Masked()), Version: d.Shown.Version, Ask: v.at("/code", ""), Approve: v.at("/approve", ""), Decline: v.at("/decline", ""),
		Waiting: waits(d), Issued: d.Invoice != nil, Declined: d.Decline != nil,
	}
	if d.Decline != nil {
		a.By, a.At, a.Comment = clean(d.Decline.Name), v.in.momentOf(d.Decline.At), clean(d.Decline.Comment)
	}
	if d.Approval != nil {
		a.By, a.At = clean(d.Approval.Name), v.in.momentOf(d.Approval.At)
	}
	return a
}

// outcome returns one word for the outcome of a submitted form, or "" if none
// was submitted.
func (f form) outcome(l language) string {
	switch {
	case f.Moved || f.Refused || f.NameWrong != "" || f.CodeWrong != "" || f.CommentWrong != "":
		return l.of(word("outcome_wrong"))
	case f.Notice != "":
		return l.of(word("outcome_done"))
	}
	return ""
}

// T returns a word of the pages or of the glossary in the language of the page.
func (p page) T(key string) string { return p.of(word(key)) }

// Tries returns how many attempts with a code are left.
func (p page) Tries(left int) string {
	switch left {
	case 1:
		return p.T("tries_1")
	case 2:
		return p.T("tries_2")
	}
	return fmt.Sprintf(p.T("tries_many"), left)
}

// Lang returns the language code for HTML.
func (p page) Lang() string { return string(p.language) }
