package wire_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/wire"
)

// sessions are the people who are signed in, by token.
type sessions struct {
	mu sync.Mutex
	of map[string]org.Role
}

func (*sessions) Key(context.Context, string, time.Time, time.Time) (org.Holder, error) {
	return org.Holder{}, fault.New(fault.InvalidKey, "Invalid or revoked API key")
}

func (s *sessions) Session(_ context.Context, token string) (org.Visitor, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	role, is := s.of[token]
	if !is {
		return org.Visitor{}, fault.New(fault.SessionExpired, "The session is unknown or has expired. Sign in again.")
	}
	id := func(name string) uuid.UUID { return uuid.NewSHA1(uuid.NameSpaceOID, []byte(name)) }
	return org.Visitor{
		Person:      org.Person{ID: id(token), Email: token + "@example.com"},
		Memberships: []org.Membership{{Organisation: id("organisation"), Status: org.Active, Role: role}},
	}, nil
}

// set changes the role of a person, or signs the person out if it is empty.
func (s *sessions) set(token string, role org.Role) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if delete(s.of, token); role != "" {
		s.of[token] = role
	}
}

type tick struct {
	Text string          `json:"text"`
	Raw  json.RawMessage `json:"raw,omitempty"`
}

type ticks = wire.Events[tick]

// watching is a server with one stream at /v1/ticks/.
type watching struct {
	*framed
	people *sessions
	url    string
	stop   func() // ends the server, and waits for its calls
}

// watch starts a server whose stream is what verb returns. The people a, b and c
// are signed in.
func watch(t *testing.T, verb func(ctx context.Context, last string) (*ticks, error), change func(*wire.Config)) *watching {
	t.Helper()
	f := frame(wire.Serve(wire.Route{Method: http.MethodGet, Path: "/ticks/", Name: "ticks", Summary: "ticks", Access: wire.People, Scope: org.ItemGet},
		func(ctx context.Context, _ wire.Caller, in *wire.Resume) (*ticks, error) {
			return verb(ctx, in.LastEventID)
		}))
	people := &sessions{of: map[string]org.Role{"a": org.Admin, "b": org.Admin, "c": org.Admin}}
	f.Identities, f.Windows.Person = people, 1<<30
	if change != nil {
		change(&f.Config)
	}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return &watching{f, people, server.URL + "/v1/ticks/", server.Close}
}

// listener reads a stream.
type listener struct {
	t      *testing.T
	answer fetched
	lines  *bufio.Scanner
	leave  func()
}

// open opens the stream as a person.
func (w *watching) open(t *testing.T, token, last string) *listener {
	t.Helper()
	ctx, leave := context.WithTimeout(t.Context(), servicetest.Patience)
	t.Cleanup(leave)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Accept-Encoding", "gzip")
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	got, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = got.Body.Close() })
	return &listener{t, fetched{got.StatusCode, got.Header, got.ContentLength}, bufio.NewScanner(got.Body), leave}
}

// block returns the next block of the stream without its last empty line, and false
// at the end of the stream.
func (l *listener) block() (text string, more bool) {
	l.t.Helper()
	for l.lines.Scan() {
		if l.lines.Text() == "" {
			return text, true
		}
		text += l.lines.Text() + "\n"
	}
	if err := l.lines.Err(); err != nil {
		l.t.Errorf("read the stream: %v", err)
	}
	return text, false
}

// wants checks the next block.
func (l *listener) wants(want string) {
	l.t.Helper()
	if got, more := l.block(); got != want || !more {
		l.t.Errorf("next block = %q, %v, want %q", got, more, want)
	}
}

// wantsEnd checks that the response has ended.
func (l *listener) wantsEnd() {
	l.t.Helper()
	if got, more := l.block(); got != "" || more {
		l.t.Errorf("next block = %q, want the end of the response", got)
	}
}

const (
	retryBlock = "retry: 3000\n"
	endBlock   = "event: end\ndata: {}\n"
)

