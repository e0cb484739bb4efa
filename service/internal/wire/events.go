package wire

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"time"

	"khatm/service/internal/codec"
)

// Events is a response that is a stream of server-sent events. It can be the
// response of a GET route for [People].
//
// The data of an event is a T as JSON. After the last one an event of the type
// "end" is sent, and if Next fails one of the type "problem" with the body of an
// error response. A stream that ends without either can be opened again, with the
// id of the last event in Last-Event-ID; see [Resume].
type Events[T any] struct {
	// Next waits for the next event, and returns io.EOF after the last one. The
	// context is done when the client has left, when the server stops, and when the
	// stream was open for as long as it may be. Next keeps nothing locked or open
	// when it returns. A nil Next is a stream without events.
	Next func(ctx context.Context) (Event[T], error)
}

// Event is one event of a stream.
type Event[T any] struct {
	ID   string // empty if the stream cannot be resumed after it
	Data T
}

// Resume is embedded in the input of a route whose stream can be resumed.
type Resume struct {
	LastEventID string `header:"Last-Event-ID" optional:"true" maxLength:"200" doc:"Id of the last event that was received. The stream continues after it."`
}

// eventful is implemented by every Events.
type eventful interface {
	item() reflect.Type
	next(ctx context.Context) (id string, data reflect.Value, err error)
}

var eventsValue = reflect.TypeFor[eventful]()

func (Events[T]) item() reflect.Type { return reflect.TypeFor[T]() }

func (e Events[T]) next(ctx context.Context) (id string, data reflect.Value, err error) {
	if e.Next == nil {
		return "", reflect.Value{}, io.EOF
	}
	one, err := e.Next(ctx)
	return one.ID, reflect.ValueOf(&one.Data).Elem(), err
}

const (
	eventMedia = "text/event-stream"
	// eventRetry tells the client after how many milliseconds to open a stream again
	// that has ended. It is also what makes the header arrive before the first event.
	eventRetry = "retry: 3000\n\n"
	eventBeat  = ":\n\n" // a comment
	// A browser ignores an event without data.
	eventEnd = "event: end\ndata: {}\n\n"
)

// Streams holds the limits of streams of events. A zero field has its default.
type Streams struct {
	Person  int           // open streams of a person; 8
	Beat    time.Duration // between two comments, which show that the connection works; 15 seconds
	Still   time.Duration // maximum time to send an event; 30 seconds
	Longest time.Duration // of a stream; 10 minutes

	Stopping <-chan struct{} // closed when the server stops, which ends all streams; may be nil
}

func (s Streams) person() int            { return cmp.Or(s.Person, 8) }
func (s Streams) beat() time.Duration    { return cmp.Or(s.Beat, 15*time.Second) }
func (s Streams) still() time.Duration   { return cmp.Or(s.Still, writeStill) }
func (s Streams) longest() time.Duration { return cmp.Or(s.Longest, streamTime) }

// isStream reports whether the response of the route is a stream of events.
func (r *Route) isStream() bool { return r.out != nil && r.out.Implements(eventsValue) }

// streamFault returns an error if the route is not one that can have a stream: the
// rights of the caller are checked again while it is open, which for a key would
// count as another call.
func (r *Route) streamFault() error {
	if r.isStream() && (r.Method != http.MethodGet || r.Access != People || r.Cache > 0) {
		return errors.New("a stream of events must be read with GET by a signed-in person, and not be cached")
	}
	return nil
}

// source is the stream of a response and the shape of its data.
type source struct {
	eventful
	shape *codec.Shape
}

// sendEvents sends a stream to its end. The caller holds no capacity, because that
// can take minutes.
func (f *Frame) sendEvents(w http.ResponseWriter, r *http.Request, row *Route, from source) {
	ctx, cancel := context.WithTimeout(r.Context(), f.Streams.longest())
	out := &eventWriter{to: paced{
		w: w, conn: http.NewResponseController(w),
		still: f.Streams.still(), end: time.Now().Add(f.Streams.longest() + f.Streams.still()),
	}}
	w.Header().Set("X-Accel-Buffering", "no") // for nginx
	w.WriteHeader(row.Status)
	err := out.write([]byte(eventRetry))
	var beating sync.WaitGroup
	beating.Go(func() { f.beat(ctx, cancel, out) })
	defer beating.Wait()
	defer cancel()
	for err == nil && ctx.Err() == nil {
		err = f.sendEvent(ctx, r, row, from, out)
	}
	switch broken := out.broken(); {
	case broken != nil:
		abort(r, true, fmt.Errorf("send an event: %w", broken))
	case r.Context().Err() != nil:
		abort(r, true, fmt.Errorf("wait for an event: %w", r.Context().Err()))
	case ctx.Err() != nil: // the client opens another stream
	case errors.Is(err, io.EOF):
		_ = out.write([]byte(eventEnd)) // a client that does not get it opens another stream
	default:
		_ = out.write(f.problemEvent(r, err))
	}
}

// sendEvent waits for an event and sends it, if the caller may still see it: a
// person who was signed out or removed gets no more events.
func (f *Frame) sendEvent(ctx context.Context, r *http.Request, row *Route, from source, out *eventWriter) error {
	id, data, err := from.next(ctx)
	if err != nil {
		return err //nolint:wrapcheck // an error of the handler
	}
	if err := f.stillAllowed(r.WithContext(ctx), row); err != nil {
		return err
	}
	if strings.ContainsAny(id, "\r\n\x00") {
		return fmt.Errorf("event id %q contains a forbidden character", id)
	}
	text, err := codec.Append(nil, from.shape, data)
	if err != nil {
		return fmt.Errorf("encode event %q: %w", id, err)
	}
	return out.write(eventBlock("", id, text))
}

// eventBlock returns an event. The data is JSON without line breaks.
func eventBlock(kind, id string, data []byte) []byte {
	var b []byte
	if kind != "" {
		b = append(b, "event: "+kind+"\n"...)
	}
	if id != "" {
		b = append(b, "id: "+id+"\n"...)
	}
	b = append(append(b, "data: "...), data...)
	return append(b, "\n\n"...)
}

// problemEvent returns the event for an error of a stream. The status in the log is
// 500 if it is an error of the server.
func (f *Frame) problemEvent(r *http.Request, err error) []byte {
	c := callOf(r)
	body := bodyOf(f.shown(r, err), c)
	c.cut = c.cause != nil
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		panic(fmt.Errorf("encode problem: %w", err))
	}
	return eventBlock("problem", "", bytes.TrimSpace(text.Bytes()))
}

// beat sends comments until ctx is done. It cancels it if the server stops, or if a
// comment cannot be sent.
func (f *Frame) beat(ctx context.Context, cancel func(), out *eventWriter) {
	every := time.NewTicker(f.Streams.beat())
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.Streams.Stopping:
			cancel()
			return
		case <-every.C:
			if out.write([]byte(eventBeat)) != nil {
				cancel()
				return
			}
		}
	}
}

// eventWriter writes events and comments, one at a time.
type eventWriter struct {
	mu     sync.Mutex
	to     paced
	failed error // why nothing more can be written
}

func (e *eventWriter) write(block []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.failed == nil {
		e.failed = e.to.write([][]byte{block})
	}
	return e.failed
}

func (e *eventWriter) broken() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.failed
}
