package simulator

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// watched is a ResponseWriter that records the status.
type watched struct {
	http.ResponseWriter
	status int // 0 until a status is sent
}

// WriteHeader records the first final status.
func (w *watched) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write records 200 if no status was sent before.
func (w *watched) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap returns the underlying writer, so that http.ResponseController can set
// deadlines, flush and hijack.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// log writes one line per request. It logs no secrets and no passwords.
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