// counting returns events with the numbers after last up to most.
func counting(last string, most int) *ticks {
	n, _ := strconv.Atoi(last)
	return &ticks{Next: func(context.Context) (wire.Event[tick], error) {
		if n >= most {
			return wire.Event[tick]{}, io.EOF
		}
		n++
		return wire.Event[tick]{ID: strconv.Itoa(n), Data: tick{Text: "tick " + strconv.Itoa(n)}}, nil
	}}
}

// Events have the format of the standard, and each arrives before the next one is
// made.
func TestEventsFraming(t *testing.T) {
	t.Parallel()
	next := make(chan wire.Event[tick])
	w := watch(t, func(context.Context, string) (*ticks, error) {
		return &ticks{Next: func(ctx context.Context) (wire.Event[tick], error) {
			select {
			case one, more := <-next:
				if !more {
					return one, io.EOF
				}
				return one, nil
			case <-ctx.Done():
				return wire.Event[tick]{}, ctx.Err()
			}
		}}, nil
	}, nil)
	l := w.open(t, "a", "")
	for name, want := range map[string]string{"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no", "Content-Encoding": "", "X-Request-Id": "request-1"} {
		if got := l.answer.Header.Get(name); got != want {
			t.Errorf("header %s = %q, want %q", name, got, want)
		}
	}
	l.wants(retryBlock)
	for _, c := range []struct {
		event wire.Event[tick]
		want  string
	}{
		{wire.Event[tick]{ID: "1", Data: tick{Text: "شاي <b>"}}, "id: 1\ndata: {\"text\":\"شاي <b>\"}\n"},
		{wire.Event[tick]{Data: tick{Text: "two\r\nlines"}}, `data: {"text":"two\r\nlines"}` + "\n"},
		{wire.Event[tick]{ID: "a b", Data: tick{Raw: json.RawMessage("{\n\"a\":\r\n1,\r\r\"b\":2}")}}, `id: a b` + "\n" + `data: {"text":"","raw":{"a":1,"b":2}}` + "\n"},
	} {
		next <- c.event
		l.wants(c.want)
	}
	close(next)
	l.wants(endBlock)
	l.wantsEnd()
	w.stop()
	if got := w.only(t); got.Status != http.StatusOK || got.Level != "INFO" {
		t.Errorf("log line = %+v, want level INFO and status 200", got)
	}
}

func TestEventsWithoutNext(t *testing.T) {
	t.Parallel()
	l := watch(t, func(context.Context, string) (*ticks, error) { return &ticks{}, nil }, nil).open(t, "a", "")
	l.wants(retryBlock)
	l.wants(endBlock)
	l.wantsEnd()
}

func TestEventsResume(t *testing.T) {
	t.Parallel()
	w := watch(t, func(_ context.Context, last string) (*ticks, error) { return counting(last, 3), nil }, nil)
	first := w.open(t, "a", "")
	first.wants(retryBlock)
	first.wants("id: 1\ndata: {\"text\":\"tick 1\"}\n")
	first.leave()
	again := w.open(t, "a", "1")
	again.wants(retryBlock)
	again.wants("id: 2\ndata: {\"text\":\"tick 2\"}\n")
	again.wants("id: 3\ndata: {\"text\":\"tick 3\"}\n")
	again.wants(endBlock)
	again.wantsEnd()
}

