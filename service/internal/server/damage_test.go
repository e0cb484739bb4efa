package server_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store"
	"khatm/simulator"
)

// flips returns how many bits to flip: few, or 1,000 with KHATM_TORTURE=1.
func flips(few int) int {
	if testtool.Torture() {
		return 1000
	}
	return few
}

// flipTarget is a column to damage.
type flipTarget struct{ table, column string }

// targets returns the columns that are shown, sent, or used to verify others.
func targets(v *servicetest.Corrupter) []flipTarget {
	columns := map[string]string{
		"document": "record xml xml xml qr digest xml_digest",
		"invoice": `ref_num task_id counter hash previous_hash type_code transaction_code issue_date issue_time issued_at created_at
			currency buyer_name without_vat vat with_vat payable body_digest status code submitted_at answered_at cleared_qr answer_digest`,
		"verdict": "route status code result infos warnings errors stamped stamped answered_at digest stamped_digest",
	}
	if !v.Postgres { // PostgreSQL refuses these because of foreign keys
		columns["invoice"] += " id device_id org_id"
		columns["verdict"] += " invoice_id"
	}
	var all []flipTarget
	for table, names := range columns {
		for name := range strings.FieldsSeq(names) {
			all = append(all, flipTarget{table, name})
		}
	}
	slices.SortFunc(all, func(a, b flipTarget) int { return strings.Compare(a.table+a.column, b.table+b.column) })
	return all
}

// flip changes one bit of a value of an invoice and returns a function that
// undoes it, or nil if the value is missing or cannot be changed.
func flip(v *servicetest.Corrupter, at flipTarget, id uuid.UUID) (undo func()) {
	v.TB.Helper()
	key := "invoice_id"
	if at.table == "invoice" {
		key = "id"
	}
	where := ` WHERE CAST(` + key + ` AS TEXT) = $1`
	var was any
	err := v.Db.QueryRow(`SELECT `+at.column+` FROM `+at.table+where, id.String()).Scan(&was)
	if err != nil || was == nil || was == "" {
		return nil // the invoice has no such value
	}
	is := bent(v, was)
	place := ``
	switch {
	case v.Postgres && at.column == "task_id":
		place = `CAST($2 AS uuid)`
	default:
		place = `$2`
	}
	if _, err := v.Db.Exec(`UPDATE `+at.table+` SET `+at.column+` = `+place+where, id.String(), is); err != nil {
		return nil // PostgreSQL checks the type
	}
	if key == at.column { // find the row by its new key
		id = uuid.Nil
		where = ` WHERE CAST(` + key + ` AS TEXT) = CAST($1 AS TEXT)`
	}
	return func() {
		v.TB.Helper()
		by := any(id.String())
		if id == uuid.Nil {
			by = is
		}
		if _, err := v.Db.Exec(`UPDATE `+at.table+` SET `+at.column+` = `+place+where, by, was); err != nil {
			v.TB.Fatal(err)
		}
	}
}

// bent returns a value with one bit flipped. PostgreSQL accepts only UTF-8, so
// there only ASCII characters are changed, to other ASCII characters.
func bent(v *servicetest.Corrupter, value any) any {
	switch value := value.(type) {
	case int64:
		return value ^ 1<<v.Random.IntN(10)
	case string:
		text := []byte(value)
		for {
			at := v.Random.IntN(len(text))
			bit := byte(1) << v.Random.IntN(8)
			if c := text[at] ^ bit; !v.Postgres || text[at] < 0x80 && c < 0x80 && c > 0 {
				text[at] = c
				return string(text)
			}
		}
	case []byte:
		data := bytes.Clone(value)
		data[v.Random.IntN(len(data))] ^= 1 << v.Random.IntN(8)
		return data
	}
	v.TB.Fatalf("cannot flip a bit of a %T", value)
	return nil
}

// responses holds the response of each view of an invoice, by the name of the
// view.
type responses map[string]servicetest.Answer

