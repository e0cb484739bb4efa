package simulator

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// watched is a ResponseWriter that records the status and adds the header with
// the reasons. It is outside the fault injection, so that the header is also on
// the answers of a fault.
type watched struct {
	http.ResponseWriter
	call   *call
	status int // 0 until a status is sent
}

// WriteHeader records the first final status.
func (w *watched) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
		if text := headerOf(w.call.allReasons()); text != "" {
			w.Header().Set(reasonHeader, text)
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends the status 200 if none was sent before.
func (w *watched) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap returns the underlying writer, so that http.ResponseController can set
// deadlines, flush and hijack.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// log writes one line per request, and one below it for each reason. It logs no
// secrets and no passwords.
type log struct {
	mu sync.Mutex
	to io.Writer
}

func (l *log) line(r *http.Request, c *call, seen *watched) {
	if l.to == nil {
		return
	}
	path := c.endpoint
	if path == "" {
		path = fmt.Sprintf("%.80q", r.URL.Path)
	}
	words := []string{
		c.began.Format("15:04:05"),
		fmt.Sprintf("%-10s %-5.10s %s", c.environment, r.Method, path),
		answered(seen.status),
	}
	if c.outcome != "" {
		words = append(words, string(c.outcome))
	}
	if c.info.number != "" {
		words = append(words, fmt.Sprintf("%.40q", c.info.number))
	}
	if len(c.codes) > 0 {
		words = append(words, strings.Join(c.codes[:min(len(c.codes), 5)], ","))
	}
	if c.mood != "" {
		words = append(words, "("+c.mood+")")
	}
	text := strings.Join(words, "  ") + "\n"
	reasons := c.allReasons()
	for _, reason := range reasons[:min(len(reasons), maxLogged)] {
		text += "          " + ascii(lineOf(reason)) + "\n"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = io.WriteString(l.to, text) // a log that cannot be written stops nothing
}

// maxLogged is the maximum number of reasons of a request that are logged.
const maxLogged = 8

func answered(status int) string {
	if status == 0 {
		return "---"
	}
	return fmt.Sprint(status)
}
