package service_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/server"
	"khatm/service/internal/store"
	"khatm/simulator"
)

// flips is how many bytes are flipped: a few, or 1,000 under KHATM_TORTURE=1.
func flips(few int) int {
	if torturing() {
		return 1000
	}
	return few
}

// vandal flips bytes in a database behind the service's back.
type vandal struct {
	t        testing.TB
	db       *sql.DB
	random   *rand.Rand
	postgres bool
}

// vandal takes the triggers and checks away that would keep it from its work.
func (h *house) vandal(t testing.TB, seed uint64) *vandal {
	t.Helper()
	v := &vandal{t: t, random: rand.New(rand.NewPCG(seed, 6)), postgres: h.database != ""}
	driver, source := "pgx", h.database
	if !v.postgres {
		driver, source = "sqlite", "file:"+(&url.URL{Path: filepath.Join(h.data, "khatm.db")}).EscapedPath()+"?_pragma=busy_timeout(10000)&_pragma=ignore_check_constraints(1)"
	}
	var err error
	if v.db, err = sql.Open(driver, source); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.db.Close() })
	for trigger, table := range map[string]string{
		"invoice_is_final": "invoice", "invoice_answer_is_final": "invoice", "invoice_code_is_final": "invoice", "invoice_answer_digest_is_final": "invoice",
		"document_is_final": "document", "verdict_is_final": "verdict",
	} {
		if v.postgres {
			trigger += " ON " + table
		}
		if _, err := v.db.Exec(`DROP TRIGGER ` + trigger); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// flipTarget is a column to be damaged.
type flipTarget struct{ table, column string }

// targets are the columns that are served, sent or prove the others.
func (v *vandal) targets() []flipTarget {
	columns := map[string]string{
		"document": "record xml xml xml qr digest xml_digest",
		"invoice": `ref_num task_id counter hash previous_hash type_code transaction_code issue_date issue_time issued_at created_at
			currency buyer_name without_vat vat with_vat payable body_digest status code submitted_at answered_at cleared_qr answer_digest`,
		"verdict": "route status code result infos warnings errors stamped stamped answered_at digest stamped_digest",
	}
	if !v.postgres { // which refuses these, because others refer to them
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

// flip changes one bit of a value of an invoice and returns what undoes it, or
// nil where nothing can be flipped.
func (v *vandal) flip(at flipTarget, id uuid.UUID) (undo func()) {
	v.t.Helper()
	key := "invoice_id"
	if at.table == "invoice" {
		key = "id"
	}
	where := ` WHERE CAST(` + key + ` AS TEXT) = $1`
	var was any
	err := v.db.QueryRow(`SELECT `+at.column+` FROM `+at.table+where, id.String()).Scan(&was)
	if err != nil || was == nil || was == "" {
		return nil // the invoice has no such thing
	}
	is := v.bent(was)
	place := ``
	switch {
	case v.postgres && at.column == "task_id":
		place = `CAST($2 AS uuid)`
	default:
		place = `$2`
	}
	if _, err := v.db.Exec(`UPDATE `+at.table+` SET `+at.column+` = `+place+where, id.String(), is); err != nil {
		return nil // PostgreSQL checks what SQLite was told not to
	}
	if key == at.column { // it is found by its new key
		id = uuid.Nil
		where = ` WHERE CAST(` + key + ` AS TEXT) = CAST($1 AS TEXT)`
	}
	return func() {
		v.t.Helper()
		by := any(id.String())
		if id == uuid.Nil {
			by = is
		}
		if _, err := v.db.Exec(`UPDATE `+at.table+` SET `+at.column+` = `+place+where, by, was); err != nil {
			v.t.Fatal(err)
		}
	}
}

// bent is a value with one bit flipped. PostgreSQL takes no text that is not
// UTF-8, so that there only letters and digits are bent into others.
func (v *vandal) bent(value any) any {
	switch value := value.(type) {
	case int64:
		return value ^ 1<<v.random.IntN(10)
	case string:
		text := []byte(value)
		for {
			at := v.random.IntN(len(text))
			bit := byte(1) << v.random.IntN(8)
			if c := text[at] ^ bit; !v.postgres || text[at] < 0x80 && c < 0x80 && c > 0 {
				text[at] = c
				return string(text)
			}
		}
	case []byte:
		data := bytes.Clone(value)
		data[v.random.IntN(len(data))] ^= 1 << v.random.IntN(8)
		return data
	}
	v.t.Fatalf("%T cannot be bent", value)
	return nil
}

// gallery is everything that is shown of an invoice.
type gallery map[string]answer

// shows looks at an invoice in all the ways there are.
func (t *till) shows(id uuid.UUID, token string) gallery {
	t.t.Helper()
	path := "/v1/api/invoices/" + id.String() + "/"
	return gallery{
		"invoice": t.call(http.MethodGet, path, ""),
		"PDF":     t.call(http.MethodGet, path+"pdf-a3/", ""),
		"shared":  t.as("", http.MethodGet, sharedAt(token, ""), ""),
		"page":    t.page(http.MethodGet, "/s/"+token),
	}
}

// exhibit is an invoice of the test, as it was shown before anything happened.
type exhibit struct {
	id     uuid.UUID
	token  string
	number string
	shown  gallery
	row    string // in the list
}

// rows are the rows of the list, by id, as JSON.
func (t *till) rows(tt testing.TB) map[string]string {
	tt.Helper()
	rows := map[string]string{}
	for _, row := range list(tt, t.call(http.MethodGet, "/v1/api/invoices/?page_size=100", "").wants(tt, http.StatusOK), "invoices") {
		rows[textIn(row, "uuid")] = asJSON(tt, row)
	}
	return rows
}

// exhibits are invoices of every kind that the authority has judged.
func (t *till) exhibits(tt testing.TB) (all []*exhibit) {
	tt.Helper()
	for _, body := range []string{
		t.standard(), t.standard(fields{"notes": note("second")}), t.simplified(), t.simplified(fields{"notes": note("second")}),
		t.standard(fields{"form_lines": []any{t.line(fields{"vat_rate": 10})}}),
	} {
		id := t.created(body)
		token := t.tokenOf(id)
		t.final(id)
		all = append(all, &exhibit{id: id, token: token})
	}
	rows := t.rows(tt)
	for _, e := range all {
		e.shown, e.row = t.shows(e.id, e.token), rows[e.id.String()]
		e.number = textIn(t.full(e.id), "ref_num")
	}
	return all
}

// eachVisited runs a test on a service that lets visitors look as often as they
// like.
func eachVisited(t *testing.T, test func(t *testing.T, s *sending)) {
	t.Helper()
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			t.Parallel()
			test(t, openOffice(t, simulator.Config{Mood: "polite", Seed: 1}).opens(t, func(c *server.Config) {
				engine.set(t, c)
				c.Rates.PublicDaily, c.Rates.PublicMonthly, c.Rates.SharedHourly = 1<<30, 1<<30, 1<<30
			}))
		})
	}
}

