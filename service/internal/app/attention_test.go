package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/attention"
	"khatm/service/internal/device"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// attentionOf returns what needs attention as kind, level and type.
func attentionOf(h *servicetest.Instance, t testing.TB, user string) string {
	t.Helper()
	list := h.As(user, http.MethodGet, servicetest.AttentionPath, "").Wants(t, http.StatusOK)
	all := []string{fmt.Sprint(list["verdict"])}
	for _, one := range servicetest.List(t, list, "entries") {
		e, _ := one.(servicetest.Record)
		for _, field := range []string{"message", "message_ar", "fix", "fix_ar"} {
			if servicetest.TextIn(e, field) == "" {
				t.Errorf("%v: the entry has no %s", e["kind"], field)
			}
		}
		all = append(all, strings.TrimSpace(fmt.Sprint(e["kind"], " ", e["level"], " ", servicetest.TextIn(e["subject"], "type"))))
	}
	return strings.Join(all, ", ")
}

// A rejected invoice is listed with its cause, field and suggested value until
// another invoice replaces it.
func TestAttention_Rejected(t *testing.T) {
	servicetest.MostlySQLiteSending(t, "polite", func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		viewer, other := s.Session(org.ViewInvoice, s.Org), s.Session(org.Admin, s.Organisation("Other", "business"))
		c := corrector{t: t, s: s, shop: shop}
		servicetest.Same(t, "before", attentionOf(s.Instance, t, viewer), "ok")
		rejected := shop.Created(shop.Standard(servicetest.Fields{"form_lines": []any{shop.Line(servicetest.Fields{"vat_rate": 10})}}))
		draft := c.correct("a rate of 10", rejected)
		servicetest.Same(t, "after", attentionOf(s.Instance, t, viewer), "action, rejected warning invoice")
		servicetest.Same(t, "of another organisation", attentionOf(s.Instance, t, other), "ok")
		e := servicetest.First(t, s.As(viewer, http.MethodGet, servicetest.AttentionPath, "").Wants(t, http.StatusOK)["entries"])
		servicetest.Same(t, "subject", servicetest.TextIn(e["subject"], "uuid"), rejected.String())
		servicetest.Same(t, "draft", e["draft_uuid"], draft["uuid"])
		servicetest.Same(t, "cause", servicetest.TextIn(servicetest.First(t, e["causes"]), "rule_id"), "BR-KSA-84")
		servicetest.Same(t, "change", servicetest.First(t, e["changes"]), servicetest.Record{"rule_id": "BR-KSA-84", "path": "invoice.form_lines.0.vat_rate", "from": "10", "to": "15"})
		if !c.accepted(draft) {
			t.Error("the corrected invoice was not accepted")
		}
		servicetest.Same(t, "corrected", attentionOf(s.Instance, t, viewer), "ok")
	})
}

// Every other kind is listed with its urgency.
func TestAttention_EveryKind(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, user := h.NewSeller(), h.Session(org.ViewInvoice, h.Org)
		want := func(what, list string) {
			t.Helper()
			servicetest.Same(t, what, attentionOf(h, t, user), list)
		}
		want("nothing", "ok")
		h.DraftSharing().Approved()
		want("an approved draft", "waiting, approved info draft")
		h.DraftSharing().Declined()
		h.Exec(t, `UPDATE letter SET state = 'refused', sealed = NULL, lease_until = NULL, attempts = 1 WHERE id = (SELECT id FROM letter WHERE state = 'queued' LIMIT 1)`)
		want("a declined draft and an e-mail", "action, declined warning draft, letter warning letter, approved info draft")
		h.Device(h.Org, func(d *device.Device) { d.Status, d.Production = device.PCSIDFailed, nil })
		h.Exec(t, `UPDATE device SET parked = 1, parked_why = 'refused' WHERE id = $1`, shop.Device.ID.String())
		const rest = "declined warning draft, letter warning letter, approved info draft"
		want("two devices", "action, device critical device, device critical device, "+rest)
		use(h, t, h.Org, "2026-11-01", 4000)
		want("the plan", "action, device critical device, device critical device, "+strings.Replace(rest, "approved", "allowance info, approved", 1))
	})
}

func TestAttention_UnansweredByAge(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, user := h.NewSeller(), h.Session(org.ViewInvoice, h.Org)
		shop.Created(shop.Simplified())
		for _, c := range []struct {
			hours time.Duration
			want  string
		}{
			{5, "ok"}, {1, "waiting, unanswered info invoice"}, {6, "action, unanswered warning invoice"}, {8, "action, unanswered critical invoice"},
		} {
			h.Clock.Advance(c.hours * time.Hour)
			servicetest.Same(t, fmt.Sprint("after ", c.hours, " more hours"), attentionOf(h, t, user), c.want)
		}
	})
}

