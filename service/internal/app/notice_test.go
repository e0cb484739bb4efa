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

// noticesOf returns the notices of a user as kind, level, value and threshold.
func noticesOf(h *servicetest.Instance, t testing.TB, user string) string {
	t.Helper()
	var all []string
	for _, one := range servicetest.List(t, h.As(user, http.MethodGet, servicetest.NoticesPath, "").Wants(t, http.StatusOK), "notices") {
		n, _ := one.(servicetest.Record)
		all = append(all, strings.ReplaceAll(fmt.Sprint(n["kind"], " ", n["level"], " ", n["value"], " ", n["threshold"]), " <nil>", ""))
	}
	return strings.Join(all, ", ")
}

// use stores the number of invoices of an organisation in a month.
func use(h *servicetest.Instance, t testing.TB, o org.Organisation, month string, invoices int) {
	t.Helper()
	h.Exec(t, `DELETE FROM usage WHERE org_id = $1 AND month = $2`, o.ID.String(), month)
	h.Exec(t, `INSERT INTO usage (org_id, month, invoices, validations) VALUES ($1, $2, $3, 0)`, o.ID.String(), month, invoices)
}

func TestNotices_AllowanceAt80_100_105Percent(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		user := h.Session(org.ViewInvoice, h.Org)
		other := h.Organisation("Other", "business")
		use(h, t, other, "2026-11-01", 5500)
		use(h, t, h.Org, "2026-10-01", 5500)
		for used, want := range map[int]string{
			3999: "", 4000: "allowance info 80 80", 4999: "allowance info 99 80", 5000: "allowance warning 100 100",
			5249: "allowance warning 104 100", 5250: "allowance critical 105 105", 5500: "allowance critical 110 105",
		} {
			use(h, t, h.Org, "2026-11-01", used)
			servicetest.Same(t, fmt.Sprint("notices with ", used, " invoices"), noticesOf(h, t, user), want)
		}
		use(h, t, h.Org, "2026-11-01", 4003)
		list := h.As(user, http.MethodGet, servicetest.NoticesPath, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "the notice", servicetest.First(t, list["notices"]), servicetest.Record{
			"id": "allowance:2026-11:80", "kind": "allowance", "level": "info", "value": servicetest.Number(80), "threshold": servicetest.Number(80),
			"message": "4003 of the 5000 invoices of this month's plan are used.", "message_ar": "استُهلك هذا الشهر 4003 من 5000 فاتورة في الباقة.",
			"fix": "Choose a larger plan if you need more invoices this month.", "fix_ar": "اختر باقة أكبر إن احتجت فواتير أكثر هذا الشهر.",
			"subject": nil, "since": nil, "read": false,
		})
		unlimited := h.Organisation("Large", "enterprise")
		use(h, t, unlimited, "2026-11-01", 1_000_000)
		servicetest.Same(t, "notices of an unlimited plan", noticesOf(h, t, h.Session(org.Admin, unlimited)), "")
		h.Clock.Advance(16 * 24 * time.Hour)
		servicetest.Same(t, "notices in the next month", noticesOf(h, t, h.Session(org.Admin, h.Org)), "")
	})
}

func TestNotices_CertificatesAt60_30_7_1Days(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		end := h.Clock.Now().Add(61 * 24 * time.Hour)
		d := h.Device(h.Org, func(d *device.Device) { d.Production.NotAfter = end })
		h.Device(h.Organisation("Other", "business"), func(d *device.Device) { d.Production.NotAfter = h.Clock.Now() })
		for _, c := range []struct {
			left int
			want string
		}{
			{61, ""}, {60, "certificate info 60 60"}, {31, "certificate info 31 60"}, {30, "certificate warning 30 30"}, {8, "certificate warning 8 30"},
			{7, "certificate critical 7 7"}, {2, "certificate critical 2 7"}, {1, "certificate critical 1 1"}, {0, "certificate critical 0 0"},
		} {
			h.Clock.Advance(end.Add(-time.Duration(c.left) * 24 * time.Hour).Sub(h.Clock.Now()))
			servicetest.Same(t, fmt.Sprint("notices with ", c.left, " days left"), noticesOf(h, t, h.Session(org.ViewInvoice, h.Org)), c.want)
		}
		list := h.As(h.Session(org.ViewInvoice, h.Org), http.MethodGet, servicetest.NoticesPath, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "subject", servicetest.First(t, list["notices"])["subject"], any(servicetest.Record{"type": "device", "uuid": d.ID.String()}))
	})
}