// One bit is flipped in what is stored of an invoice: nothing of it is shown
// otherwise than before, the list still answers, and a scrub names the invoice.
func TestReliability_FlippedBytesAreNotServed(t *testing.T) {
	eachVisited(t, func(t *testing.T, s *sending) {
		shop := s.shop()
		exhibits := shop.exhibits(t)
		v := s.vandal(t, 16)
		targets := v.targets()
		refused, done := map[string]int{}, 0
		for tries := 0; done < flips(8) && tries < 20*flips(8); tries++ {
			e, at := exhibits[v.random.IntN(len(exhibits))], targets[v.random.IntN(len(targets))]
			undo := v.flip(at, e.id)
			if undo == nil {
				continue
			}
			done++
			shop.judges(t, exhibits, e, at, refused)
			undo()
		}
		shop.refersToDamaged(t, v)
		for _, e := range exhibits { // all is as it was
			for what, got := range shop.shows(e.id, e.token) {
				if got.status != e.shown[what].status {
					t.Errorf("afterwards the %s of %s is %d", what, e.id, got.status)
				}
			}
		}
		found, err := s.service.Store().Scrub(t.Context(), store.Position{}, store.Scrubbing{Rate: 1 << 30})
		if err != nil || len(found.Damaged) != 0 {
			t.Errorf("afterwards %v, %v", found.Damaged, err)
		}
		scenario(t, "a flipped bit in what is stored, "+s.engine(), fmt.Sprintf("%d flips", done), 16, fmt.Sprintf("0 served; reads refused: %v", refused))
	})
}

// judges looks at everything after a flip in one invoice.
func (t *till) judges(tt *testing.T, all []*exhibit, bent *exhibit, at flipTarget, refused map[string]int) {
	tt.Helper()
	what := at.table + "." + at.column
	for view, got := range t.shows(bent.id, bent.token) {
		want := bent.shown[view]
		switch {
		case got.status == want.status && (got.body == want.body || got.status != http.StatusOK):
		case got.status == http.StatusServiceUnavailable && (view == "page" || strings.Contains(got.body, "damaged")):
			refused[view]++
		case slices.Contains([]string{"org_id", "id", "status"}, at.column) && got.status == http.StatusNotFound && view != "invoice": // nothing leads to it any more
			refused[view]++
		default:
			tt.Errorf("%s: the %s is %d, was %d: %.300s", what, view, got.status, want.status, got.body)
		}
	}
	t.call(http.MethodGet, "/v1/api/invoices/?page_size=100&date_from=2000-01-01&type_code=388", "").wants(tt, http.StatusOK)
	rows := t.rows(tt)
	for _, e := range all {
		row := rows[e.id.String()]
		corrupted := asJSON(tt, record{"uuid": e.id.String(), "ref_num": e.number, "corrupted": true})
		numberless := asJSON(tt, record{"uuid": e.id.String(), "ref_num": "", "corrupted": true})
		switch {
		case row == e.row:
		case e == bent && (row == corrupted || row == numberless):
			refused["list"]++
		case e == bent && (at.column == "id" || at.column == "org_id") && row == "": // it has another one
			refused["list"]++
		default:
			tt.Errorf("%s of %s: the list shows %s as %.300s", what, bent.id, e.id, row)
		}
	}
	found, err := t.service.Store().Scrub(context.Background(), store.Position{}, store.Scrubbing{Rate: 1 << 30})
	if err != nil || len(found.Damaged) != 1 || found.Damaged[0].Invoice != bent.id && at.column != "id" && at.column != "org_id" {
		tt.Errorf("%s of %s: the scrub found %+v, %v", what, bent.id, found.Damaged, err)
	}
}

