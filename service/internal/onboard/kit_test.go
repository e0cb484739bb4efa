package onboard_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"khatm/service/internal/authority"
	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/pgtest"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/vault"
	"khatm/simulator"
)

// fixture is a real store, a real vault and the simulator on a real port, with
// one organisation.
type fixture struct {
	t         testing.TB
	ctx       context.Context
	config    store.Config
	store     *store.Store
	vault     *vault.Ring
	keys      string // file of the master keys
	simulator *simulator.Simulator
	control   *httptest.Server
	url       string
	client    *authority.Client
	by        org.Actor
	owner     org.Organisation
	saw       []device.Status
}

func TestMain(m *testing.M) {
	if play, told := roles[roleOf()]; told {
		play()
		return
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction(pgtest.IdleReader))
}

// each runs a test on both database engines.
func each(t *testing.T, test func(t *testing.T, h *fixture)) {
	t.Helper()
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) { test(t, open(t, c)) })
}

// onSQLite runs a test on SQLite only. The tests of package store cover the SQL on
// both engines.
func onSQLite(t *testing.T, test func(t *testing.T, h *fixture)) {
	t.Helper()
	t.Parallel()
	test(t, lite(t))
}

// lite returns a fixture on SQLite, for tests that do not depend on the engine.
func lite(t testing.TB) *fixture {
	t.Helper()
	return open(t, storetest.SQLite(t))
}

func open(t testing.TB, c store.Config) *fixture {
	t.Helper()
	h := &fixture{t: t, ctx: t.Context(), config: c, store: storetest.Open(t, c), keys: filepath.Join(t.TempDir(), "master.key")}
	var err error
	if h.vault, err = vault.Load(vault.Config{File: h.keys, Create: true, Random: rand.Reader, Now: c.Now}); err != nil {
		t.Fatal(err)
	}
	if h.simulator, err = simulator.New(simulator.Config{Now: c.Now}); err != nil {
		t.Fatal(err)
	}
	protocol := httptest.NewServer(h.simulator.Handler())
	h.control = httptest.NewServer(h.simulator.Control())
	t.Cleanup(func() {
		protocol.Close()
		h.control.Close()
		if err := h.simulator.Close(); err != nil {
			t.Error(err)
		}
	})
	h.url = protocol.URL + "/e-invoicing/simulation"
	h.client = h.reach(h.url)
	h.by, h.owner = h.register("310175397400003")
	return h
}

// reach returns a client of the authority at url.
func (h *fixture) reach(url string) *authority.Client {
	h.t.Helper()
	client, err := authority.New(authority.Config{URL: url, Now: h.config.Now})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(client.Close)
	return client
}

// register creates an organisation.
func (h *fixture) register(vat string) (org.Actor, org.Organisation) {
	h.t.Helper()
	o := org.Organisation{
		ID: h.config.NewID(), Name: "Khatm & Sons Trading", NameArabic: "شركة ختم للتجارة", VATNumber: vat,
		Identification: org.Identification{Type: "CRN", Value: "1010183482"},
		Address:        org.Address{Street: "طريق الملك فهد", BuildingNumber: "8091", District: "العليا", City: "الرياض", PostalCode: "12214", CountryCode: "SA"},
		Status:         org.Active, Plan: "business", CreatedAt: h.config.Now(),
	}
	if problems := o.Check(); problems != nil {
		h.t.Fatal(problems)
	}
	if err := h.store.AddOrganisation(h.ctx, org.Operator(org.Tenant{}, "test"), o); err != nil {
		h.t.Fatal(err)
	}
	return org.Operator(org.TenantOf(o.ID), "test"), o
}

// record replaces the data of the fixture's organisation.
func (h *fixture) record(o org.Organisation) error {
	_, err := h.store.ChangeOrganisation(h.ctx, h.by, func(kept *org.Organisation) error { *kept = o; return nil })
	return err
}

// onboarding returns an Onboarding with the given keeper and authority.
func (h *fixture) onboarding(k onboard.Keeper, a onboard.Authority) *onboard.Onboarding {
	return onboard.New(onboard.Config{
		Keeper: k, Vault: h.vault, Authority: a, Version: "1.0", Now: h.config.Now, NewID: h.config.NewID,
	})
}

