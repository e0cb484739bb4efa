package simulator

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// watched notes which status was given.
type watched struct {
	http.ResponseWriter
	status int // 0 as long as there is none
}

// WriteHeader is the last word on the status.
func (w *watched) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write says 200 if nothing was said before.
func (w *watched) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets deadlines, flushing and hijacking through.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// log shows each request as a line. It shows no secret and no password.
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
	if c.paper.number != "" {
		words = append(words, fmt.Sprintf("%.40q", c.paper.number))
	}
	if len(c.codes) > 0 {
		words = append(words, strings.Join(c.codes[:min(len(c.codes), 5)], ","))
	}
	if c.mood != "" {
		words = append(words, "("+c.mood+")")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintln(l.to, strings.Join(words, "  "))
}

func answered(status int) string {
	if status == 0 {
		return "---"
	}
	return fmt.Sprint(status)
}
