package guest

import (
	"errors"
	"mime"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"khatm/service/internal/fault"
	"khatm/service/internal/share"
)

// maxForm bounds what is read of a form: a name and a code.
const maxForm = 4 << 10

// form is what was said and typed on the page before.
type form struct {
	Notice    string // key of what is said above the form
	Name      string
	NameWrong string // key of what is wrong with it
	CodeWrong string
}

// notices are what an address may ask to be said, by the word in it.
var notices = map[string]string{"sent": "code_sent", "again": "code_sent_before", "none": "no_more_codes", "approved": "just_approved"}

// askCode has a code sent to the recipient of the draft.
func (p *Pages) askCode(w http.ResponseWriter, r *http.Request) {
	v, ok := p.openWaiting(w, r)
	if !ok {
		return
	}
	asked, err := p.Links.AskCode(r.Context(), v.token, share.From{})
	said := "sent"
	switch {
	case refused(err):
		said = "none"
	case err != nil:
		p.refuse(w, r, err)
		return
	case !asked.Fresh:
		said = "again"
	}
	p.back(w, v, said)
}

// approve approves the draft. What was typed wrong is said beside its field,
// on the page that keeps the rest of it.
func (p *Pages) approve(w http.ResponseWriter, r *http.Request) {
	v, ok := p.openWaiting(w, r)
	if !ok {
		return
	}
	if err := readForm(w, r); err != nil {
		p.refuse(w, r, err)
		return
	}
	code := strings.TrimSpace(r.PostForm.Get("code"))
	f := form{Name: strings.TrimSpace(r.PostForm.Get("name"))}
	if f.NameWrong = wrongName(f.Name); code == "" {
		f.CodeWrong = "code_missing"
	}
	if f.NameWrong == "" && f.CodeWrong == "" {
		_, err := p.Links.Approve(r.Context(), v.token, f.Name, code, share.From{})
		if err == nil {
			p.back(w, v, "approved")
			return
		}
		if !refused(err) {
			p.refuse(w, r, err)
			return
		}
		f.CodeWrong = "code_wrong"
	}
	p.answer(w, r, http.StatusBadRequest, v, f)
}

// openWaiting opens a draft that waits for its recipient. One that was approved
// meanwhile is shown as it is: who has approved it is on its page.
func (p *Pages) openWaiting(w http.ResponseWriter, r *http.Request) (visit, bool) {
	v, ok := p.open(w, r)
	switch {
	case !ok:
		return visit{}, false
	case v.view.Draft == nil:
		p.refuse(w, r, fault.New(fault.Invalid, "An invoice needs no approval."))
		return visit{}, false
	case v.view.Draft.Approval != nil:
		p.back(w, v, "")
		return visit{}, false
	}
	return v, true
}

// back leads back to the page, so that loading it again repeats nothing.
func (p *Pages) back(w http.ResponseWriter, v visit, said string) {
	w.Header().Set("Location", v.at("", said)+"#approval")
	w.WriteHeader(http.StatusSeeOther)
}

// refused says whether an error is about what was asked for.
func refused(err error) bool {
	kind := fault.KindOf(err)
	return err != nil && (kind == fault.Invalid || kind == fault.Conflict)
}

// readForm reads a small form.
func readForm(w http.ResponseWriter, r *http.Request) error {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" {
		return fault.New(fault.Invalid, "The form is of another type.")
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return &fault.Error{Kind: fault.Invalid, Message: "The form cannot be read.", Cause: errors.Unwrap(err)}
	}
	return nil
}

const maxName = 100

// wrongName gives the key of what is wrong with a name.
func wrongName(name string) string {
	switch {
	case name == "":
		return "name_missing"
	case utf8.RuneCountInString(name) > maxName:
		return "name_long"
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "name_strange"
	}
	return ""
}
