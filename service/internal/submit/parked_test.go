package submit_test

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
	"khatm/service/internal/servicetest"
	"khatm/simulator"
)

// tokenChecker stands before the simulator and refuses the credentials of some.
type tokenChecker struct {
	mu      sync.Mutex
	refused map[string]bool // by user name
	calls   map[string]int  // that were refused
}

func (d *tokenChecker) refuse(token string, on bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refused[token] = on
}

func (d *tokenChecker) count(token string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.calls[token]
}

// guarded puts a doorkeeper before the authority, from now on.
func guarded(o *servicetest.Authority) *tokenChecker {
	o.TB.Helper()
	d := &tokenChecker{refused: map[string]bool{}, calls: map[string]int{}}
	at, err := url.Parse(o.URL)
	if err != nil {
		o.TB.Fatal(err)
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
	o.TB.Cleanup(server.Close)
	o.URL = server.URL + at.Path
	return d
}

// One device of ten is answered 401: the nine others are unaffected, the tenth
// is parked, told so, held at creation, tried now and then, and released by
// itself.
func TestReliability_U8_OneDeviceOfTen(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			sim := servicetest.OpenAuthority(t, simulator.Config{})
			door := guarded(sim)
			s := sim.Open(t, func(c *server.Config) {
				engine.Set(t, c)
				c.Sending.ProbeFirst, c.Sending.ProbeMost = 200*time.Millisecond, 400*time.Millisecond
			})
			shop := s.OnboardedSeller()
			var nine []uuid.UUID
			for range 9 {
				nine = append(nine, s.Onboarded(s.Org).ID)
			}
			outcast := shop.Device
			door.refuse(outcast.Token, true)
			var theirs, others []uuid.UUID
			for n := range 5 {
				theirs = append(theirs, shop.Created(shop.Simplified(servicetest.Fields{"notes": servicetest.Note("outcast " + string(rune('a'+n)))})))
				for _, device := range nine {
					others = append(others, shop.Created(shop.Simplified(servicetest.Fields{"device": device, "notes": servicetest.Note("other " + string(rune('a'+n)))})))
				}
			}
			for _, id := range others {
				servicetest.Equal(t, "another's status", shop.Final(id)["authority_response_status"], any("REPORTED"))
				servicetest.Equal(t, "another's attempts", len(shop.Attempts(id)), 1)
			}
			servicetest.Eventually(t, "the device is parked", func() bool { return submissionState(s.Instance, t, outcast.ID) == "parked" })
			held := shop.Create(shop.Simplified(servicetest.Fields{"notes": servicetest.Note("while parked")})).Wants(t, http.StatusAccepted)
			if message, _ := held["message"].(string); !strings.Contains(message, "failed") {
				t.Errorf("while parked: %q", message)
			}
			theirs = append(theirs, uuid.MustParse(servicetest.TextIn(held, "invoice_uuid")))
			refused := door.count(outcast.Token)
			time.Sleep(time.Second) // what is counted is what happens meanwhile
			if more := door.count(outcast.Token) - refused; more > 6 {
				t.Errorf("%d calls in a second for a device that is parked", more)
			}
			for _, id := range theirs {
				if status := shop.Status(id); status != ledger.Unanswered {
					t.Errorf("while parked %s is %q", id, status)
				}
			}
			door.refuse(outcast.Token, false)
			for _, id := range theirs {
				servicetest.Equal(t, "the outcast's status", shop.Final(id)["authority_response_status"], any("REPORTED"))
			}
			servicetest.Equal(t, "state", submissionState(s.Instance, t, outcast.ID), "ok")
			sim.AcceptedOnce(append(theirs, others...))
		})
	}
}

// submissionState is what the list of devices says of one.
func submissionState(h *servicetest.Instance, t testing.TB, id uuid.UUID) string {
	t.Helper()
	list, _ := h.Read(t, "/api/devices/?page_size=100")["devices"].([]any)
	for _, one := range list {
		if d, _ := one.(servicetest.Record); d["device_id"] == id.String() {
			state, _ := d["submission_state"].(string)
			return state
		}
	}
	return ""
}

// A document that was held is released by PATCH, and serves as the try.
func TestInterface_3_1_QueuingFailed(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			sim := servicetest.OpenAuthority(t, simulator.Config{})
			door := guarded(sim)
			s := sim.Open(t, func(c *server.Config) {
				engine.Set(t, c)
				c.Sending.ProbeFirst, c.Sending.ProbeMost = time.Hour, time.Hour
			})
			shop := s.OnboardedSeller()
			door.refuse(shop.Device.Token, true)
			first := shop.Created(shop.Standard())
			servicetest.Eventually(t, "the device is parked", func() bool { return submissionState(s.Instance, t, shop.Device.ID) == "parked" })
			second := shop.Created(shop.Simplified())
			door.refuse(shop.Device.Token, false)
			shop.Resend(second).Wants(t, http.StatusAccepted)
			servicetest.Equal(t, "asked for", shop.Final(second)["authority_response_status"], any("REPORTED"))
			servicetest.Equal(t, "released with it", shop.Final(first)["authority_response_status"], any("CLEARED"))
		})
	}
}

// While sending is paused documents are held, and sent once it is not.
func TestSendingPaused(t *testing.T) {
	t.Parallel()
	sim := servicetest.OpenAuthority(t, simulator.Config{})
	data := t.TempDir()
	s := sim.Open(t, func(c *server.Config) { c.Data, c.Sending.Paused = data, true })
	shop := s.OnboardedSeller()
	held := shop.Create(shop.Simplified()).Wants(t, http.StatusAccepted)
	if message, _ := held["message"].(string); !strings.Contains(message, "failed") {
		t.Errorf("while paused: %q", message)
	}
	s.HTTP.Close()
	s.Service.Close()
	again := sim.Open(t, func(c *server.Config) { c.Data = data })
	id := uuid.MustParse(servicetest.TextIn(held, "invoice_uuid"))
	servicetest.Eventually(t, "a final status", func() bool {
		i, err := again.Service.Store().Invoice(context.Background(), org.TenantOf(shop.Org.ID), id)
		return err == nil && i.Status == ledger.Reported
	})
}
