package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// demoWatch prints a line for each call to the service, and from the service to
// the authority, once open was called. It always prints warnings and errors.
type demoWatch struct {
	out, err io.Writer
	opened   atomic.Bool
	mu       sync.Mutex
}

func (w *demoWatch) open() { w.opened.Store(true) }

func (w *demoWatch) line(to io.Writer, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintln(to, text)
}

// authority returns the writer for the log of the simulator.
func (w *demoWatch) authority() io.Writer { return authorityLines{w} }

type authorityLines struct{ *demoWatch }

func (a authorityLines) Write(p []byte) (int, error) {
	if a.opened.Load() {
		at, rest, _ := strings.Cut(strings.TrimSpace(string(p)), " ")
		rest = strings.TrimPrefix(strings.TrimSpace(rest), "simulation")
		a.line(a.out, at+"    to the authority "+strings.TrimSpace(rest))
	}
	return len(p), nil
}

// logger returns the logger for the service.
func (w *demoWatch) logger() *slog.Logger { return slog.New(callLines{w, nil}) }

// callLines is a [slog.Handler] that prints calls, warnings and errors as
// readable lines.
type callLines struct {
	*demoWatch
	more []slog.Attr
}

// Enabled implements [slog.Handler]. It leaves out debug records.
func (c callLines) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

// Handle implements [slog.Handler]. It prints calls, warnings and errors.
func (c callLines) Handle(_ context.Context, r slog.Record) error {
	given := map[string]string{}
	note := func(a slog.Attr) bool {
		text := a.Value.String()
		if a.Value.Kind() == slog.KindFloat64 {
			text = fmt.Sprintf("%.1f", a.Value.Float64())
		}
		given[a.Key] = oneLine(text)
		return true
	}
	for _, a := range c.more {
		note(a)
	}
	r.Attrs(note)
	switch {
	case r.Message == "call" && c.opened.Load():
		c.line(c.out, callLine(r.Time, given))
	case r.Message != "call" && r.Level > slog.LevelInfo:
		text := r.Time.Format(time.TimeOnly) + "  " + r.Level.String() + " " + r.Message
		if given["cause"] != "" {
			text += ": " + given["cause"]
		}
		c.line(c.err, text)
	}
	return nil
}

func callLine(at time.Time, given map[string]string) string {
	text := fmt.Sprintf("%s  %-5s %s  %s  %s ms", at.Format(time.TimeOnly), given["method"], given["path"], given["status"], given["ms"])
	if given["actor"] != "" && given["actor"] != "-" {
		text += "  " + given["actor"]
	}
	if given["cause"] != "" {
		text += "  " + given["cause"]
	}
	return text
}

// WithAttrs implements [slog.Handler].
func (c callLines) WithAttrs(more []slog.Attr) slog.Handler {
	return callLines{c.demoWatch, append(append([]slog.Attr{}, c.more...), more...)}
}

// WithGroup implements [slog.Handler]. It ignores groups.
func (c callLines) WithGroup(string) slog.Handler { return c }
