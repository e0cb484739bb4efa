package guest

import (
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"khatm/service/internal/fault"
	"khatm/service/internal/share"
)

// maxForm is the maximum size of a form with a name, a code, a comment and a
// version.
const maxForm = 16 << 10

// form holds the notice to show above a form and the values that were entered.
type form struct {
	Notice    string // key of the notice, "" for none
	Refused   bool   // the notice reports an error
	Moved     bool   // the draft changed, which is shown at the top of the page
	Again     day    // when the next code can be requested
	Name      string
	NameWrong string // key of the error message
	CodeWrong string
	TriesLeft int // attempts left after a wrong code; 0 if not known

	Declining    bool // the comment is shown
	Comment      string
	CommentWrong string
}

// wrongNames maps errors of share.CleanName to keys of messages.
var wrongNames = map[error]string{share.ErrNoName: "name_missing", share.ErrLongName: "name_long", share.ErrStrangeName: "name_strange"}

// wrongComments maps errors of share.CleanComment to keys of messages.
var wrongComments = map[error]string{share.ErrLongComment: "comment_long", share.ErrStrangeComment: "comment_strange"}

// askCode e-mails a code to the recipient of the draft.
func (p *Pages) askCode(w http.ResponseWriter, r *http.Request) {
	v, from, ok := p.openWaiting(w, r)
	if !ok {
		return
	}
	asked, err := p.Links.AskCode(r.Context(), v.token, from)
	switch {
	case refused(err):
		p.redisplay(w, r, v, err, form{Notice: "no_code_now", Refused: true})
	case err != nil:
		p.refuse(w, r, err)
	case asked.UsedUp:
		p.answer(w, r, http.StatusConflict, v, form{Notice: "code_used_up", Refused: true, Again: v.in.momentOf(asked.Expires)})
	case !asked.Fresh:
		p.redirect(w, v, "again")
	default:
		p.redirect(w, v, "sent")
	}
}

// approve approves the draft.
func (p *Pages) approve(w http.ResponseWriter, r *http.Request) {
	p.respond(w, r, "approved", func(v visit, f *form, code string, from share.From) error {
		_, err := p.Links.Approve(r.Context(), v.token, f.Name, code, from)
		return err
	})
}

// decline declines the draft.
func (p *Pages) decline(w http.ResponseWriter, r *http.Request) {
	p.respond(w, r, "declined", func(v visit, f *form, code string, from share.From) error {
		_, err := p.Links.Decline(r.Context(), v.token, f.Name, code, f.Comment, from)
		return err
	})
}

// respond reads the recipient's answer and calls act with it. If an input is
// invalid, it shows the form again with the values entered and an error beside
// the field.
func (p *Pages) respond(w http.ResponseWriter, r *http.Request, said string, act func(v visit, f *form, code string, from share.From) error) {
	v, from, ok := p.openWaiting(w, r)
	if !ok {
		return
	}
	code := strings.TrimSpace(r.PostForm.Get("code"))
	name, wrong := share.CleanName(r.PostForm.Get("name"))
	f := form{Name: name, NameWrong: wrongNames[wrong], Declining: said == "declined"}
	if f.Declining {
		f.Comment, wrong = share.CleanComment(r.PostForm.Get("comment"))
		f.CommentWrong = wrongComments[wrong]
	}
	if code == "" {
		f.CodeWrong = "code_missing"
	}
	if f.NameWrong != "" || f.CodeWrong != "" || f.CommentWrong != "" {
		p.answer(w, r, http.StatusBadRequest, v, f)
		return
	}
	err := act(v, &f, code, from)
	switch {
	case err == nil:
		p.redirect(w, v, said)
	case refused(err):
		f.CodeWrong, f.TriesLeft = codeProblem(err)
		p.redisplay(w, r, v, err, f)
	default:
		p.refuse(w, r, err)
	}
}

// codeProblem returns the key of the message about a code that does not work,
// and how many attempts are left.
func codeProblem(err error) (key string, left int) {
	var e *fault.Error
	if !errors.As(err, &e) || e.Code() != fault.WrongCode {
		return "code_wrong", 0
	}
	if left, _ = e.Fields["tries_left"].(int); left == 0 {
		return "code_tried_out", 0
	}
	return "code_not_right", left
}

// openWaiting opens a draft that waits for approval and reads the submitted
// form. If the draft was approved, declined or issued meanwhile, it redirects to
// its page.
func (p *Pages) openWaiting(w http.ResponseWriter, r *http.Request) (visit, share.From, bool) {
	v, ok := p.open(w, r)
	var from share.From
	switch {
	case !ok:
		return visit{}, from, false
	case v.view.Draft == nil:
		p.refuse(w, r, fault.New(fault.NothingToApprove, "An invoice needs no approval."))
		return visit{}, from, false
	case !waits(v.view.Draft):
		p.redirect(w, v, "")
		return visit{}, from, false
	}
	seen, err := readForm(r)
	if err != nil {
		p.refuse(w, r, err)
		return visit{}, from, false
	}
	from.Address, from.Request = p.Frame.Origin(r)
	from.Seen = seen
	return v, from, true
}

// waits reports whether a draft waits for approval.
func waits(d *share.Draft) bool { return d.Approval == nil && d.Decline == nil && d.Invoice == nil }

// redisplay shows the current page after a request was refused, because the
// visitor may have seen an outdated one.
func (p *Pages) redisplay(w http.ResponseWriter, r *http.Request, v visit, refusal error, f form) {
	var err error
	if v.view, err = p.Links.Open(r.Context(), v.token); err != nil {
		p.refuse(w, r, err)
		return
	}
	switch {
	case !waits(v.view.Draft):
		p.redirect(w, v, "")
	case fault.CodeOf(refusal) == fault.SellerUnserved:
		p.answer(w, r, http.StatusConflict, v, form{Notice: "not_now", Refused: true, Name: f.Name})
	case fault.CodeOf(refusal) == fault.DraftChanged:
		p.answer(w, r, http.StatusConflict, v, form{Moved: true, Name: f.Name})
	case f.CodeWrong != "":
		p.answer(w, r, http.StatusBadRequest, v, f)
	default:
		p.answer(w, r, http.StatusConflict, v, f)
	}
}

// redirect redirects to the page, so that reloading it does not submit the form
// again.
func (p *Pages) redirect(w http.ResponseWriter, v visit, said string) {
	part := "#approval"
	if said != "" {
		part = "#notice"
	}
	w.Header().Set("Location", v.at("", said)+part)
	w.WriteHeader(http.StatusSeeOther)
}

// refused reports whether an error was caused by the request.
func refused(err error) bool {
	kind := fault.KindOf(err)
	return err != nil && (kind == fault.Invalid || kind == fault.Conflict)
}

// readForm parses a small form and returns the version of the draft it was
// shown with, or 0 if the form does not contain it.
func readForm(r *http.Request) (seen int, err error) {
	if r.ContentLength == 0 {
		return 0, nil
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" {
		return 0, fault.New(fault.WrongContentType, "The form must be application/x-www-form-urlencoded.")
	}
	if err := r.ParseForm(); err != nil {
		e := fault.New(fault.IncompleteBody, "The form cannot be read.")
		e.Cause = errors.Unwrap(err)
		return 0, e
	}
	version := r.PostForm.Get("version")
	if version == "" {
		return 0, nil
	}
	if seen, err = strconv.Atoi(version); err != nil || seen < 1 {
		return 0, fault.New(fault.InvalidValue, "The field version must be a number from 1.")
	}
	return seen, nil
}
