package wire_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/capacity"
	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// byLetter accepts any key. The last letter of the key determines the
// organisation.
type byLetter struct{ everybody }

func (byLetter) Key(ctx context.Context, text string, from, until time.Time) (org.Holder, error) {
	holder, err := everybody{}.Key(ctx, text, from, until)
	holder.Actor.Tenant = org.TenantOf(uuid.NewSHA1(uuid.Nil, []byte(text[len(text)-1:])))
	return holder, err
}

// depot serves a route whose handler waits until it is released.
type depot struct {
	*framed
	came, leave chan struct{}
}

const depotForm = "--b\r\nContent-Disposition: form-data; name=\"tea_data\"\r\n\r\n" + `{"kind":"S","weight":1}` + "\r\n--b--\r\n"

func newDepot(total, each int64) *depot {
	d := &depot{came: make(chan struct{}), leave: make(chan struct{})}
	d.framed = frame(
		wire.Serve(wire.Route{Method: http.MethodPost, Path: "/show/", Name: "show", Summary: "Show", MaxBody: 100_000},
			func(context.Context, wire.Caller, *pictureTea) (*said, error) {
				d.came <- struct{}{}
				<-d.leave
				return &said{Number: "1"}, nil
			}),
		wire.Serve(wire.Route{Method: http.MethodPost, Path: "/hear/", Name: "hear", Summary: "Hear"}, hear))
	d.Identities, d.Windows.Key = byLetter{}, 1<<30
	d.Capacity = &capacity.Limits{Buffers: capacity.NewPool(capacity.Bounds{Total: total, Each: each, Queue: 10, Wait: time.Millisecond})}
	return d
}

// send sends a form of the given size; a negative size means no Content-Length.
func (d *depot) send(organisation string, size int64) *httptest.ResponseRecorder {
	var body io.Reader = strings.NewReader(depotForm)
	if size >= 0 {
		body = strings.NewReader(depotForm + strings.Repeat(" ", int(size)-len(depotForm)))
	}
	r := httptest.NewRequest(http.MethodPost, "/v1/show/", body)
	r.ContentLength = size
	r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	r.Header.Set("Authorization", "Bearer svc_"+organisation)
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w
}

func TestA5_ConcurrentFormsAreLimited(t *testing.T) {
	t.Parallel()
	type form struct {
		of   string
		size int64
	}
	cases := []struct {
		name     string
		underWay []form
		next     form
		refused  bool
	}{
		{"below the limit", []form{{"a", 50000}}, form{"a", 50000}, false},
		{"above the limit of the organisation", []form{{"a", 50000}, {"a", 50000}}, form{"a", 20000}, true},
		{"another organisation is not affected", []form{{"a", 50000}, {"a", 50000}}, form{"b", 50000}, false},
		{"above the total limit", []form{{"a", 100000}, {"b", 100000}}, form{"c", 60000}, true},
		{"unknown length counts as the maximum", []form{{"a", 20000}}, form{"a", -1}, true},
		{"unknown length with nothing else in processing", nil, form{"a", -1}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := newDepot(250_000, 100_000)
			ended := make(chan int)
			begin := func(one form) {
				go func() { ended <- d.send(one.of, one.size).Code }()
				select {
				case <-d.came:
				case status := <-ended:
					t.Fatalf("a form got status %d before it was released", status)
				}
			}
			for _, one := range c.underWay {
				begin(one)
			}
			if !c.refused {
				begin(c.next)
				c.underWay = append(c.underWay, c.next)
			} else if w := d.send(c.next.of, c.next.size); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
				t.Errorf("status %d, headers %v, body %s; want 503 with Retry-After", w.Code, w.Header(), w.Body)
			}
			for range c.underWay {
				d.leave <- struct{}{}
				if status := <-ended; status != http.StatusOK {
					t.Errorf("released form: status %d, want 200", status)
				}
			}
			begin(form{"a", 100000}) // the memory was released
			d.leave <- struct{}{}
			<-ended
		})
	}
}

// A refused form releases its memory.
func TestA5_RefusedFormsReleaseMemory(t *testing.T) {
	t.Parallel()
	d := newDepot(100_000, 100_000)
	for range 5 {
		r := httptest.NewRequest(http.MethodPost, "/v1/show/", strings.NewReader(strings.Repeat("x", 80_000)))
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		r.Header.Set("Authorization", "Bearer svc_a")
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		if w.Code != http.StatusBadRequest {
			t.Errorf("refused form: status %d, body %s; want 400", w.Code, w.Body)
		}
	}
	nothingInUse(t, d.Capacity)
}
