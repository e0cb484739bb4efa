package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
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
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
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
