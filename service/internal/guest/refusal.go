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

// refusal holds the data of an error page. It is in both languages, because the
// visitor's language is not known.
type refusal struct {
	Style       template.CSS
	Title, Text codes.Word
}

// refusals renders the error pages, by key. They are rendered once, so that all
// visitors get identical bytes.
func refusals(templates *template.Template, style template.CSS) (map[string][]byte, error) {
	drawn := map[string][]byte{}
	for _, key := range []string{"gone", "too_many", "away", "not_understood", "broken"} {
		var body bytes.Buffer
		if err := templates.ExecuteTemplate(&body, "refusal.html", refusal{style, word(key + "_title"), word(key)}); err != nil {
			return nil, fmt.Errorf("render page %s: %w", key, err)
		}
		drawn[key] = body.Bytes()
	}
	return drawn, nil
}

// refuse sends an error page. The page is the same for every link that does not
// work.
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
	}
	var e *fault.Error
	if errors.As(err, &e) && e.Again > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(e.Again.Seconds())))
	}
	send(w, status, p.refusals[key])
}
