package org

import (
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/ubl"
)

// View is a filter of a list that a person has saved under a name. Only that
// person sees it.
type View struct {
	ID        uuid.UUID
	List      string // name of the list, such as invoices
	Name      string
	Query     string // parameters of the list, as in a URL
	CreatedAt time.Time
}

// MostViews is the maximum number of views of a person in an organisation.
const MostViews = 50

// Check normalises the view and returns all problems.
func (v *View) Check() []fault.Problem {
	var ps problems
	tidy(&v.Name)
	if v.Name == "" {
		ps.missing("name")
	}
	ps.characters("name", v.Name)
	if _, err := url.ParseQuery(v.Query); err != nil {
		ps.add("query", "must be the parameters of a URL, such as invoice_status=CLEARED&page_size=50", "يجب أن تكون القيمة معاملات رابط، مثل invoice_status=CLEARED&page_size=50.")
	}
	if _, _, illegal := ubl.IllegalCharacter(v.Query); illegal || strings.ContainsFunc(v.Query, unicode.IsControl) {
		ps.add("query", "must not contain control characters", fault.ControlCharactersAR)
	}
	return ps
}
