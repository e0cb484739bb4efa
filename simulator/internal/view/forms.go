package view

import (
	"errors"
	"net/http"
	"strconv"
)

// maxForm is the maximum size of a form in bytes.
const maxForm = 4 << 10

// refusal is the data of the page for a form that is refused.
type refusal struct {
	frame
	Problem string
}

// submit runs a change and returns to the overview.
func (p *Page) submit(w http.ResponseWriter, r *http.Request, change func() error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	err := r.ParseForm()
	if err == nil {
		err = change()
	}
	l := languageOf(r)
	if err != nil {
		p.render(w, r, http.StatusBadRequest, "refusal.html", refusal{frameOf(r, l, l.T("not_done")), err.Error()})
		return
	}
	http.Redirect(w, r, home(l), http.StatusSeeOther)
}

func (p *Page) setMood(w http.ResponseWriter, r *http.Request) {
	p.submit(w, r, func() error {
		name := r.PostForm.Get("mood")
		if name == "" || name[0] == '{' {
			return errors.New("mood must be the name of a mood")
		}
		return p.SetMood(name)
	})
}

func (p *Page) force(w http.ResponseWriter, r *http.Request) {
	p.submit(w, r, func() error {
		times, err := strconv.Atoi(r.PostForm.Get("times"))
		if err != nil || times < 0 || times > 1000 {
			return errors.New("times must be a number from 0 to 1000")
		}
		return p.Force(r.PostForm.Get("fault"), times)
	})
}

func (p *Page) reject(w http.ResponseWriter, r *http.Request) {
	p.submit(w, r, func() error {
		times, err := strconv.Atoi(r.PostForm.Get("times"))
		if err != nil {
			return errors.New("times must be a number from 1 to 1000")
		}
		return p.Reject(r.PostForm.Get("code"), times)
	})
}

func (p *Page) set(w http.ResponseWriter, r *http.Request) {
	p.submit(w, r, func() error { return p.Set(r.PostForm.Get("setting"), r.PostForm.Get("value")) })
}