// shows requests all views of an invoice.
func shows(t *servicetest.Seller, id uuid.UUID, token string) responses {
	t.TB.Helper()
	path := "/v1/api/invoices/" + id.String() + "/"
	return responses{
		"invoice": t.Call(http.MethodGet, path, ""),
		"PDF":     t.Call(http.MethodGet, path+"pdf-a3/", ""),
		"shared":  t.As("", http.MethodGet, servicetest.SharedAt(token, ""), ""),
		"page":    t.Page(http.MethodGet, "/s/"+token),
	}
}

// response is an invoice with its views before the damage.
type response struct {
	id     uuid.UUID
	token  string
	number string
	shown  responses
	row    string // its row in the list
}

// rows returns the rows of the list as JSON, by id.
func rows(t *servicetest.Seller, tt testing.TB) map[string]string {
	tt.Helper()
	rows := map[string]string{}
	for _, row := range servicetest.List(tt, t.Call(http.MethodGet, "/v1/api/invoices/?page_size=100", "").Wants(tt, http.StatusOK), "invoices") {
		rows[servicetest.TextIn(row, "uuid")] = servicetest.AsJSON(tt, row)
	}
	return rows
}

// answeredInvoices creates invoices of several kinds and returns them once the
// authority has answered.
func answeredInvoices(t *servicetest.Seller, tt testing.TB) (all []*response) {
	tt.Helper()
	for _, body := range []string{
		t.Standard(), t.Standard(servicetest.Fields{"notes": servicetest.Note("second")}), t.Simplified(), t.Simplified(servicetest.Fields{"notes": servicetest.Note("second")}),
		t.Standard(servicetest.Fields{"form_lines": []any{t.Line(servicetest.Fields{"vat_rate": 10})}}),
	} {
		id := t.Created(body)
		token := t.TokenOf(id)
		t.Final(id)
		all = append(all, &response{id: id, token: token})
	}
	rows := rows(t, tt)
	for _, e := range all {
		e.shown, e.row = shows(t, e.id, e.token), rows[e.id.String()]
		e.number = servicetest.TextIn(t.Full(e.id), "ref_num")
	}
	return all
}

// eachVisited runs a test on a service without rate limits for share links.
func eachVisited(t *testing.T, test func(t *testing.T, s *servicetest.Sending)) {
	t.Helper()
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			test(t, servicetest.OpenAuthority(t, simulator.Config{Mood: "polite", Seed: 1}).Open(t, func(c *server.Config) {
				engine.Set(t, c)
				c.Rates.PublicDaily, c.Rates.PublicMonthly, c.Rates.SharedHourly = 1<<30, 1<<30, 1<<30
			}))
		})
	}
}

// After a bit of a stored invoice is flipped, each of its views is unchanged or
// refused, the list still works, and a scrub finds the invoice.
func TestReliability_FlippedBytesAreNotServed(t *testing.T) {
	t.Parallel()
	eachVisited(t, func(t *testing.T, s *servicetest.Sending) {
		shop := s.OnboardedSeller()
		invoices := answeredInvoices(shop, t)
		v := s.Corrupter(t, 16)
		targets := targets(v)
		refused, done := map[string]int{}, 0
		for tries := 0; done < flips(8) && tries < 20*flips(8); tries++ {
			e, at := invoices[v.Random.IntN(len(invoices))], targets[v.Random.IntN(len(targets))]
			undo := flip(v, at, e.id)
			if undo == nil {
				continue
			}
			done++
			checkViews(shop, t, invoices, e, at, refused)
			undo()
		}
		refersToDamaged(shop, t, v)
		for _, e := range invoices { // everything is restored
			for what, got := range shows(shop, e.id, e.token) {
				if got.Status != e.shown[what].Status {
					t.Errorf("after the undo, the %s of %s: got %d, want %d", what, e.id, got.Status, e.shown[what].Status)
				}
			}
		}
		found, err := s.Service.Store().Scrub(t.Context(), store.Position{}, store.Scrubbing{Rate: 1 << 30})
		if err != nil || len(found.Damaged) != 0 {
			t.Errorf("after the undo, the scrub finds %v, %v; want no damage", found.Damaged, err)
		}
		servicetest.ReportScenario(t, "a flipped bit in what is stored, "+s.Engine(), fmt.Sprintf("%d flips", done), 16, fmt.Sprintf("0 served; reads refused: %v", refused))
	})
}