func TestNotices_UnreportedAt6_12_20Hours(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop := h.NewSeller()
		shop.Created(shop.Standard())
		begun := h.Clock.Now()
		id := shop.Created(shop.Simplified())
		for _, c := range []struct {
			hours int
			want  string
		}{
			{5, ""}, {6, "unreported info 6 6"}, {11, "unreported info 11 6"}, {12, "unreported warning 12 12"}, {19, "unreported warning 19 12"},
			{20, "unreported critical 20 20"}, {25, "unreported critical 25 20"},
		} {
			h.Clock.Advance(begun.Add(time.Duration(c.hours) * time.Hour).Sub(h.Clock.Now()))
			servicetest.Same(t, fmt.Sprint("notices after ", c.hours, " hours"), noticesOf(h, t, h.Session(org.ViewInvoice, h.Org)), c.want)
		}
		list := h.As(h.Session(org.ViewInvoice, h.Org), http.MethodGet, servicetest.NoticesPath, "").Wants(t, http.StatusOK)
		servicetest.Same(t, "subject", servicetest.First(t, list["notices"])["subject"], any(servicetest.Record{"type": "invoice", "uuid": id.String()}))
		other := h.Organisation("Other", "business")
		servicetest.Same(t, "notices of another organisation", noticesOf(h, t, h.Session(org.Admin, other)), "")
	})
}

func TestNotices_UnprovenChainAndCorruptedBytes(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		shop, other := h.NewSeller(), h.Organisation("Other", "business")
		id := shop.Created(shop.Simplified())
		user, stranger := h.Session(org.ViewInvoice, h.Org), h.Session(org.Admin, other)
		if _, err := h.Corrupter(t, 1).Db.Exec(`UPDATE document SET qr = 'damaged' WHERE invoice_id = $1`, id.String()); err != nil {
			t.Fatal(err)
		}
		if got := h.Call(http.MethodGet, shop.Address+id.String()+"/", ""); got.Status != http.StatusServiceUnavailable {
			t.Fatalf("read of a damaged invoice: got %d %s, want 503", got.Status, got.Body)
		}
		if err := h.Service.Store().KeepDamage(t.Context()); err != nil {
			t.Fatal(err)
		}
		servicetest.Same(t, "notices", noticesOf(h, t, user), "corrupted critical 1")
		servicetest.Same(t, "notices of another organisation", noticesOf(h, t, stranger), "")
		if err := h.Service.Store().StopIssuing(t.Context(), "restored from /backups/secret"); err != nil {
			t.Fatal(err)
		}
		servicetest.Same(t, "notices", noticesOf(h, t, user), "unproven_chain critical, corrupted critical 1")
		servicetest.Same(t, "notices of another organisation", noticesOf(h, t, stranger), "unproven_chain critical")
		if body := h.As(user, http.MethodGet, servicetest.NoticesPath, "").Body; strings.Contains(body, "/backups") {
			t.Errorf("the notices contain the reason for the operator: %s", body)
		}
	})
}

// Each person marks notices as read for themselves.
func TestNotices_ReadByOnePerson(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		noura, fahd := h.Session(org.ViewInvoice, h.Org), h.Session(org.Admin, h.Org)
		use(h, t, h.Org, "2026-11-01", 4000)
		read := func(user, body string) servicetest.Answer {
			return h.As(user, http.MethodPost, servicetest.NoticesPath+"read/", body)
		}
		unread := func(user string) any {
			return h.As(user, http.MethodGet, servicetest.NoticesPath, "").Wants(t, http.StatusOK)["unread"]
		}
		got := read(noura, `{"ids":["allowance:2026-11:80","forged:notice"]}`).Wants(t, http.StatusOK)
		servicetest.Same(t, "the answer", got, h.As(noura, http.MethodGet, servicetest.NoticesPath, "").Wants(t, http.StatusOK))
		servicetest.Same(t, "read", servicetest.First(t, got["notices"])["read"], any(true))
		servicetest.Same(t, "unread of the reader", unread(noura), any(servicetest.Number(0)))
		servicetest.Same(t, "unread of another member", unread(fahd), any(servicetest.Number(1)))
		if strings.Contains(h.CopyDatabase(), "forged:notice") {
			t.Error("the id of a notice that does not exist was stored")
		}
		use(h, t, h.Org, "2026-11-01", 5000)
		servicetest.Same(t, "unread at the next threshold", unread(noura), any(servicetest.Number(1)))
		for _, body := range []string{`{}`, `{"ids":[]}`, `{"ids":[7]}`, `{"ids":"allowance:2026-11:80"}`} {
			if got := read(noura, body).Problems(t); len(got) != 1 || !strings.HasPrefix(got[0], "ids") {
				t.Errorf("%s: problems = %q, want one of ids", body, got)
			}
		}
	})
}
