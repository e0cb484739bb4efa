package wire

import (
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
)

// streamAgain is after how long a client that has too many streams can try again.
const streamAgain = 10 * time.Second

// openStreams counts the open streams of each person.
type openStreams struct {
	mu sync.Mutex
	of map[uuid.UUID]int
}

// open counts another stream, unless the person has the given number already.
func (o *openStreams) open(person uuid.UUID, most int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.of[person] >= most {
		return false
	}
	if o.of == nil {
		o.of = map[uuid.UUID]int{}
	}
	o.of[person]++
	return true
}

func (o *openStreams) close(person uuid.UUID) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.of[person]--; o.of[person] == 0 {
		delete(o.of, person)
	}
}

// openStream counts a stream for its person and its organisation until done is
// called.
func (f *Frame) openStream(r *http.Request, person uuid.UUID) (done func(), err error) {
	most := f.Streams.person()
	if !f.streams.open(person, most) {
		e := fault.Detail(fault.TooManyStreams, "You have too many live views open. Close one and try again.").
			With("limit", most).
			With("retry_after", int(streamAgain.Seconds()))
		e.Again = streamAgain
		return nil, e
	}
	claim, err := f.Capacity.Stream(r.Context())
	if err != nil {
		f.streams.close(person)
		return nil, err
	}
	return func() {
		f.streams.close(person)
		claim.Release()
	}, nil
}

// stream answers with a stream of events.
func (f *Frame) stream(w http.ResponseWriter, r *http.Request, row *Route, c Caller, answer written) {
	done, err := f.openStream(r, c.Actor.ID)
	if err != nil {
		f.refuse(w, r, err)
		return
	}
	defer done()
	maps.Copy(w.Header(), answer.header)
	f.sendEvents(w, r, row, answer.events)
}

// stillAllowed checks again what admit has checked, without counting a call.
func (f *Frame) stillAllowed(r *http.Request, row *Route) error {
	token, cookie := bearer(r)
	visitor, err := f.session(r, token, cookie)
	if err != nil {
		return err
	}
	actor, err := visitorActor(r, &visitor)
	if err != nil {
		return err
	}
	return row.permits(actor)
}
