package guest

import (
	"bytes"
	"errors"
	"fmt"
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

// refusals are the pages that show nothing, by the key of what they say. They
// are drawn once, so that no two visitors can be told apart by them.
func refusals(templates *template.Template, style template.CSS) (map[string][]byte, error) {
	drawn := map[string][]byte{}
	for _, key := range []string{"gone", "too_many", "away", "not_understood", "broken"} {
		var body bytes.Buffer
		if err := templates.ExecuteTemplate(&body, "refusal.html", refusal{style, word(key + "_title"), word(key)}); err != nil {
			return nil, fmt.Errorf("draw the page %s: %w", key, err)
		}
		drawn[key] = body.Bytes()
	}
	return drawn, nil
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
	send(w, status, p.refusals[key])
}
