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

	"khatm/service/internal/org"
	"khatm/service/internal/wire"
)

// byLetter knows keys whose organisation is their last letter.
type byLetter struct{ everybody }

func (byLetter) Key(ctx context.Context, text string, from, until time.Time) (org.Holder, error) {
	holder, err := everybody{}.Key(ctx, text, from, until)
	holder.Actor.Tenant = org.TenantOf(uuid.NewSHA1(uuid.Nil, []byte(text[len(text)-1:])))
	return holder, err
}

// depot keeps forms under way until they are let go.
type depot struct {
	*framed
	came, leave chan struct{}
}

const depotForm = "--b\r\nContent-Disposition: form-data; name=\"tea_data\"\r\n\r\n" + `{"kind":"S","weight":1}` + "\r\n--b--\r\n"

func newDepot(bounds wire.Uploads) *depot {
	d := &depot{came: make(chan struct{}), leave: make(chan struct{})}
	d.framed = frame(
		wire.Serve(wire.Route{Method: http.MethodPost, Path: "/show/", Name: "show", Summary: "Show", MaxBody: 1000},
			func(context.Context, wire.Caller, *pictureTea) (*said, error) {
				d.came <- struct{}{}
				<-d.leave
				return &said{Number: "1"}, nil
			}),
		wire.Serve(wire.Route{Method: http.MethodPost, Path: "/hear/", Name: "hear", Summary: "Hear"}, hear))
	d.Identities, d.Windows.Key, d.Uploads = byLetter{}, 1<<30, bounds
	return d
}

// send sends a form of a number of bytes, or one that does not tell it.
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

func TestA5_FormsUnderWayAreBounded(t *testing.T) {
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
		{"room for one more", []form{{"a", 500}}, form{"a", 500}, false},
		{"none for its organisation", []form{{"a", 500}, {"a", 500}}, form{"a", 200}, true},
		{"but for another", []form{{"a", 500}, {"a", 500}}, form{"b", 500}, false},
		{"none for anybody", []form{{"a", 1000}, {"b", 1000}}, form{"c", 600}, true},
		{"of no told length: its bound counts", []form{{"a", 200}}, form{"a", -1}, true},
		{"that comes first", nil, form{"a", -1}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := newDepot(wire.Uploads{All: 2500, Each: 1000})
			ended := make(chan int)
			begin := func(one form) {
				go func() { ended <- d.send(one.of, one.size).Code }()
				select {
				case <-d.came:
				case status := <-ended:
					t.Fatalf("a form was answered with %d", status)
				}
			}
			for _, one := range c.underWay {
				begin(one)
			}
			if !c.refused {
				begin(c.next)
				c.underWay = append(c.underWay, c.next)
			} else if w := d.send(c.next.of, c.next.size); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
				t.Errorf("got %d %v %s", w.Code, w.Header(), w.Body)
			}
			for range c.underWay {
				d.leave <- struct{}{}
				if status := <-ended; status != http.StatusOK {
					t.Errorf("a form under way: got %d", status)
				}
			}
			begin(form{"a", 1000}) // what was taken was given back
			d.leave <- struct{}{}
			<-ended
		})
	}
}

// A form that is refused gives back what it took, and JSON takes nothing.
func TestA5_RefusedFormsTakeNoRoom(t *testing.T) {
	t.Parallel()
	d := newDepot(wire.Uploads{All: 1000, Each: 1000})
	for range 5 {
		r := httptest.NewRequest(http.MethodPost, "/v1/show/", strings.NewReader(strings.Repeat("x", 800)))
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		r.Header.Set("Authorization", "Bearer svc_a")
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		if w.Code != http.StatusBadRequest {
			t.Errorf("got %d %s", w.Code, w.Body)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "/v1/hear/", strings.NewReader("{}"+strings.Repeat(" ", 2000)))
	r.Header.Set("Authorization", "Bearer svc_a")
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Errorf("JSON: got %d %s", w.Code, w.Body)
	}
}
