package mood

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

func emptyBody(_ *injection, a *answer) bool {
	a.rewrite(nil)
	return true
}

// truncatedBody sends half of the body, either as a valid HTTP response with
// invalid JSON or as a broken HTTP response.
func truncatedBody(s *injection, a *answer) bool {
	if len(a.body) < 2 {
		return false
	}
	if s.rng.IntN(2) == 0 {
		a.cut(half)
		return true
	}
	a.send = func(w http.ResponseWriter) {
		a.header.Set("Content-Length", strconv.Itoa(len(a.body)))
		a.start(w)
		_, _ = w.Write(half(a.body)) // an error means that the client has disconnected
		flush(w)
		hangUpOn(w)
	}
	return true
}

func half(body []byte) []byte { return body[:len(body)/2] }

// cut shortens the body when it is sent, after any change of shape.
func (a *answer) cut(to func([]byte) []byte) {
	a.header.Del("Content-Length")
	send := a.send
	a.send = func(w http.ResponseWriter) {
		a.body = to(a.body)
		send(w)
	}
}

const (
	blockedPage = `<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br><a href='javascript:history.back();'>[Go Back]</a></body></html>`
	gatewayPage = "<html>\r\n<head><title>%d %s</title></head>\r\n<body>\r\n<center><h1>%d %s</h1></center>\r\n<hr><center>gateway</center>\r\n</body>\r\n</html>\r\n"
)

func htmlBody(s *injection, a *answer) bool {
	page := blockedPage
	if status := s.drawStatus(); status != http.StatusOK {
		text := http.StatusText(status)
		page = fmt.Sprintf(gatewayPage, status, text, status, text)
	}
	a.say(s.status, "text/html; charset=utf-8", page)
	return true
}

func wrongType(_ *injection, a *answer) bool {
	if !a.isJSON() {
		return false
	}
	send := a.send
	a.send = func(w http.ResponseWriter) {
		a.header.Set("Content-Type", "text/plain; charset=utf-8")
		send(w)
	}
	return true
}

// slowDrip sends the whole answer slowly.
func slowDrip(s *injection, a *answer) bool {
	if len(a.body) == 0 {
		return false
	}
	a.send = func(w http.ResponseWriter) {
		a.header.Set("Content-Length", strconv.Itoa(len(a.body)))
		a.start(w)
		rest := a.body
		for waited := time.Duration(0); len(rest) > s.setting.Bytes && waited < s.setting.Hold; waited += s.setting.Pause {
			if _, err := w.Write(rest[:s.setting.Bytes]); err != nil {
				return
			}
			rest = rest[s.setting.Bytes:]
			flush(w)
			if s.sleep(s.request.Context(), s.setting.Pause) != nil {
				return
			}
		}
		_, _ = w.Write(rest) // an error means that the client has disconnected
	}
	return true
}

// endlessBody starts like a normal answer and continues with valid messages, so
// that a parser finds no error and no end.
func endlessBody(s *injection, a *answer) bool {
	a.header = http.Header{"Content-Type": {"application/json"}}
	a.send = func(w http.ResponseWriter) {
		defer hangUpOn(w)
		defer boundWrites(s, w)()
		a.start(w)
		const message = `{"type":"INFO","code":"XSD_ZATCA_VALID","category":"XSD validation","message":"Complied with UBL 2.1 standards in line with ZATCA specifications","status":"PASS"},`
		piece := []byte(strings.Repeat(message, 200))
		left := s.setting.Bytes
		for next := []byte(`{"validationResults":{"infoMessages":[`); left > 0; next = piece {
			next = next[:min(left, len(next))]
			if _, err := w.Write(next); err != nil || s.request.Context().Err() != nil {
				return
			}
			left -= len(next)
		}
		flush(w)
	}
	return true
}
