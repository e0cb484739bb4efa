package app_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/simulator"
)

// manager manages a device of a service that is connected to a simulator.
type manager struct {
	*servicetest.Sending
	t     *testing.T
	admin string
	id    string
}

func newManager(t *testing.T, change func(*server.Config)) *manager {
	t.Helper()
	s := servicetest.OpenAuthority(t, simulator.Config{}).Open(t, change)
	m := &manager{Sending: s, t: t, admin: s.Session(org.Admin, s.Org)}
	m.id = servicetest.Text(m.As(m.admin, http.MethodPost, servicetest.DevicesPath, servicetest.GoodDevice).Wants(t, http.StatusCreated)["device_id"])
	return m
}

func (m *manager) do(operation, body string) servicetest.Answer {
	m.t.Helper()
	return m.As(m.admin, http.MethodPost, servicetest.DevicesPath+m.id+"/"+operation+"/", body)
}

// start starts an onboarding or a renewal with a new one-time password.
func (m *manager) start(operation, more string) {
	m.t.Helper()
	got := m.do(operation, `{"otp":"`+m.Authority.Password(m.Org)+`"`+more+`}`).Wants(m.t, http.StatusAccepted)
	servicetest.Same(m.t, "location", got["location"], any("/api/devices/"+m.id+"/steps/"))
}

func (m *manager) read() servicetest.Record {
	m.t.Helper()
	return readDevice(m.t, m.Instance, m.admin, uuid.MustParse(m.id))
}

// event is an event of a stream.
type event struct {
	kind, id string
	data     servicetest.Record
}

// steps reads the stream of the steps to its end, after the event with the id last.
func (m *manager) steps(last string) []event {
	m.t.Helper()
	a := m.Send(http.MethodGet, servicetest.DevicesPath+m.id+"/steps/", servicetest.Bearer(m.admin), func(r *http.Request) {
		if last != "" {
			r.Header.Set("Last-Event-ID", last)
		}
	})
	if a.Status != http.StatusOK || a.Header.Get("Content-Type") != "text/event-stream" {
		m.t.Fatalf("steps: got %d %s %s", a.Status, a.Header.Get("Content-Type"), a.Body)
	}
	return eventsOf(m.t, a.Body)
}

func eventsOf(t *testing.T, body string) (all []event) {
	t.Helper()
	for block := range strings.SplitSeq(body, "\n\n") {
		var e event
		for line := range strings.SplitSeq(block, "\n") {
			switch name, value, _ := strings.Cut(line, ": "); name {
			case "event":
				e.kind = value
			case "id":
				e.id = value
			case "data":
				if err := json.Unmarshal([]byte(value), &e.data); err != nil {
					t.Fatal(err)
				}
			}
		}
		if e.data != nil {
			all = append(all, e)
		}
	}
	if len(all) == 0 || all[len(all)-1].kind != "end" {
		t.Fatalf("the stream does not end with the event end: %s", body)
	}
	return all[:len(all)-1]
}

func statesOf(events []event) (all []string) {
	for _, e := range events {
		all = append(all, servicetest.Text(e.data["status"])+" "+servicetest.Text(e.data["label"])+" "+servicetest.Text(e.data["state"]))
	}
	return all
}

// The statuses are streamed in the order of onboarding, with their labels, and a
// device is active at the end.
func TestInterface_3_2_StepsAreInTheOrderOfOnboarding(t *testing.T) {
	t.Parallel()
	m := newManager(t, nil)
	m.start("onboard", "")
	events := m.steps("")
	var want []string
	for _, c := range deviceLabels {
		if !strings.HasSuffix(c.status, "ailed") {
			want = append(want, c.status+" "+c.label)
		}
	}
	var got []string
	for n, e := range events {
		got = append(got, servicetest.Text(e.data["status"])+" "+servicetest.Text(e.data["label"]))
		servicetest.Same(t, "position", []any{e.data["position"], e.data["of"], e.data["trouble"]}, []any{float64(n + 1), float64(len(want)), nil})
	}
	servicetest.Same(t, "steps", got, want)
	servicetest.Same(t, "state of the last step", events[len(events)-1].data["state"], any("done"))
	d := m.read()
	servicetest.Same(t, "the device", []any{d["device_status"], d["label"], d["is_running"], d["trouble"]}, []any{"pcsid_generated", "Active", false, nil})
	servicetest.Same(t, "steps after the fifth", statesOf(m.steps(events[4].id)), statesOf(m.steps(""))[5:])
	servicetest.Same(t, "steps after the last", len(m.steps(events[9].id)), 0)
	wantCode(t, "onboarding an active device", m.do("onboard", `{"otp":"123456"}`), http.StatusConflict, "state_conflict")
	shop := m.NewSeller()
	shop.Device.ID = uuid.MustParse(m.id)
	shop.WantsFinal(shop.Created(shop.Standard()), "CLEARED")
}