// An error of the handler is answered as usual, and one of Next with an event.
func TestEventsProblem(t *testing.T) {
	t.Parallel()
	refused := watch(t, func(context.Context, string) (*ticks, error) { return nil, fault.Missing("Item") }, nil)
	if got := refused.open(t, "a", "").answer; got.StatusCode != http.StatusNotFound || got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("the handler refuses: %d %v, want 404 with JSON", got.StatusCode, got.Header)
	}
	for _, c := range []struct {
		name   string
		next   func() (wire.Event[tick], error)
		code   string
		status int // in the log
		level  string
	}{
		{"fault", func() (wire.Event[tick], error) { return wire.Event[tick]{}, fault.Missing("Item") }, "item_not_found", http.StatusOK, "INFO"},
		{"another error", func() (wire.Event[tick], error) { return wire.Event[tick]{}, errors.New(detail) }, "internal_error", http.StatusInternalServerError, "ERROR"},
		{"data that cannot be encoded", func() (wire.Event[tick], error) {
			return wire.Event[tick]{Data: tick{Raw: json.RawMessage("{")}}, nil
		}, "internal_error", http.StatusInternalServerError, "ERROR"},
		{"an id of two lines", func() (wire.Event[tick], error) { return wire.Event[tick]{ID: "1\ndata: x"}, nil }, "internal_error", http.StatusInternalServerError, "ERROR"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := watch(t, func(context.Context, string) (*ticks, error) {
				return &ticks{Next: func(context.Context) (wire.Event[tick], error) { return c.next() }}, nil
			}, nil)
			l := w.open(t, "a", "")
			l.wants(retryBlock)
			got, _ := l.block()
			data, is := strings.CutPrefix(got, "event: problem\ndata: ")
			var body struct {
				Code    string
				Message string
			}
			if err := json.Unmarshal([]byte(data), &body); !is || err != nil || body.Code != c.code || body.Message == "" || strings.Contains(data, detail) {
				t.Errorf("block = %q, %v, want a problem with the code %s and without detail", got, err, c.code)
			}
			l.wantsEnd()
			w.stop()
			if got := w.only(t); got.Status != c.status || got.Level != c.level {
				t.Errorf("log line = %+v, want level %s and status %d", got, c.level, c.status)
			}
		})
	}
}

// A person who was signed out, or whose role was reduced, gets no more events.
func TestEventsEndWithTheSession(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		role org.Role
		code string
	}{"signed out": {"", "session_expired"}, "no role": {"none", "permission_denied"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			step := make(chan struct{})
			w := watch(t, func(context.Context, string) (*ticks, error) {
				from := counting("", 2)
				return &ticks{Next: func(ctx context.Context) (wire.Event[tick], error) {
					<-step
					return from.Next(ctx)
				}}, nil
			}, nil)
			l := w.open(t, "a", "")
			l.wants(retryBlock)
			step <- struct{}{}
			l.wants("id: 1\ndata: {\"text\":\"tick 1\"}\n")
			w.people.set("a", c.role)
			step <- struct{}{}
			if got, _ := l.block(); !strings.HasPrefix(got, "event: problem\n") || !strings.Contains(got, `"code":"`+c.code+`"`) {
				t.Errorf("block = %q, want a problem with the code %s", got, c.code)
			}
			l.wantsEnd()
		})
	}
}

func TestEventsDeclaredWrongly(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]wire.Route{
		"written":         {Method: http.MethodPost, Access: wire.People},
		"for keys":        {Method: http.MethodGet, Access: wire.Members},
		"for anyone":      {Method: http.MethodGet, Access: wire.Anyone},
		"cached":          {Method: http.MethodGet, Access: wire.People, Cache: time.Hour},
		"as it should be": {Method: http.MethodGet, Access: wire.People},
	} {
		row.Path = "/ticks/"
		err := wire.Fault(wire.Serve(row, func(context.Context, wire.Caller, *nothing) (*ticks, error) { return &ticks{}, nil }))
		if good := name == "as it should be"; (err == nil) != good {
			t.Errorf("a stream that is %s: %v, want an error: %v", name, err, !good)
		}
	}
	type unwritable struct {
		Text chan int `json:"text"`
	}
	row := wire.Route{Method: http.MethodGet, Path: "/ticks/", Access: wire.People}
	if wire.Fault(wire.Serve(row, func(context.Context, wire.Caller, *nothing) (*wire.Events[unwritable], error) { return nil, nil })) == nil { //nolint:nilnil // never called
		t.Error("events with data that cannot be encoded are accepted")
	}
}
