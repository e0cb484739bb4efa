package guest

import (
	"bytes"
	"encoding/hex"
	"mime"
	"net/http"
	"net/url"
	"strconv"

	"khatm/service/internal/fault"
	"khatm/service/internal/share"
)

// visit is a request with a link that works.
type visit struct {
	token string
	view  share.View
	in    language
}

// open opens the link of a request and counts the request against the link's
// allowance. If the link does not work, the request is counted against the IP
// address instead. If open returns false, it has sent the response.
func (p *Pages) open(w http.ResponseWriter, r *http.Request) (visit, bool) {
	token := r.PathValue("token")
	link, err := p.Links.Find(r.Context(), token)
	if err == nil {
		err = p.Frame.Spend(r.Context(), w.Header(), p.Link, hex.EncodeToString(link.Digest))
	} else if fault.KindOf(err) == fault.NotFound {
		if spent := p.Frame.CountAddress(w, r); spent != nil {
			err = spent
		}
	}
	var view share.View
	if err == nil {
		view, err = p.Links.Open(r.Context(), token)
	}
	if err != nil {
		p.refuse(w, r, err)
		return visit{}, false
	}
	return visit{token: token, view: view, in: languageOf(r, view)}, true
}

// show shows the document of a link.
func (p *Pages) show(w http.ResponseWriter, r *http.Request) {
	v, ok := p.open(w, r)
	if !ok {
		return
	}
	p.answer(w, r, http.StatusOK, v, form{Notice: p.noticeKey(v, r.URL.Query().Get("said"))})
}

// noticeKey returns the key of the notice that the URL asks for, but only if it
// can be true for the draft: anyone can write such a URL.
func (p *Pages) noticeKey(v visit, word string) string {
	d := v.view.Draft
	switch {
	case d == nil || d.Invoice != nil:
		return ""
	case d.Approval != nil:
		return map[string]string{"approved": "just_approved"}[word]
	case d.Decline != nil:
		return map[string]string{"declined": "just_declined"}[word]
	case p.Mail:
		return map[string]string{"sent": "code_sent", "again": "code_sent_before"}[word]
	}
	return map[string]string{"sent": "code_made", "again": "code_made_before"}[word]
}

// redirectToPage redirects a GET for the URL of a form to its page, whether or
// not the link exists.
func (p *Pages) redirectToPage(w http.ResponseWriter, r *http.Request) {
	if err := p.Frame.CountAddress(w, r); err != nil {
		p.refuse(w, r, err)
		return
	}
	at := Base + url.PathEscape(r.PathValue("token"))
	if asked := r.URL.Query().Get("lang"); asked == string(arabic) || asked == string(english) {
		at += "?lang=" + asked
	}
	w.Header().Set("Location", at)
	w.WriteHeader(http.StatusSeeOther)
}

// unknownPath answers requests for paths that no link has.
func (p *Pages) unknownPath(w http.ResponseWriter, r *http.Request) {
	err := p.Frame.CountAddress(w, r)
	if err == nil {
		err = share.ErrGone()
	}
	p.refuse(w, r, err)
}

// answer renders and sends the page of a visit. If the page cannot be rendered,
// it sends an error page.
func (p *Pages) answer(w http.ResponseWriter, r *http.Request, status int, v visit, f form) {
	page, err := p.pageOf(v, f)
	var body bytes.Buffer
	if err == nil {
		err = p.templates.ExecuteTemplate(&body, "page.html", page)
	}
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	send(w, status, body.Bytes())
}

func send(w http.ResponseWriter, status int, page []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(page)))
	w.WriteHeader(status)
	_, _ = w.Write(page)
}

// download sends the PDF.
func (p *Pages) download(w http.ResponseWriter, r *http.Request) {
	v, ok := p.open(w, r)
	if !ok {
		return
	}
	pdf, err := p.pdf(r.Context(), v.view)
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/pdf")
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": pdf.Name}))
	h.Set("Content-Length", strconv.Itoa(len(pdf.Data)))
	_, _ = w.Write(pdf.Data)
}

// at returns the URL of a page of the visit, with the notice to show there. It
// contains no secret but the token itself.
func (v visit) at(page, said string) string {
	query := url.Values{"lang": {string(v.in)}}
	if said != "" {
		query.Set("said", said)
	}
	return Base + url.PathEscape(v.token) + page + "?" + query.Encode()
}
