package export_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/export"
	"khatm/service/internal/org"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/simulator"
)

// The period that the tests export.
const (
	firstDay = "2026-01-01"
	lastDay  = "2026-03-31"
)

// business is a service with two organisations and a simulator, whose clocks move
// only when the test advances them.
type business struct {
	*servicetest.Sending
	t      *testing.T
	clock  *testtool.Clock
	shops  []*servicetest.Seller // two devices of the first organisation, one of the second
	issued int                   // number of documents in the period
	bodies int                   // to make request bodies unique
}

// newQuarter returns a business that issued documents of all kinds and statuses in
// the period, and some before and after it.
func newQuarter(t *testing.T, engine servicetest.Engine) *business {
	t.Helper()
	begin := time.Date(2025, 12, 30, 9, 0, 0, 0, time.UTC)
	b := &business{t: t, clock: testtool.NewClock(begin)}
	sim := servicetest.OpenAuthority(t, simulator.Config{Now: b.clock.Now, Seed: 1})
	warned := 0
	sim.Forged(func(answer []byte) (int, []byte) { // every third cleared document has a warning
		if !bytes.Contains(answer, []byte(`"clearanceStatus":"CLEARED"`)) {
			return http.StatusBadRequest, answer
		}
		if warned++; warned%3 != 0 {
			return http.StatusOK, answer
		}
		const warning = `"warningMessages":[{"type":"WARNING","code":"BR-KSA-63","category":"KSA","message":"a warning","status":"WARNING"}]`
		answer = bytes.Replace(answer, []byte(`"warningMessages":[]`), []byte(warning), 1)
		return http.StatusAccepted, bytes.Replace(answer, []byte(`"status":"PASS"`), []byte(`"status":"WARNING"`), 1)
	})
	b.Sending = sim.Open(t, func(c *server.Config) {
		engine.Set(t, c)
		c.Now = b.clock.Now
		c.Boot = func() time.Duration { return b.clock.Now().Sub(begin) }
	})
	b.open()
	b.trade(1) // before the period
	for _, days := range []int{7, 31, 33} {
		b.clock.Advance(time.Duration(days) * 24 * time.Hour)
		b.issued += b.trade(timesAMonth())
	}
	b.clock.Advance(30 * 24 * time.Hour)
	b.trade(1) // after the period
	return b
}

// timesAMonth returns how often a business trades in each month of the quarter.
func timesAMonth() int { return testtool.Scale(1, 1, 3) }

// open creates the organisations and their devices.
func (b *business) open() {
	b.t.Helper()
	office := b.NewSeller()
	office.Device = b.Onboarded(b.Org)
	till := *office
	till.Device = b.Onboarded(b.Org)
	second := *b.Instance
	second.Org = b.Organisation("Second Trading", "business")
	second.Key = b.NewKey(second.Org, org.CreateInvoice)
	other := second.SellerOf(second.Org)
	other.Device = b.Onboarded(second.Org)
	other.Buyer = second.Client(second.Org, `+Buyer, "A & B" <Co>`)
	b.shops = []*servicetest.Seller{office, &till, other}
}

// trade issues some documents on each device, waits for their answers and returns
// their number.
func (b *business) trade(rounds int) (n int) {
	b.t.Helper()
	var ids []uuid.UUID
	for range rounds {
		office, till, other := b.shops[0], b.shops[1], b.shops[2]
		rejected := b.reject(other) // first, because nothing else is being sent
		sale := b.issue(office, office.Standard(b.fields()))
		ids = append(ids, rejected, sale, b.issue(office, office.Standard(b.fields())), b.issue(till, till.Simplified(b.fields())), b.issue(till, till.Simplified(b.fields())),
			b.issue(other, other.Standard(b.fields())))
		office.Final(sale)
		for _, kind := range []int{381, 383} {
			ids = append(ids, b.issue(office, office.Standard(b.fields(), servicetest.Fields{
				"type_code": kind, "original_invoice_reference": []uuid.UUID{sale}, "reason_id": office.Reason.ID,
				"form_lines": []any{office.Line(servicetest.Fields{"invoiced_quantity": 1})},
			})))
		}
		for i, id := range ids {
			shop := office
			if i%8 == 0 || i%8 == 5 {
				shop = other
			}
			servicetest.Eventually(b.t, "a final status", func() bool { return shop.Status(id).Final() })
		}
	}
	return len(ids)
}

// reject issues a document that the authority rejects.
func (b *business) reject(shop *servicetest.Seller) uuid.UUID {
	b.t.Helper()
	b.Authority.Reject("BR-KSA-84")
	id := b.issue(shop, shop.Simplified(b.fields()))
	servicetest.Eventually(b.t, "a final status", func() bool { return shop.Status(id).Final() })
	return id
}

func (b *business) issue(shop *servicetest.Seller, body string) uuid.UUID {
	b.t.Helper()
	b.clock.Advance(time.Second)
	return shop.Created(body)
}

// fields returns the supply date of today and a note that makes the body unique.
func (b *business) fields() servicetest.Fields {
	b.bodies++
	today := b.clock.Now().Format(time.DateOnly)
	return servicetest.Fields{"supply_date": today, "supply_end_date": today, "notes": servicetest.Note(fmt.Sprint("document ", b.bodies))}
}

// export exports a period.
func (b *business) export(of uuid.UUID, from, to string) *exported {
	b.t.Helper()
	dir := filepath.Join(b.t.TempDir(), "export")
	result, err := export.Write(context.Background(), export.Config{
		Store: b.Service.Store(), From: from, To: to, Organisation: of, Program: "test", Now: b.clock.Now,
	}, dir)
	if err != nil {
		b.t.Fatal(err)
	}
	return &exported{t: b.t, dir: dir, result: result}
}

// exported is an export in a folder.
type exported struct {
	t      *testing.T
	dir    string
	result export.Result
}

// tools skips the test if a program that verify.sh uses is not installed.
func tools(t *testing.T) {
	t.Helper()
	for _, path := range []string{testtool.Path(t, "openssl"), testtool.Path(t, "xmllint"), testtool.Path(t, "jq")} {
		t.Log(path)
	}
}

// verify runs verify.sh and returns its output and whether it found nothing.
func (x *exported) verify(args ...string) (output string, sound bool) {
	x.t.Helper()
	command := exec.Command("sh", append(append([]string{"verify.sh"}, args...), ".")...)
	command.Dir = x.dir
	out, err := command.CombinedOutput()
	if err != nil && command.ProcessState.ExitCode() != 1 {
		x.t.Fatalf("verify.sh: %v\n%s", err, out)
	}
	return string(out), err == nil
}
