package admin_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/admin"
	"khatm/simulator"
)

// simulator starts a simulator and returns it with the URL of an environment.
func (d *installation) simulator(environment string) (*simulator.Simulator, string) {
	d.t.Helper()
	s, err := simulator.New(simulator.Config{Now: d.clock.Now})
	if err != nil {
		d.t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	d.t.Cleanup(func() {
		server.Close()
		if err := s.Close(); err != nil {
			d.t.Error(err)
		}
	})
	return s, server.URL + "/e-invoicing/" + environment
}

func newTill() admin.NewDevice {
	return admin.NewDevice{CommonName: "Till 1", InvoiceType: "1100", Industry: "Retail", Version: "1.0"}
}

func TestDeviceIsCreatedOnboardedAndRenewed(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		ctx := context.Background()
		o := d.organisation("Khatm Trading")
		made := must[admin.Device](t)(d.CreateDevice(ctx, o.ID.String(), newTill()))
		if made.Environment != "sandbox" || made.Status != "csr_pending" || made.Seller != o.ID || made.Production != nil {
			t.Errorf("new device %+v, want one of the sandbox with the status csr_pending", made)
		}
		_, url := d.simulator("developer-portal")
		var saw []string
		order := admin.Certification{URL: url, OTP: "111111", Saw: func(s string) { saw = append(saw, s) }}
		_, err := d.Onboard(ctx, made.ID.String(), order)
		trouble, known := admin.TroubleOf(err)
		if !known || trouble.Code != "Invalid-OTP" || trouble.NextArabic == "" || trouble.Said == "" {
			t.Fatalf("Onboard with a wrong password: error %v, problem %+v, want Invalid-OTP with advice", err, trouble)
		}
		shown := must[admin.Device](t)(d.Device(ctx, made.ID.String()))
		if shown.Status != "ccsid_failed" || shown.Trouble == nil || *shown.Trouble != trouble {
			t.Errorf("Device returned %+v with the problem %+v, want ccsid_failed and %+v", shown, shown.Trouble, trouble)
		}
		order.OTP = "123345"
		active := must[admin.Device](t)(d.Onboard(ctx, made.ID.String(), order))
		if active.Status != "pcsid_generated" || active.Production == nil || active.Production.Expiry != "valid" || active.Counter != 0 {
			t.Errorf("onboarded device %+v, want pcsid_generated and a valid certificate", active)
		}
		if saw[len(saw)-1] != "pcsid_generated" {
			t.Errorf("reported statuses %v, want pcsid_generated at the end", saw)
		}
		d.clock.Advance(24 * time.Hour)
		renewed := must[admin.Device](t)(d.Renew(ctx, made.ID.String(), order))
		if !renewed.Production.NotAfter.After(active.Production.NotAfter) {
			t.Errorf("renewed certificate is valid until %s, want later than %s", renewed.Production.NotAfter, active.Production.NotAfter)
		}
		all := must[[]admin.Device](t)(d.Devices(ctx, o.ID.String()))
		if len(all) != 1 || all[0].ID != made.ID {
			t.Errorf("Devices returned %+v, want only %s", all, made.ID)
		}
	})
}

func TestDeviceListHasManyPages(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		o := d.organisation("Khatm Trading")
		for range 101 {
			must[admin.Device](t)(d.CreateDevice(context.Background(), o.ID.String(), newTill()))
		}
		if all := must[[]admin.Device](t)(d.Devices(context.Background(), o.ID.String())); len(all) != 101 {
			t.Errorf("Devices returned %d devices, want 101", len(all))
		}
	})
}

// A device with a failed renewal keeps its status and shows the renewal.
func TestDeviceShowsFailedRenewal(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		ctx := context.Background()
		o := d.organisation("Khatm Trading")
		made := must[admin.Device](t)(d.CreateDevice(ctx, o.ID.String(), newTill()))
		_, url := d.simulator("developer-portal")
		order := admin.Certification{URL: url, OTP: "123345", Saw: func(string) {}}
		must[admin.Device](t)(d.Onboard(ctx, made.ID.String(), order))
		down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }))
		defer down.Close()
		order.URL = down.URL + "/e-invoicing/developer-portal"
		_, err := d.Renew(ctx, made.ID.String(), order)
		if trouble, known := admin.TroubleOf(err); !known || trouble.Code != "No-Answer" {
			t.Errorf("Renew without an answer: error %v, want the problem No-Answer", err)
		}
		shown := must[admin.Device](t)(d.Device(ctx, made.ID.String()))
		if shown.Status != "pcsid_generated" || shown.Renewal == nil || shown.Renewal.Status != "ccsid_pending" || shown.Renewal.Trouble.Code != "No-Answer" {
			t.Errorf("Device returned %+v with the renewal %+v, want pcsid_generated and a pending renewal", shown, shown.Renewal)
		}
	})
}

func TestDeviceErrors(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		ctx := context.Background()
		o := d.organisation("Khatm Trading")
		made := must[admin.Device](t)(d.CreateDevice(ctx, o.ID.String(), newTill()))
		id, unknown := made.ID.String(), uuid.Max.String()
		of := func(change func(*admin.NewDevice)) func() error {
			return func() error {
				order := newTill()
				change(&order)
				_, err := d.CreateDevice(ctx, o.ID.String(), order)
				return err
			}
		}
		onboard := func(id string, c admin.Certification) func() error {
			return func() error { _, err := d.Onboard(ctx, id, c); return err }
		}
		for _, c := range []struct {
			name  string
			do    func() error
			words string
		}{
			{"unknown organisation", func() error { _, err := d.CreateDevice(ctx, unknown, newTill()); return err }, "khatm org list"},
			{"unknown device", onboard(unknown, admin.Certification{}), "khatm device list"},
			{"invalid device id", onboard("till", admin.Certification{}), `"till" is not a device ID`},
			{"unknown branch", of(func(n *admin.NewDevice) { n.Branch = unknown }), "khatm branch list"},
			{"invalid branch id", of(func(n *admin.NewDevice) { n.Branch = "Jeddah" }), "has no branch Jeddah"},
			{"another environment than the installation's", of(func(n *admin.NewDevice) { n.Environment = "production" }), "belongs to the authority's sandbox"},
			{"another environment than the device's", onboard(id, admin.Certification{Environment: "production"}), "cannot be changed"},
			{"unsafe URL", onboard(id, admin.Certification{URL: "http://gateway.example"}), "not safe"},
			{"invalid URL", onboard(id, admin.Certification{URL: "somewhere"}), "gw-fatoora.zatca.gov.sa"},
		} {
			if err := c.do(); err == nil || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%s: got %v, want %q", c.name, err, c.words)
			}
		}
		_, err := d.CreateDevice(ctx, o.ID.String(), admin.NewDevice{InvoiceType: "1100", Industry: "a+b"})
		if problems := admin.Problems(err); len(problems) != 2 {
			t.Errorf("problems of a device without a name and with an invalid industry = %v, want 2", problems)
		}
	})
}
