package service_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/simulator"
)

// doorkeeper stands before the simulator and refuses the credentials of some.
type doorkeeper struct {
	mu      sync.Mutex
	refused map[string]bool // by user name
	calls   map[string]int  // that were refused
}

func (d *doorkeeper) refuse(token string, on bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refused[token] = on
}

func (d *doorkeeper) count(token string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.calls[token]
}

// guarded puts a doorkeeper before the office, from now on.
func (o *office) guarded() *doorkeeper {
	o.t.Helper()
	d := &doorkeeper{refused: map[string]bool{}, calls: map[string]int{}}
	at, err := url.Parse(o.url)
	if err != nil {
		o.t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: at.Scheme, Host: at.Host})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, _, _ := r.BasicAuth()
		d.mu.Lock()
		no := d.refused[user]
		if no {
			d.calls[user]++
		}
		d.mu.Unlock()
		if no {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	o.t.Cleanup(server.Close)
	o.url = server.URL + at.Path
	return d
}

// One device of ten is answered 401: the nine others are unaffected, the tenth
// is parked, told so, held at creation, tried now and then, and released by
// itself.
func TestReliability_U8_OneDeviceOfTen(t *testing.T) {
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			office := openOffice(t, simulator.Config{})
			door := office.guarded()
			s := office.opens(t, func(c *server.Config) {
				engine.set(t, c)
				c.Sending.ProbeFirst, c.Sending.ProbeMost = 200*time.Millisecond, 400*time.Millisecond
			})
			shop := s.shop()
			var nine []uuid.UUID
			for range 9 {
				nine = append(nine, s.onboarded(s.org).ID)
			}
			outcast := shop.device
			door.refuse(outcast.Token, true)
			var theirs, others []uuid.UUID
			for n := range 5 {
				theirs = append(theirs, shop.created(shop.simplified(fields{"notes": note("outcast " + string(rune('a'+n)))})))
				for _, device := range nine {
					others = append(others, shop.created(shop.simplified(fields{"device": device, "notes": note("other " + string(rune('a'+n)))})))
				}
			}
			for _, id := range others {
				equal(t, "another's status", shop.final(id)["authority_response_status"], any("REPORTED"))
				equal(t, "another's attempts", len(shop.attempts(id)), 1)
			}
			becomes(t, "the device is parked", func() bool { return s.submissionState(t, outcast.ID) == "parked" })
			held := shop.create(shop.simplified(fields{"notes": note("while parked")})).wants(t, http.StatusAccepted)
			if message, _ := held["message"].(string); !strings.Contains(message, "failed") {
				t.Errorf("while parked: %q", message)
			}
			theirs = append(theirs, uuid.MustParse(textIn(held, "invoice_uuid")))
			refused := door.count(outcast.Token)
			time.Sleep(time.Second) // what is counted is what happens meanwhile
			if more := door.count(outcast.Token) - refused; more > 6 {
				t.Errorf("%d calls in a second for a device that is parked", more)
			}
			for _, id := range theirs {
				if status := shop.status(id); status != ledger.Unanswered {
					t.Errorf("while parked %s is %q", id, status)
				}
			}
			door.refuse(outcast.Token, false)
			for _, id := range theirs {
				equal(t, "the outcast's status", shop.final(id)["authority_response_status"], any("REPORTED"))
			}
			equal(t, "state", s.submissionState(t, outcast.ID), "ok")
			office.acceptedOnce(append(theirs, others...))
		})
	}
}

// submissionState is what the list of devices says of one.
func (h *house) submissionState(t testing.TB, id uuid.UUID) string {
	t.Helper()
	list, _ := h.read(t, "/api/devices/?page_size=100")["devices"].([]any)
	for _, one := range list {
		if d, _ := one.(record); d["device_id"] == id.String() {
			state, _ := d["submission_state"].(string)
			return state
		}
	}
	return ""
}

// A document that was held is released by PATCH, and serves as the try.
func TestInterface_3_1_QueuingFailed(t *testing.T) {
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			office := openOffice(t, simulator.Config{})
			door := office.guarded()
			s := office.opens(t, func(c *server.Config) {
				engine.set(t, c)
				c.Sending.ProbeFirst, c.Sending.ProbeMost = time.Hour, time.Hour
			})
			shop := s.shop()
			door.refuse(shop.device.Token, true)
			first := shop.created(shop.standard())
			becomes(t, "the device is parked", func() bool { return s.submissionState(t, shop.device.ID) == "parked" })
			second := shop.created(shop.simplified())
			door.refuse(shop.device.Token, false)
			shop.resend(second).wants(t, http.StatusAccepted)
			equal(t, "asked for", shop.final(second)["authority_response_status"], any("REPORTED"))
			equal(t, "released with it", shop.final(first)["authority_response_status"], any("CLEARED"))
		})
	}
}

// While sending is paused documents are held, and sent once it is not.
func TestSendingPaused(t *testing.T) {
	office := openOffice(t, simulator.Config{})
	data := t.TempDir()
	s := office.opens(t, func(c *server.Config) { c.Data, c.Sending.Paused = data, true })
	shop := s.shop()
	held := shop.create(shop.simplified()).wants(t, http.StatusAccepted)
	if message, _ := held["message"].(string); !strings.Contains(message, "failed") {
		t.Errorf("while paused: %q", message)
	}
	s.server.Close()
	s.service.Close()
	again := office.opens(t, func(c *server.Config) { c.Data = data })
	id := uuid.MustParse(textIn(held, "invoice_uuid"))
	becomes(t, "a final status", func() bool {
		i, err := again.service.Store().Invoice(context.Background(), org.TenantOf(shop.org.ID), id)
		return err == nil && i.Status == ledger.Reported
	})
}