// A refused onboarding is explained in both languages and can be tried again. The
// one-time password is neither logged nor stored.
func TestInterface_3_2_ARefusedCodeRequiresAction(t *testing.T) {
	t.Parallel()
	m := newManager(t, nil)
	missing := m.do("onboard", `{}`)
	wantCode(t, "no one-time password", missing, http.StatusBadRequest, "onboarding_refused")
	servicetest.Same(t, "trouble", missing.JSON(t)["trouble"], any("Missing-OTP"))
	wantPortal(t, missing)
	if problems := m.do("onboard", `{"otp":"12345x"}`).Problems(t); len(problems) != 1 || !strings.HasPrefix(problems[0], "otp: ") {
		t.Errorf("malformed one-time password: problems = %q", problems)
	}
	servicetest.Same(t, "status", m.read()["device_status"], any("csr_pending"))
	servicetest.Same(t, "steps", statesOf(m.steps("")), []string{"csr_pending Setup in Progress stopped"})

	m.do("onboard", `{"otp":"909090"}`).Wants(t, http.StatusAccepted)
	events := m.steps("")
	last := events[len(events)-1]
	servicetest.Same(t, "last step", statesOf(events[len(events)-1:]), []string{"ccsid_failed Action Required failed"})
	wantTrouble(t, last.data["trouble"], "Invalid-OTP")
	servicetest.Same(t, "steps after the failure", len(m.steps(last.id)), 0)
	d := m.read()
	servicetest.Same(t, "the device", []any{d["device_status"], d["label"], d["label_ar"], d["needs_otp"]}, []any{"ccsid_failed", "Action Required", "بانتظار إجراء منك", true})
	wantTrouble(t, d["trouble"], "Invalid-OTP")
	if strings.Contains(m.Log.String(), "909090") || strings.Contains(m.CopyDatabase(), "909090") {
		t.Error("the log or the database contains the one-time password")
	}
	m.start("onboard", "")
	events = m.steps("")
	servicetest.Same(t, "last step", statesOf(events[len(events)-1:]), []string{"pcsid_generated Active done"})
	servicetest.Same(t, "trouble", m.read()["trouble"], nil)
}

// wantPortal checks that an answer has one problem, at otp, which says in both
// languages where the one-time password comes from.
func wantPortal(t *testing.T, a servicetest.Answer) {
	t.Helper()
	problems, _ := a.JSON(t)["errors"].([]any)
	if len(problems) != 1 {
		t.Fatalf("problems = %v, want one", problems)
	}
	p, _ := problems[0].(servicetest.Record)
	servicetest.Same(t, "path and message", []any{p["path"], p["message"], p["message_ar"]}, []any{"otp", "A one-time password is needed.", "يلزم إدخال رمز التحقق (OTP) من بوابة فاتورة."})
	if fix, ar := servicetest.Text(p["fix"]), servicetest.Text(p["fix_ar"]); !strings.Contains(fix, "Fatoora portal") || !strings.Contains(ar, "بوابة فاتورة") {
		t.Errorf("fix = %q and %q, want the portal", fix, ar)
	}
}

func wantTrouble(t *testing.T, got any, code string) {
	t.Helper()
	trouble, _ := got.(servicetest.Record)
	e := onboard.Explain(code)
	servicetest.Same(t, "trouble "+code, []any{trouble["code"], trouble["message"], trouble["message_ar"], trouble["next"], trouble["next_ar"]}, []any{code, e.What.EN, e.What.AR, e.Next.EN, e.Next.AR})
}

