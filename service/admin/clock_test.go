package admin_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"khatm/service/admin"
	"khatm/service/internal/device"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/store/storetest"
)

// futureDevice adds a device whose last document is dated a year ahead.
func (d *installation) futureDevice(of org.Tenant, name string) device.Device {
	d.t.Helper()
	now := d.clock.Now()
	one := device.Device{
		ID: d.config.NewID(), Environment: device.Sandbox, CommonName: name, SerialNumber: "1-K|2-1|3-" + name, InvoiceType: device.Both,
		Status: device.PCSIDGenerated, Production: &device.Certificate{NotBefore: now, NotAfter: now.AddDate(5, 0, 0)},
		Counter: 7, LastHash: strings.Repeat("h", 44), LastIssuedAt: now.AddDate(1, 0, 0), CreatedAt: now,
	}
	if err := d.store.AddDevice(d.t.Context(), org.Operator(of, "server"), one); err != nil {
		d.t.Fatal(err)
	}
	return one
}

func TestAcceptClock(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		at := must[time.Time](t)(d.AcceptClock(t.Context()))
		if kept, err := d.store.AcceptedClock(t.Context()); err != nil || !kept.Equal(d.clock.Now()) || !at.Equal(kept) {
			t.Errorf("AcceptClock returned %s and stored %s (%v), want %s", at, kept, err, d.clock.Now())
		}
	})
}

func TestReleaseClock(t *testing.T) {
	each(t, func(t *testing.T, d *installation) {
		of := org.TenantOf(d.organisation("Khatm Trading").ID)
		first, second := d.futureDevice(of, "till 1"), d.futureDevice(of, "till 2")
		client, _ := authority(t, http.StatusNotFound, d.clock.Now)
		f := d.examine(client)["document dates"]
		wantFinding(t, f, admin.Fail, "till 1 "+first.ID.String()+" (2027-11-15 12:00)")
		if !strings.Contains(f.Says, second.ID.String()) || !strings.Contains(f.Do, "khatm clock release --device") {
			t.Errorf("finding %+v, want both devices and khatm clock release", f)
		}
		released := must[[]admin.Ahead](t)(d.ReleaseClock(t.Context(), first.ID.String()))
		if len(released) != 1 || *released[0].Device != first.ID {
			t.Errorf("ReleaseClock released %+v, want device %s", released, first.ID)
		}
		released = must[[]admin.Ahead](t)(d.ReleaseClocks(t.Context()))
		if len(released) != 1 || *released[0].Device != second.ID {
			t.Errorf("ReleaseClocks released %+v, want device %s", released, second.ID)
		}
		wantFinding(t, d.examine(client)["document dates"], admin.OK, "no device")
		if _, err := d.ReleaseClock(t.Context(), "till 1"); err == nil || !strings.Contains(err.Error(), "khatm device list") {
			t.Errorf("ReleaseClock of an invalid id: error %v, want one about khatm device list", err)
		}
		state, err := d.store.Look(t.Context(), of, issue.Wants{At: d.clock.Now()})
		if err != nil || len(state.Series) != 0 {
			t.Errorf("number series after the release: %v (%v), want none", state.Series, err)
		}
	})
}

func TestExamineTheServer(t *testing.T) {
	status, text := http.StatusOK, "ok\n"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz/issuing" {
			t.Errorf("doctor requested %s, want /readyz/issuing", r.URL)
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text))
	}))
	defer server.Close()
	d := install(t, storetest.SQLite(t))
	examine := func(at string) (f admin.Finding) {
		client, _ := authority(t, http.StatusNotFound, d.clock.Now)
		admin.Examine(t.Context(), d.config, admin.Outside{Authority: "sandbox", Client: client, Operations: at}, func(one admin.Finding) {
			if one.Check == "issuing" {
				f = one
			}
		})
		return f
	}
	at := strings.TrimPrefix(server.URL, "http://")
	wantFinding(t, examine(at), admin.OK, "issues")
	status, text = http.StatusServiceUnavailable, "the server's clock is wrong: it is 3h0m0s ahead; set the clock\nthe server's disk cannot take more data\n"
	wantFinding(t, examine(at), admin.Fail, "does not issue: the server's clock is wrong: it is 3h0m0s ahead; set the clock; also: the server's disk")
	status = http.StatusNotFound
	wantFinding(t, examine(at), admin.Warn, "answers 404")
	server.Close()
	wantFinding(t, examine(at), admin.OK, "no server answers")
}