// At most twenty entries of a kind are listed.
func TestAttention_More(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		user := h.Session(org.ViewInvoice, h.Org)
		for range 21 {
			h.Device(h.Org, func(d *device.Device) { d.Status, d.Production = device.PCSIDFailed, nil })
		}
		list := h.As(user, http.MethodGet, servicetest.AttentionPath, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "entries", len(servicetest.List(t, list, "entries")), 20)
		servicetest.Same(t, "more", fmt.Sprint(list["more"]), "[device]")
	})
}

// A cleared invoice is listed if its stamped copy did not come in time.
func TestAttention_Unstamped(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, user := h.NewSeller(), h.Session(org.ViewInvoice, h.Org)
		shop.Accepted(shop.Created(shop.Standard()))
		servicetest.Same(t, "while it is asked for", attentionOf(h, t, user), "ok")
		h.Exec(t, `UPDATE copy_request SET state = 'stopped', stopped = 'expired', lease_until = NULL`)
		servicetest.Same(t, "stopped", attentionOf(h, t, user), "waiting, unstamped info invoice")
	})
}

// The entry of an onboarding that failed has the cause that the device has.
func TestAttention_OnboardingSaysWhatFailed(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		user, kept := h.Session(org.ViewInvoice, h.Org), h.Service.Store()
		d := h.Device(h.Org, func(d *device.Device) { d.Status, d.Production = device.CSRPending, nil })
		taken, err := kept.TakeEnrolment(t.Context(), h.Operator(h.Org), d.ID, false)
		if err != nil {
			t.Fatal(err)
		}
		step := onboard.Step{Enrolment: taken, From: taken.Status}
		step.Status, step.Trouble = device.SubmissionFailed, onboard.Trouble{Code: "BR-KSA-37", Message: "said"}
		if err := kept.KeepStep(t.Context(), h.Operator(h.Org), step); err != nil {
			t.Fatal(err)
		}
		e := servicetest.First(t, h.As(user, http.MethodGet, servicetest.AttentionPath, "").Wants(t, http.StatusOK)["entries"])
		wantTrouble(t, e["trouble"], "BR-KSA-37")
		why := onboard.Explain("BR-KSA-37")
		servicetest.Same(t, "texts", []any{e["message"], e["message_ar"], e["fix"], e["fix_ar"]}, []any{
			"The onboarding of device " + d.CommonName + " failed. " + why.What.EN, "لم يكتمل ربط الجهاز " + d.CommonName + " بالهيئة. " + why.What.AR, why.Next.EN, why.Next.AR,
		})
		if e["since"] == nil {
			t.Error("the entry does not say since when it waits")
		}
	})
}

// Entries name the kind of document, and what to do about the kind of e-mail.
func TestAttention_NamesKinds(t *testing.T) {
	now := time.Now()
	for kind, want := range map[int]string{388: "رفضت الهيئة الفاتورة A-1.", 381: "رفضت الهيئة الإشعار الدائن A-1.", 383: "رفضت الهيئة الإشعار المدين A-1.", 386: "رفضت الهيئة فاتورة الدفعة المقدمة A-1."} {
		entries, _ := attention.Of(attention.State{Rows: []attention.Row{{Kind: attention.Rejected, Name: "A-1", Type: kind}}}, now)
		servicetest.Same(t, fmt.Sprint("type ", kind), entries[0].MessageArabic, want)
	}
	fixes := map[string]bool{}
	for _, about := range []string{share.AboutInvitation, share.AboutCode, share.AboutDecline, account.AboutInvitation, "other"} {
		entries, _ := attention.Of(attention.State{Rows: []attention.Row{{Kind: attention.Letter, About: about}}}, now)
		fixes[entries[0].Fix], fixes[entries[0].FixArabic] = true, true
		servicetest.Same(t, about, strings.Contains(entries[0].Fix, "share the draft"), about == share.AboutInvitation)
	}
	servicetest.Same(t, "different texts", len(fixes), 10)
}

// The store reads the kinds of documents and e-mails.
func TestAttention_ReadsKinds(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, user := h.NewSeller(), h.Session(org.ViewInvoice, h.Org)
		note := shop.Refundable()
		h.Exec(t, `UPDATE invoice SET status = 'NOT_CLEARED', answered_at = issued_at WHERE id = $1`, note.String())
		h.As(h.Session(org.Admin, h.Org), http.MethodPost, servicetest.InvitationsPath, `{"email":"new@example.sa","role":"Accountant"}`).Wants(t, http.StatusCreated)
		h.Exec(t, `UPDATE letter SET state = 'refused', sealed = NULL, lease_until = NULL, attempts = 1`)
		texts := h.As(user, http.MethodGet, servicetest.AttentionPath, "").Body
		for _, want := range []string{"رفضت الهيئة الإشعار الدائن CRN-2026-000001.", "ثم أرسل دعوة العضو مرة أخرى."} {
			if !strings.Contains(texts, want) {
				t.Errorf("no %q in %s", want, texts)
			}
		}
	})
}