// Every problem that has an explanation is streamed and shown with it.
func TestDevice_EveryProblemIsExplained(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		admin, kept := h.Session(org.Admin, h.Org), h.Service.Store()
		for _, code := range append(onboard.Codes(), "BR-KSA-37", "New-Code") {
			d := h.Device(h.Org, func(d *device.Device) { d.Status, d.Production = device.CSRPending, nil })
			taken, err := kept.TakeEnrolment(t.Context(), h.Operator(h.Org), d.ID, false)
			if err != nil {
				t.Fatal(err)
			}
			step := onboard.Step{Enrolment: taken, From: taken.Status}
			step.Status, step.Trouble = device.SubmissionFailed, onboard.Trouble{Code: code, Message: "said"}
			if err := kept.KeepStep(t.Context(), h.Operator(h.Org), step); err != nil {
				t.Fatal(err)
			}
			wantTrouble(t, readDevice(t, h, admin, d.ID)["trouble"], code)
			events := eventsOf(t, h.As(admin, http.MethodGet, servicetest.DevicesPath+d.ID.String()+"/steps/", "").Body)
			wantTrouble(t, events[len(events)-1].data["trouble"], code)
		}
	})
}

// Only one request at a time onboards a device. Meanwhile it cannot be released, and
// its steps are streamed as they happen.
func TestDevice_IsOnboardedByOneRequest(t *testing.T) {
	t.Parallel()
	m := newManager(t, func(c *server.Config) { c.Sending.Timeout = servicetest.Patience })
	release := m.Authority.Hold()
	body := `{"otp":"` + m.Authority.Password(m.Org) + `"}`
	answers := make([]servicetest.Answer, 8)
	var all sync.WaitGroup
	for n := range answers {
		all.Go(func() { answers[n] = m.do("onboard", body) })
	}
	all.Wait()
	accepted := 0
	for _, a := range answers {
		if a.Status == http.StatusAccepted {
			accepted++
			continue
		}
		wantCode(t, "another request", a, http.StatusConflict, "onboarding_running")
	}
	servicetest.Same(t, "accepted requests", accepted, 1)
	servicetest.Same(t, "is_running", m.read()["is_running"], any(true))
	wantCode(t, "release", m.do("release", `{"confirm":true}`), http.StatusConflict, "onboarding_running")
	stream := make(chan []event)
	go func() { stream <- m.steps("") }()
	select {
	case events := <-stream:
		t.Errorf("the stream ended while the authority was silent: %v", statesOf(events))
	case <-time.After(time.Second):
	}
	release()
	events := <-stream
	servicetest.Same(t, "last step", statesOf(events[len(events)-1:]), []string{"pcsid_generated Active done"})
	states := strings.Join(statesOf(events), "\n")
	if !strings.Contains(states, "ccsid_pending Setup in Progress current") {
		t.Errorf("no step was current:\n%s", states)
	}
}

// The server takes the one-time password from its own simulator.
func TestDevice_NeedsNoPasswordWithTheSimulatorOfTheServer(t *testing.T) {
	t.Parallel()
	authority := servicetest.OpenAuthority(t, simulator.Config{})
	asked := ""
	s := authority.Open(t, func(c *server.Config) {
		c.OneTimePassword = func(_ context.Context, vat string) (string, error) {
			asked = vat
			return authority.Password(org.Organisation{VATNumber: vat}), nil
		}
	})
	m := &manager{Sending: s, t: t, admin: s.Session(org.Admin, s.Org)}
	made := m.As(m.admin, http.MethodPost, servicetest.DevicesPath, servicetest.GoodDevice).Wants(t, http.StatusCreated)
	m.id = servicetest.Text(made["device_id"])
	servicetest.Same(t, "needs_otp", made["needs_otp"], any(false))
	m.do("onboard", `{}`).Wants(t, http.StatusAccepted)
	events := m.steps("")
	servicetest.Same(t, "last step", statesOf(events[len(events)-1:]), []string{"pcsid_generated Active done"})
	servicetest.Same(t, "VAT number", asked, m.Org.VATNumber)
}

