package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/device"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/notice"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

func simplified(e *issue.Entry) { e.Invoice.Transaction = invoice.Transaction{Simplified: true} }

func TestNoticeState(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		now := s.config.Now()
		state := func(by org.Actor) notice.State {
			n, err := s.NoticeState(s.ctx, by.Tenant, now)
			ok(t, err)
			return n
		}
		empty := state(s.by)
		usage, err := s.Usage(s.ctx, s.by.Tenant, now)
		ok(t, err)
		same(t, notice.State{Usage: usage, Expiring: []notice.Expiring{}})(empty, nil)

		// Certificates, the first to end first, of active devices only.
		until := func(end time.Time, change func(*device.Device)) notice.Expiring {
			d := sampleDevice(s.config.NewID(), nil)
			d.Retired, d.Production.NotAfter = false, end
			change(&d)
			ok(t, s.AddDevice(s.ctx, s.by, d))
			return notice.Expiring{Device: d.ID, Name: d.CommonName, Until: end}
		}
		unchanged := func(*device.Device) {}
		last := until(now.Add(notice.Horizon), unchanged)
		until(now.Add(notice.Horizon+time.Millisecond), unchanged)
		until(now, func(d *device.Device) { d.Retired = true })
		until(now, func(d *device.Device) { d.Status = device.CSRGenerated })
		first := until(now.Add(-time.Hour), unchanged)
		same(t, []notice.Expiring{first, last})(state(s.by).Expiring, nil)

		// The oldest simplified invoice without a final answer.
		shop := &seller{s, s.by, first.Device}
		shop.issue(asIs) // a standard invoice
		oldest, next := shop.issue(simplified), shop.issue(simplified)
		want := notice.Waiting{Invoice: oldest.ID, CreatedAt: now}
		same(t, want)(state(s.by).Oldest, nil)
		ok(t, s.Answer(s.ctx, s.by.Tenant, oldest.ID, ledger.NoResponse, now))
		same(t, want)(state(s.by).Oldest, nil)
		ok(t, s.Answer(s.ctx, s.by.Tenant, oldest.ID, ledger.Reported, now))
		same(t, next.ID)(state(s.by).Oldest.Invoice, nil)
		ok(t, s.Answer(s.ctx, s.by.Tenant, next.ID, ledger.NotReported, now))
		same(t, notice.Waiting{})(state(s.by).Oldest, nil)
		same(t, 3)(state(s.by).Usage.Invoices, nil)

		// Damaged documents.
		const damage = `INSERT INTO damage (org_id, invoice_id, ref_num, what, found_at) VALUES ($1, $2, '', 'the QR code', $3)`
		s.execute(damage, s.by.Tenant.ID().String(), next.ID.String(), 7)
		s.execute(damage, s.by.Tenant.ID().String(), oldest.ID.String(), 9)
		same(t, notice.Damaged{Documents: 2, Invoice: next.ID, First: time.UnixMilli(7).UTC(), Last: time.UnixMilli(9).UTC()})(state(s.by).Damaged, nil)

		// The other organisation has none of this, but shares the database.
		other := state(s.other)
		other.Usage = usage
		same(t, notice.State{Usage: usage, Expiring: []notice.Expiring{}})(other, nil)
		ok(t, s.StopIssuing(s.ctx, "restored"))
		same(t, now)(state(s.by).Stopped, nil)
		same(t, now)(state(s.other).Stopped, nil)
		if _, err := s.NoticeState(s.ctx, org.Tenant{}, now); err == nil {
			t.Error("notices of the zero tenant were read, want an error")
		}
	})
}

func TestNoticesRead(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		noura, _ := s.signedIn()
		fahd, _ := s.signedIn()
		read := func(by org.Actor, person uuid.UUID) map[string]bool {
			all, err := s.NoticesRead(s.ctx, by.Tenant, person)
			ok(t, err)
			return all
		}
		ok(t, s.ReadNotices(s.ctx, s.by.Tenant, noura.ID, []string{"a", "b"}))
		ok(t, s.ReadNotices(s.ctx, s.by.Tenant, noura.ID, []string{"b", "c"}))
		same(t, map[string]bool{"a": true, "b": true, "c": true})(read(s.by, noura.ID), nil)
		same(t, map[string]bool{})(read(s.by, fahd.ID), nil)
		same(t, map[string]bool{})(read(s.other, noura.ID), nil)
		if err := s.ReadNotices(s.ctx, org.Tenant{}, noura.ID, []string{"a"}); err == nil {
			t.Error("the zero tenant has read a notice, want an error")
		}
		// After more than a year only the new one is remembered.
		s.execute(`UPDATE notice_read SET read_at = read_at - $1`, (401 * 24 * time.Hour).Milliseconds())
		ok(t, s.ReadNotices(s.ctx, s.by.Tenant, noura.ID, []string{"d"}))
		same(t, map[string]bool{"d": true})(read(s.by, noura.ID), nil)
	})
}

// The oldest invoice is found without reading the others.
func TestOldestUnreported_ReadsAnIndex(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t))
	for _, query := range store.Oldest() {
		steps, err := store.Plan(t.Context(), s, query, uuid.Nil)
		if err != nil {
			t.Fatal(err)
		}
		plan := strings.Join(steps, "; ")
		if !strings.Contains(plan, "INDEX invoice_status (org_id=? AND status=?)") || strings.Contains(plan, "TEMP B-TREE") || strings.Contains(plan, "SCAN") {
			t.Errorf("query plan = %q, want the index invoice_status and no sort:\n%s", plan, query)
		}
	}
}