// wanted describes an ordinary device to create.
func wanted(invoiceType string) onboard.NewDevice {
	return onboard.NewDevice{Environment: device.Simulator, CommonName: "Till 1", InvoiceType: invoiceType, Industry: "Retail"}
}

func (h *fixture) device(invoiceType string) device.Device {
	h.t.Helper()
	d, err := h.onboarding(h.store, nil).Create(h.ctx, h.by, wanted(invoiceType))
	if err != nil {
		h.t.Fatal(err)
	}
	return d
}

// otp returns a valid one-time password.
func (h *fixture) otp() device.Secret {
	h.t.Helper()
	text, err := h.simulator.OneTimePassword("simulation", h.owner.VATNumber)
	if err != nil {
		h.t.Fatal(err)
	}
	return device.NewSecret(text)
}

// order returns an Order that records the states in h.saw.
func (h *fixture) order(d device.Device, otp device.Secret) onboard.Order {
	return onboard.Order{Device: d.ID, OTP: otp, Saw: func(s device.Status) { h.saw = append(h.saw, s) }}
}

// onboard onboards a device.
func (h *fixture) onboard(d device.Device, otp device.Secret) (device.Device, error) {
	h.saw = nil
	return h.onboarding(h.store, h.client).Onboard(h.ctx, h.by, h.order(d, otp))
}

// active returns an onboarded device.
func (h *fixture) active(invoiceType string) device.Device {
	h.t.Helper()
	d, err := h.onboard(h.device(invoiceType), h.otp())
	if err != nil {
		h.t.Fatal(err)
	}
	return d
}

func (h *fixture) renew(d device.Device, otp device.Secret) (device.Device, error) {
	h.saw = nil
	return h.onboarding(h.store, h.client).Renew(h.ctx, h.by, h.order(d, otp))
}

// kept reads a device from the database.
func (h *fixture) kept(id uuid.UUID) device.Device {
	h.t.Helper()
	d, err := h.store.Device(h.ctx, h.by.Tenant, id)
	if err != nil {
		h.t.Fatal(err)
	}
	return d
}

// way reads an enrolment of a device from the database.
func (h *fixture) way(id uuid.UUID, renewal bool) onboard.Enrolment {
	h.t.Helper()
	ways, err := h.store.Enrolments(h.ctx, h.by.Tenant, id)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, w := range ways {
		if w.Renewal == renewal {
			return w
		}
	}
	return onboard.Enrolment{}
}

// command calls the control API of the simulator.
func (h *fixture) command(method, path, body string) []byte {
	h.t.Helper()
	request, err := http.NewRequest(method, h.control.URL+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		h.t.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	defer http.DefaultClient.CloseIdleConnections()
	var text bytes.Buffer
	if _, err := text.ReadFrom(response.Body); err != nil || response.StatusCode/100 != 2 {
		h.t.Fatalf("control API: %s %s: status %d: %s (error: %v)", path, body, response.StatusCode, text.String(), err)
	}
	return text.Bytes()
}

// force makes the simulator apply a fault to the next calls.
func (h *fixture) force(knob string, times int) {
	h.t.Helper()
	order, err := json.Marshal(map[string]any{"knob": knob, "times": times})
	if err != nil {
		h.t.Fatal(err)
	}
	h.command(http.MethodPost, "/mood/force", string(order))
}

// explained checks that err is a fault with a code, with texts in both languages
// and a next step. It returns a function that reads the other fields of the fault.
func explained(t testing.TB, err error, kind fault.Kind, code string) (also func(field string) string) {
	t.Helper()
	var told *fault.Error
	if !errors.As(err, &told) || told.Kind() != kind || told.Fields["trouble"] != code {
		t.Fatalf("error is %v, want code %s of kind %d", err, code, kind)
	}
	also = func(field string) string {
		text, _ := told.Fields[field].(string)
		return text
	}
	for _, field := range []string{"message_ar", "next", "next_ar"} {
		if also(field) == "" {
			t.Errorf("error %s has an empty field %s", code, field)
		}
	}
	return also
}

// at checks the state of a device in the database.
func (h *fixture) at(id uuid.UUID, want device.Status) {
	h.t.Helper()
	if got := h.kept(id).Status; got != want {
		h.t.Errorf("device has status %s, want %s", got, want)
	}
}
