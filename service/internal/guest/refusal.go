package guest

import (
	"errors"
	"html/template"
	"net/http"
	"strconv"

	"khatm/codes"
	"khatm/service/internal/fault"
)

// refusal is a page that shows nothing, in both languages: who it is for is not
// known.
type refusal struct {
	Style       template.CSS
	Title, Text codes.Word
}

// statusLeft is observed where the visitor left and that broke the visit off, as
// elsewhere in the service. Nobody is there to read it.
const statusLeft = 499

// refuse answers with a page that says why there is nothing to see. Every link
// that opens nothing is told in the same bytes.
func (p *Pages) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status, key := http.StatusInternalServerError, "broken"
	switch fault.KindOf(err) {
	case fault.NotFound:
		status, key = http.StatusNotFound, "gone"
	case fault.Exhausted:
		status, key = http.StatusTooManyRequests, "too_many"
	case fault.Unavailable:
		status, key = http.StatusServiceUnavailable, "away"
		w.Header().Set("Retry-After", "2")
	case fault.Invalid, fault.Conflict:
		status, key = http.StatusBadRequest, "not_understood"
	}
	if status >= http.StatusInternalServerError {
		p.Frame.Blame(r, err)
		if r.Context().Err() != nil {
			w.WriteHeader(statusLeft)
			return
		}
	}
	var e *fault.Error
	if errors.As(err, &e) && e.Again > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(e.Again.Seconds())))
	}
	p.write(w, r, status, "refusal.html", refusal{p.style, word(key + "_title"), word(key)})
}
