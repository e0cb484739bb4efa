package wire_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/capacity"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/wire"
)

// silent returns a stream without events that is open until its context is done.
func silent(context.Context, string) (*ticks, error) {
	return &ticks{Next: func(ctx context.Context) (wire.Event[tick], error) {
		<-ctx.Done()
		return wire.Event[tick]{}, ctx.Err()
	}}, nil
}

// An open stream holds no claim but the one for streams, and that until it ends.
func TestEventsHoldNoCapacity(t *testing.T) {
	t.Parallel()
	l := limits()
	l.Streams = capacity.NewPool(capacity.Bounds{Total: 1, Each: 1})
	w := watch(t, silent, func(c *wire.Config) { c.Capacity = l })
	open := w.open(t, "a", "")
	open.wants(retryBlock)
	l.Each(func(name string, u capacity.Usage) {
		if want := map[string]int64{"streams": 1}[name]; u.Used != want {
			t.Errorf("%d units of %s are in use while a stream is open, want %d", u.Used, name, want)
		}
	})
	if got := w.open(t, "b", "").answer; got.StatusCode != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" {
		t.Errorf("another stream of the organisation: %d %v, want 503 with Retry-After", got.StatusCode, got.Header)
	}
	open.leave()
	w.stop()
	nothingInUse(t, l)
}

func TestEventsPerPerson(t *testing.T) {
	t.Parallel()
	w := watch(t, silent, func(c *wire.Config) { c.Streams.Person = 2 })
	first := w.open(t, "a", "")
	w.open(t, "a", "").wants(retryBlock)
	refused := w.open(t, "a", "")
	body, _ := refused.block()
	if got := refused.answer; got.StatusCode != http.StatusTooManyRequests || got.Header.Get("Retry-After") != "10" || !strings.Contains(body, `"code":"too_many_streams"`) || !strings.Contains(body, `"detail":"You have`) {
		t.Errorf("third stream of a person: %d %v %s, want 429 with too_many_streams and a detail", got.StatusCode, got.Header, body)
	}
	w.open(t, "b", "").wants(retryBlock)
	first.leave()
	servicetest.Eventually(t, "a stream can be opened after another was closed", func() bool {
		return w.open(t, "a", "").answer.StatusCode == http.StatusOK
	})
}

// A client that leaves ends the wait for the next event.
func TestEventsEndWithTheClient(t *testing.T) {
	t.Parallel()
	w := watch(t, silent, nil)
	l := w.open(t, "a", "")
	l.wants(retryBlock)
	l.leave()
	w.stop() // waits for the call
	if got := w.only(t); got.Status != 499 || got.Level != "INFO" {
		t.Errorf("log line = %+v, want level INFO and status 499", got)
	}
}

// A client that does not read is disconnected.
func TestEventsToASlowReader(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	left := make(chan struct{})
	w := watch(t, func(ctx context.Context, _ string) (*ticks, error) {
		context.AfterFunc(ctx, func() { close(left) })
		return &ticks{Next: func(context.Context) (wire.Event[tick], error) {
			return wire.Event[tick]{Data: tick{Text: long}}, nil
		}}, nil
	}, func(c *wire.Config) { c.Streams.Still = 200 * time.Millisecond })
	conn, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(w.url, "http://"), "/v1/ticks/"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("GET /v1/ticks/ HTTP/1.1\r\nHost: khatm\r\nAuthorization: Bearer a\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	select {
	case <-left:
	case <-time.After(servicetest.Patience):
		t.Fatal("the stream of a client that does not read goes on")
	}
	w.stop()
	if got := w.only(t); got.Status != 499 || got.Level != "INFO" || !strings.Contains(got.Cause, "timeout") {
		t.Errorf("log line = %+v, want level INFO, status 499 and a timeout", got)
	}
}

// A server that stops ends its streams at once, without the event that says that
// nothing more follows. A stream that is opened then ends at once too.
func TestEventsEndWithTheServer(t *testing.T) {
	t.Parallel()
	stopping := make(chan struct{})
	w := watch(t, silent, func(c *wire.Config) { c.Streams.Stopping = stopping })
	l := w.open(t, "a", "")
	l.wants(retryBlock)
	close(stopping)
	l.wantsEnd()
	again := w.open(t, "a", "")
	again.wants(retryBlock)
	again.wantsEnd()
	w.stop() // waits for calls in progress
	if len(w.seen) != 2 || w.seen[0].Status != http.StatusOK || w.seen[1].Status != http.StatusOK {
		t.Errorf("observed %+v, want two calls with status 200", w.seen)
	}
}

// A stream that was open for the longest time ends, so that the client opens
// another.
func TestEventsLongest(t *testing.T) {
	t.Parallel()
	w := watch(t, silent, func(c *wire.Config) { c.Streams.Longest = 10 * time.Millisecond })
	l := w.open(t, "a", "")
	l.wants(retryBlock)
	l.wantsEnd()
}

// Comments show that the connection works while there are no events.
func TestEventsHeartbeat(t *testing.T) {
	t.Parallel()
	w := watch(t, silent, func(c *wire.Config) { c.Streams.Beat = time.Millisecond })
	l := w.open(t, "a", "")
	l.wants(retryBlock)
	for range 3 {
		l.wants(":\n")
	}
}

// A panic in Next ends the stream and releases what it holds.
func TestEventsPanic(t *testing.T) {
	t.Parallel()
	l := limits()
	l.Streams = capacity.NewPool(capacity.Bounds{Total: 1, Each: 1})
	w := watch(t, func(context.Context, string) (*ticks, error) {
		return &ticks{Next: func(context.Context) (wire.Event[tick], error) { panic(detail) }}, nil
	}, func(c *wire.Config) { c.Capacity, c.Streams.Person = l, 1 })
	for range 2 {
		open := w.open(t, "a", "")
		open.wants(retryBlock)
		if got, _ := open.block(); strings.Contains(got, "end") || strings.Contains(got, detail) {
			t.Errorf("block = %q after a panic, want none with the end or the detail", got)
		}
		servicetest.Eventually(t, "the stream is closed", func() bool { return l.Streams.Usage().Used == 0 })
	}
	w.stop()
	nothingInUse(t, l)
}