// checkViews checks all views after a flip in one invoice.
func checkViews(t *servicetest.Seller, tt *testing.T, all []*response, bent *response, at flipTarget, refused map[string]int) {
	tt.Helper()
	what := at.table + "." + at.column
	for view, got := range shows(t, bent.id, bent.token) {
		want := bent.shown[view]
		switch {
		case got.Status == want.Status && (got.Body == want.Body || got.Status != http.StatusOK):
		case got.Status == http.StatusServiceUnavailable && (view == "page" || strings.Contains(got.Body, "damaged")):
			refused[view]++
		case slices.Contains([]string{"org_id", "id", "status"}, at.column) && got.Status == http.StatusNotFound && view != "invoice": // no longer reachable
			refused[view]++
		default:
			tt.Errorf("%s flipped: the %s is %d, want %d as before or 503: %.300s", what, view, got.Status, want.Status, got.Body)
		}
	}
	t.Call(http.MethodGet, "/v1/api/invoices/?page_size=100&date_from=2000-01-01&type_code=388", "").Wants(tt, http.StatusOK)
	rows := rows(t, tt)
	for _, e := range all {
		row := rows[e.id.String()]
		corrupted := servicetest.AsJSON(tt, servicetest.Record{"uuid": e.id.String(), "ref_num": e.number, "corrupted": true})
		numberless := servicetest.AsJSON(tt, servicetest.Record{"uuid": e.id.String(), "ref_num": "", "corrupted": true})
		switch {
		case row == e.row:
		case e == bent && (row == corrupted || row == numberless):
			refused["list"]++
		case e == bent && (at.column == "id" || at.column == "org_id") && row == "": // it has another id
			refused["list"]++
		default:
			tt.Errorf("%s of %s flipped: the list shows %s as %.300s", what, bent.id, e.id, row)
		}
	}
	found, err := t.Service.Store().Scrub(context.Background(), store.Position{}, store.Scrubbing{Rate: 1 << 30})
	if err != nil || len(found.Damaged) != 1 || found.Damaged[0].Invoice != bent.id && at.column != "id" && at.column != "org_id" {
		tt.Errorf("%s of %s flipped: the scrub finds %+v, %v; want this invoice", what, bent.id, found.Damaged, err)
	}
}

// Documents that are damaged before they are sent are held; the others are
// sent.
func TestReliability_FlippedBytesAreNotSent(t *testing.T) {
	t.Parallel()
	for _, engine := range servicetest.UsualEngines() {
		t.Run(engine.Name, func(t *testing.T) {
			t.Parallel()
			sim := servicetest.OpenAuthority(t, simulator.Config{Mood: "polite", Seed: 1})
			before := sim.Open(t, func(c *server.Config) {
				engine.Set(t, c)
				c.Sending.Paused = true
			})
			shop := before.OnboardedSeller()
			if err := before.Service.Store().Subscribe(t.Context(), before.Operator(before.Org), "enterprise"); err != nil {
				t.Fatal(err)
			}
			var whole, damaged []uuid.UUID
			v := before.Corrupter(t, 17)
			for n := range flips(9) {
				damaged = append(damaged, shop.Created(shop.Simplified(servicetest.Fields{"notes": servicetest.Note("damaged " + strconv.Itoa(n))})))
				if n%4 == 0 {
					whole = append(whole, shop.Created(shop.Simplified(servicetest.Fields{"notes": servicetest.Note("whole " + strconv.Itoa(n))})))
				}
			}
			columns := []flipTarget{
				{"document", "xml"}, {"document", "xml"}, {"document", "xml_digest"}, {"document", "record"}, {"invoice", "hash"},
				{"document", "qr"}, {"invoice", "ref_num"}, {"invoice", "previous_hash"}, {"document", "digest"},
			}
			if !v.Postgres { // PostgreSQL refuses this because of foreign keys
				columns[4] = flipTarget{"invoice", "id"}
			}
			checkStored(t, before.Service.Store(), before.Clock.Now())
			for n, id := range damaged {
				for flip(v, columns[n%len(columns)], id) == nil { // until one can be flipped
				}
			}
			before.HTTP.Close()
			before.Service.Close()
			after := sim.Open(t, func(c *server.Config) { c.Data, c.Database = before.Data, before.Database })
			shop.Instance = after.Instance
			shop.Key = before.Key
			for _, id := range whole {
				servicetest.Equal(t, "status", shop.Final(id)["authority_response_status"], any("REPORTED"))
			}
			stopped := func() (n int) {
				if err := v.Db.QueryRow(`SELECT count(*) FROM submission WHERE state = 'held' AND stopped = 'damaged'`).Scan(&n); err != nil {
					t.Fatal(err)
				}
				return n
			}
			servicetest.Eventually(t, "the damaged ones are held", func() bool { return stopped() == len(damaged) })
			sent := map[string]bool{}
			for _, e := range sim.Journal() {
				sent[e.UUID] = true
			}
			for _, id := range damaged {
				if sent[id.String()] {
					t.Errorf("damaged document %s was sent", id)
				}
			}
			again := shop.Resend(damaged[0])
			if again.Status != http.StatusServiceUnavailable || !strings.Contains(again.Body, "damaged") {
				t.Errorf("resend of a damaged document: got %d %s, want 503", again.Status, again.Body)
			}
			servicetest.Eventually(t, "the damage is counted", func() bool {
				return strings.Contains(metrics(after.Instance, t), fmt.Sprintf("khatm_documents_damaged %d\n", len(damaged)))
			})
			servicetest.ReportScenario(t, "a flipped bit before sending, "+engine.Name, fmt.Sprintf("%d flips", len(damaged)), 17, fmt.Sprintf("0 sent, %d held; %d whole ones sent", len(damaged), len(whole)))
		})
	}
}