// A renewal replaces the certificate. If it fails, the device stays active.
func TestDevice_IsRenewed(t *testing.T) {
	t.Parallel()
	m := newManager(t, nil)
	wantCode(t, "renewing a new device", m.do("renew", `{"otp":"123456"}`), http.StatusConflict, "state_conflict")
	m.start("onboard", "")
	m.steps("")
	token := func() string {
		d, err := m.Service.Store().Device(t.Context(), org.TenantOf(m.Org.ID), uuid.MustParse(m.id))
		if err != nil {
			t.Fatal(err)
		}
		return d.Token
	}
	first := token()
	missing := m.do("renew", `{}`)
	wantCode(t, "no one-time password", missing, http.StatusBadRequest, "onboarding_refused")
	wantPortal(t, missing)
	m.do("renew", `{"otp":"909090"}`).Wants(t, http.StatusAccepted)
	events := m.steps("")
	last := events[len(events)-1]
	servicetest.Same(t, "last step", []any{last.data["status"], last.data["state"], last.data["renewal"]}, []any{"ccsid_failed", "failed", true})
	d := m.read()
	servicetest.Same(t, "the device", []any{d["device_status"], d["label"]}, []any{"pcsid_generated", "Active"})
	renewal, _ := d["renewal"].(servicetest.Record)
	servicetest.Same(t, "renewal", []any{renewal["status"], renewal["label"], renewal["label_ar"]}, []any{"ccsid_failed", "Action Required", "بانتظار إجراء منك"})
	wantTrouble(t, renewal["trouble"], "Invalid-OTP")
	servicetest.Same(t, "certificate", token(), first)
	m.start("renew", "")
	events = m.steps("")
	servicetest.Same(t, "last step", statesOf(events[len(events)-1:]), []string{"pcsid_generated Active done"})
	servicetest.Same(t, "renewal", m.read()["renewal"], nil)
	if token() == first {
		t.Error("the certificate is the same after the renewal")
	}
}

// A released device issues nothing more, and what it has issued is still sent.
func TestDevice_IsReleasedForGood(t *testing.T) {
	t.Parallel()
	m := newManager(t, nil)
	m.start("onboard", "")
	m.steps("")
	shop := m.NewSeller()
	shop.Device.ID = uuid.MustParse(m.id)
	unanswered := m.Authority.Hold()
	issued := shop.Created(shop.Standard())
	if problems := m.do("release", `{"confirm":false}`).Problems(t); len(problems) != 1 || !strings.HasPrefix(problems[0], "confirm: ") {
		t.Errorf("not confirmed: problems = %q", problems)
	}
	for range 2 {
		got := m.do("release", `{"confirm":true}`).Wants(t, http.StatusOK)
		servicetest.Same(t, "the released device", []any{got["is_retired"], got["device_status"], got["label"], got["label_ar"]}, []any{true, "pcsid_generated", "Released", "متوقف نهائيًا"})
	}
	unanswered()
	shop.WantsFinal(issued, "CLEARED")
	wantCode(t, "an invoice", shop.Create(shop.Standard(servicetest.Fields{"notes": servicetest.Note("late")})), http.StatusBadRequest, "device_retired")
	for _, operation := range []string{"onboard", "renew"} {
		wantCode(t, operation, m.do(operation, `{"otp":"123456"}`), http.StatusConflict, "state_conflict")
	}
	events, err := m.Service.Store().Events(t.Context(), org.TenantOf(m.Org.ID), 1000)
	if err != nil {
		t.Fatal(err)
	}
	retired := 0
	for _, e := range events {
		if e.Action == "device.retire" && e.Subject == m.id {
			retired++
		}
	}
	servicetest.Same(t, "device.retire in the audit trail", retired, 1)
}

// A parked device is tried at once when an Admin asks for it.
func TestDevice_ParkedDeviceIsResumed(t *testing.T) {
	t.Parallel()
	m := newManager(t, func(c *server.Config) { c.Sending.ProbeFirst, c.Sending.ProbeMost = time.Hour, time.Hour })
	m.start("onboard", "")
	m.steps("")
	shop := m.NewSeller()
	shop.Device.ID = uuid.MustParse(m.id)
	servicetest.NotParked.Wants(t, "a device that is not parked", m.do("resume", ""))
	m.Authority.Command(http.MethodPost, "/revoke", `{"vat_number":"`+m.Org.VATNumber+`"}`)
	issued := shop.Created(shop.Standard())
	servicetest.Eventually(t, "the device is parked", func() bool { return m.read()["submission_state"] == "parked" })
	m.start("renew", `,"anew":true`)
	events := m.steps("")
	servicetest.Same(t, "last step", statesOf(events[len(events)-1:]), []string{"pcsid_generated Active done"})
	servicetest.Same(t, "state after the renewal", m.read()["submission_state"], any("parked"))
	m.do("resume", "").Wants(t, http.StatusOK)
	shop.WantsFinal(issued, "CLEARED")
	servicetest.Same(t, "state", m.read()["submission_state"], any("ok"))
}