// Documents whose bytes are damaged before they are sent are never sent; the
// others are, and the damaged ones are shown as held.
func TestReliability_FlippedBytesAreNotSent(t *testing.T) {
	for _, engine := range engines() {
		t.Run(engine.name, func(t *testing.T) {
			t.Parallel()
			office := openOffice(t, simulator.Config{Mood: "polite", Seed: 1})
			before := office.opens(t, func(c *server.Config) {
				engine.set(t, c)
				c.Sending.Paused = true
			})
			shop := before.shop()
			if err := before.service.Store().Subscribe(t.Context(), before.operator(before.org), "enterprise"); err != nil {
				t.Fatal(err)
			}
			var whole, damaged []uuid.UUID
			v := before.vandal(t, 17)
			for n := range flips(9) {
				damaged = append(damaged, shop.created(shop.simplified(fields{"notes": note("damaged " + strconv.Itoa(n))})))
				if n%4 == 0 {
					whole = append(whole, shop.created(shop.simplified(fields{"notes": note("whole " + strconv.Itoa(n))})))
				}
			}
			columns := []flipTarget{
				{"document", "xml"}, {"document", "xml"}, {"document", "xml_digest"}, {"document", "record"}, {"invoice", "hash"},
				{"document", "qr"}, {"invoice", "ref_num"}, {"invoice", "previous_hash"}, {"document", "digest"},
			}
			if !v.postgres { // which refuses it, because others refer to it
				columns[4] = flipTarget{"invoice", "id"}
			}
			for n, id := range damaged {
				for v.flip(columns[n%len(columns)], id) == nil { // until one can be flipped
				}
			}
			before.server.Close()
			before.service.Close()
			after := office.opens(t, func(c *server.Config) { c.Data, c.Database = before.data, before.database })
			shop.house = after.house
			shop.key = before.key
			for _, id := range whole {
				equal(t, "status", shop.final(id)["authority_response_status"], any("REPORTED"))
			}
			stopped := func() (n int) {
				if err := v.db.QueryRow(`SELECT count(*) FROM submission WHERE state = 'held' AND stopped = 'damaged'`).Scan(&n); err != nil {
					t.Fatal(err)
				}
				return n
			}
			becomes(t, "the damaged ones are held", func() bool { return stopped() == len(damaged) })
			sent := map[string]bool{}
			for _, e := range office.journal() {
				sent[e.UUID] = true
			}
			for _, id := range damaged {
				if sent[id.String()] {
					t.Errorf("%s was sent", id)
				}
			}
			again := shop.resend(damaged[0])
			if again.status != http.StatusServiceUnavailable || !strings.Contains(again.body, "damaged") {
				t.Errorf("resend: %d %s", again.status, again.body)
			}
			becomes(t, "the damage is counted", func() bool {
				return strings.Contains(after.metrics(t), fmt.Sprintf("khatm_documents_damaged %d\n", len(damaged)))
			})
			scenario(t, "a flipped bit before sending, "+engine.name, fmt.Sprintf("%d flips", len(damaged)), 17, fmt.Sprintf("0 sent, %d held; %d whole ones sent", len(damaged), len(whole)))
		})
	}
}

// engine names the database.
func (h *house) engine() string {
	if h.database != "" {
		return "PostgreSQL"
	}
	return "SQLite"
}

// metrics is what Prometheus reads.
func (h *house) metrics(t testing.TB) string {
	t.Helper()
	w := httptest.NewRecorder()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	h.service.Operations().ServeHTTP(w, r)
	return w.Body.String()
}

// refersToDamaged demands that a note cannot refer to a damaged original, and
// that a create which is repeated is not answered from a damaged invoice, nor
// issued a second time.
func (t *till) refersToDamaged(tt *testing.T, v *vandal) {
	tt.Helper()
	body := t.simplified(fields{"notes": note("to be damaged")})
	id := uuid.MustParse(textIn(t.createAs("ticket-1", body).wants(tt, http.StatusAccepted), "invoice_uuid"))
	t.final(id)
	undo := v.flip(flipTarget{"document", "record"}, id)
	credit := t.simplified(fields{"type_code": 381, "original_invoice_reference": []any{id}, "reason_id": t.reason.ID, "payment_means_type_code": "30"})
	for what, got := range map[string]answer{"a credit note": t.create(credit), "the same again": t.createAs("ticket-1", body)} {
		if got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, "damaged") {
			tt.Errorf("%s: %d %s", what, got.status, got.body)
		}
	}
	undo()
	equal(tt, "the same again", textIn(t.createAs("ticket-1", body).wants(tt, http.StatusAccepted), "invoice_uuid"), id.String())
	t.create(credit).wants(tt, http.StatusAccepted)
}