// checkStored completes the regular check of stored documents, so that the servers do
// not make it later: an invoice whose id is flipped would be counted under both ids.
func checkStored(t *testing.T, kept *store.Store, now time.Time) {
	t.Helper()
	ctx, lease := context.Background(), now.Add(time.Minute)
	servicetest.Eventually(t, "the check of stored documents has ended", func() bool {
		if last, err := kept.LastScrub(ctx); err != nil || last != nil {
			return err == nil
		}
		from, due, err := kept.TakeScrub(ctx, now, lease)
		if err != nil || !due { // the server makes it
			return false
		}
		done, err := kept.Scrub(ctx, from, store.Scrubbing{Rate: 1 << 30})
		if err := errors.Join(err, kept.LeaveScrub(ctx, lease, done)); err != nil {
			t.Fatal(err)
		}
		return done.Done
	})
}

// metrics returns the Prometheus metrics.
func metrics(h *servicetest.Instance, t testing.TB) string {
	t.Helper()
	w := httptest.NewRecorder()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	h.Service.Operations().ServeHTTP(w, r)
	return w.Body.String()
}

// refersToDamaged checks that a note cannot refer to a damaged original, and
// that a repeated request neither returns a damaged invoice nor issues another.
func refersToDamaged(t *servicetest.Seller, tt *testing.T, v *servicetest.Corrupter) {
	tt.Helper()
	body := t.Simplified(servicetest.Fields{"notes": servicetest.Note("to be damaged")})
	id := uuid.MustParse(servicetest.TextIn(t.CreateAs("ticket-1", body).Wants(tt, http.StatusAccepted), "invoice_uuid"))
	t.Final(id)
	undo := flip(v, flipTarget{"document", "record"}, id)
	credit := t.Simplified(servicetest.Fields{"type_code": 381, "original_invoice_reference": []any{id}, "reason_id": t.Reason.ID, "payment_means_type_code": "30"})
	for what, got := range map[string]servicetest.Answer{"a credit note": t.Create(credit), "the same again": t.CreateAs("ticket-1", body)} {
		if got.Status != http.StatusServiceUnavailable || !strings.Contains(got.Body, "damaged") {
			tt.Errorf("%s: got %d %s, want 503", what, got.Status, got.Body)
		}
	}
	undo()
	servicetest.Equal(tt, "the same again", servicetest.TextIn(t.CreateAs("ticket-1", body).Wants(tt, http.StatusAccepted), "invoice_uuid"), id.String())
	t.Create(credit).Wants(tt, http.StatusAccepted)
}
