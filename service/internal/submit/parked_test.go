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

// tokenChecker is a proxy in front of the simulator that refuses some
// credentials.
type tokenChecker struct {
	mu      sync.Mutex
	refused map[string]bool // by user name
	calls   map[string]int  // refused calls by user name
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

// guarded puts a tokenChecker in front of the authority.
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

// If one of ten devices gets 401, the others are unaffected. The device is
// parked, its new documents are held, it is tried from time to time, and
// released automatically.
func TestReliability_U8_OneDeviceOfTen(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			sim := servicetest.OpenAuthority(t, simulator.Config{})
			checker := guarded(sim)
			s := sim.Open(t, func(c *server.Config) {
				engine.Set(t, c)
				c.Sending.ProbeFirst, c.Sending.ProbeMost = 200*time.Millisecond, 400*time.Millisecond
				c.Sending.Timeout = servicetest.Patience // one attempt each, also on a busy machine
			})
			shop := s.OnboardedSeller()
			var nine []uuid.UUID
			for range 9 {
				nine = append(nine, s.Onboarded(s.Org).ID)
			}
			blocked := shop.Device
			checker.refuse(blocked.Token, true)
			var theirs, others []uuid.UUID
			for n := range 5 {
				theirs = append(theirs, shop.Created(shop.Simplified(servicetest.Fields{"notes": servicetest.Note("blocked " + string(rune('a'+n)))})))
				for _, device := range nine {
					others = append(others, shop.Created(shop.Simplified(servicetest.Fields{"device": device, "notes": servicetest.Note("other " + string(rune('a'+n)))})))
				}
			}
			for _, id := range others {
				servicetest.Equal(t, "status of another device", shop.Final(id)["authority_response_status"], any("REPORTED"))
				servicetest.Equal(t, "attempts of another device", len(shop.Attempts(id)), 1)
			}
			servicetest.Eventually(t, "the device is parked", func() bool { return submissionState(s.Instance, t, blocked.ID) == "parked" })
			held := shop.Create(shop.Simplified(servicetest.Fields{"notes": servicetest.Note("while parked")})).Wants(t, http.StatusAccepted)
			if message, _ := held["message"].(string); !strings.Contains(message, "failed") {
				t.Errorf("create on a parked device: message %q, want one that says that sending failed", message)
			}
			theirs = append(theirs, uuid.MustParse(servicetest.TextIn(held, "invoice_uuid")))
			refused := checker.count(blocked.Token)
			time.Sleep(time.Second) // count calls for a second
			if more := checker.count(blocked.Token) - refused; more > 6 {
				t.Errorf("%d calls in a second for a parked device, want at most 6", more)
			}
			for _, id := range theirs {
				if status := shop.Status(id); status != ledger.Unanswered {
					t.Errorf("invoice %s of the parked device is %q, want unanswered", id, status)
				}
			}
			checker.refuse(blocked.Token, false)
			for _, id := range theirs {
				servicetest.Equal(t, "status of the blocked device", shop.Final(id)["authority_response_status"], any("REPORTED"))
			}
			servicetest.Equal(t, "state", submissionState(s.Instance, t, blocked.ID), "ok")
			sim.AcceptedOnce(append(theirs, others...))
		})
	}
}

// submissionState returns the submission state of a device in the list.
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

// A held document is sent on request (PATCH). Its acceptance releases the other
// documents of the device.
func TestInterface_3_1_QueuingFailed(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.Engines() {
		t.Run(engine.Name, func(t *testing.T) {
			sim := servicetest.OpenAuthority(t, simulator.Config{})
			checker := guarded(sim)
			s := sim.Open(t, func(c *server.Config) {
				engine.Set(t, c)
				c.Sending.ProbeFirst, c.Sending.ProbeMost = time.Hour, time.Hour
			})
			shop := s.OnboardedSeller()
			checker.refuse(shop.Device.Token, true)
			first := shop.Created(shop.Standard())
			servicetest.Eventually(t, "the device is parked", func() bool { return submissionState(s.Instance, t, shop.Device.ID) == "parked" })
			second := shop.Created(shop.Simplified())
			checker.refuse(shop.Device.Token, false)
			shop.Resend(second).Wants(t, http.StatusAccepted)
			servicetest.Equal(t, "requested document", shop.Final(second)["authority_response_status"], any("REPORTED"))
			servicetest.Equal(t, "other document of the device", shop.Final(first)["authority_response_status"], any("CLEARED"))
		})
	}
}

// While sending is paused documents are held, and sent afterwards.
func TestSendingPaused(t *testing.T) {
	t.Parallel()
	sim := servicetest.OpenAuthority(t, simulator.Config{})
	data := t.TempDir()
	s := sim.Open(t, func(c *server.Config) { c.Data, c.Sending.Paused = data, true })
	shop := s.OnboardedSeller()
	held := shop.Create(shop.Simplified()).Wants(t, http.StatusAccepted)
	if message, _ := held["message"].(string); !strings.Contains(message, "failed") {
		t.Errorf("create while paused: message %q, want one that says that sending failed", message)
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
