package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/money"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/submit"
	"khatm/service/internal/trade"
)

// copied returns the configuration of a copy of the database as it is now.
func (s *fixture) copied() store.Config {
	s.t.Helper()
	c := s.config
	if c.URL == "" {
		c.Dir = s.t.TempDir()
		s.execute(`VACUUM INTO '` + filepath.Join(c.Dir, store.DatabaseFile) + `'`)
		return c
	}
	c.URL = storetest.NewPostgres(s.t).URL
	to := rawDatabase(s.t, c)
	to.SetMaxOpenConns(1)
	_, err := to.Exec(`SET session_replication_role = replica`) // no foreign keys and no triggers
	ok(s.t, err)
	from, err := s.raw.Begin()
	ok(s.t, err)
	defer func() { _ = from.Rollback() }()
	_, err = from.Exec(`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`)
	ok(s.t, err)
	for _, table := range tables(s.t, s) {
		_, err := to.Exec(`DELETE FROM ` + table)
		ok(s.t, err)
		rows, err := from.Query(`SELECT * FROM ` + table)
		ok(s.t, err)
		columns, err := rows.Columns()
		ok(s.t, err)
		for rows.Next() {
			values, into, places := make([]any, len(columns)), make([]any, len(columns)), make([]string, len(columns))
			for i := range columns {
				into[i], places[i] = &values[i], fmt.Sprint("$", i+1)
			}
			ok(s.t, rows.Scan(into...))
			_, err := to.Exec(`INSERT INTO `+table+` (`+strings.Join(columns, ", ")+`) VALUES (`+strings.Join(places, ", ")+`)`, values...)
			ok(s.t, err)
		}
		ok(s.t, rows.Err())
	}
	var last int64
	ok(s.t, from.QueryRow(`SELECT last_value FROM unarchived_seq_seq`).Scan(&last))
	_, err = to.Exec(`SELECT setval('unarchived_seq_seq', $1)`, last)
	ok(s.t, err)
	ok(s.t, to.Close())
	return c
}

// opened opens a database without changing it.
func (s *fixture) opened(c store.Config) *fixture {
	s.t.Helper()
	return &fixture{Store: storetest.Open(s.t, c), t: s.t, ctx: s.ctx, config: c, by: s.by, other: s.other, raw: rawDatabase(s.t, c)}
}

// archivedRows returns the rows of all archived tables as text, and the counts. What
// a recovery changes in documents without an answer is left out.
func (s *fixture) archivedRows() map[string][]string {
	s.t.Helper()
	all := map[string][]string{}
	for _, a := range store.ArchivedTables() {
		if !a.Document && !a.Captured && a.Name != "book" && a.Name != "tally" {
			continue
		}
		all[a.Name] = []string{}
		for _, row := range s.records(`SELECT * FROM ` + a.Name) {
			switch {
			case a.Name == "submission" && row["state"] != "done":
				delete(row, "doubt_at")
				delete(row, "asked")
			case a.Name == "tally" && row["n"] == int64(0):
				continue
			}
			all[a.Name] = append(all[a.Name], fmt.Sprintf("%q", fmt.Sprint(row)))
		}
		slices.Sort(all[a.Name])
	}
	return all
}

// worker does random work in one organisation.
type worker struct {
	*sequence
	item uuid.UUID
	last ledger.Invoice
}

func (s *fixture) worker(name string, r *rand.Rand) *worker {
	s.t.Helper()
	w := &worker{sequence: &sequence{seller: s.seller(s.register(name)), r: r}}
	ok(s.t, w.begin())
	i := sampleItem(s.config.NewID())
	i.Stock = pointerTo(decimalOf("1000"))
	ok(s.t, s.AddItem(s.ctx, w.by, i))
	w.item = i.ID
	return w
}

// work does one thing.
func (w *worker) work() error {
	s, r := w.s, w.r
	switch r.IntN(14) {
	case 0:
		return w.sell()
	case 1:
		c := sampleClient(s.config.NewID())
		return s.AddClient(s.ctx, w.by, c)
	case 2:
		_, err := s.ChangeItem(s.ctx, w.by, w.item, func(i *trade.Item) error {
			i.Name = fmt.Sprint("Dates ", r.IntN(1000))
			return nil
		})
		return err
	case 3:
		return s.AddReason(s.ctx, w.by, sampleReason(s.config.NewID()))
	case 4:
		_, _, err := s.SealTrail(s.ctx, org.Link{}, 1+r.IntN(30))
		return err
	case 5:
		if w.last.ID == uuid.Nil {
			return nil
		}
		share := w.last.Share
		share.Digest = []byte(fmt.Sprintf("%032d", r.Int64()))[:32]
		return s.RenewShare(s.ctx, w.by, w.last.ID, share)
	case 6:
		_, _, err := s.TakeVisit(s.ctx, w.by.Tenant, s.config.Now(), 1<<30)
		return err
	case 7:
		if w.last.ID == uuid.Nil {
			return nil
		}
		return s.AddRemark(s.ctx, w.by, w.last.ID, sampleRemark(s.config.NewID()))
	}
	_, _, err := w.step()
	return err
}

// sell issues a document with items of the stock.
func (w *worker) sell() error {
	s := w.s
	wants := issue.Wants{At: s.config.Now(), Devices: []uuid.UUID{w.device}, Items: []uuid.UUID{w.item}}
	return s.Append(s.ctx, w.by.Tenant, wants, func(state *issue.State) (*issue.Entries, error) {
		chain, numbers := state.Devices[w.device], state.Series["INV"]
		numbers.Prefix, numbers.First, numbers.Year = "INV", 1, 2026
		numbers.Last++
		e := sampleEntry(s, w.by, chain, numbers)
		e.Invoice.Held = w.r.IntN(2) == 0
		e.Invoice.Record.Buyer.Name = fmt.Sprint("Buyer ", w.r.IntN(20))
		e.Words = wordsOf(e.Invoice)
		chain.Counter, chain.LastHash, chain.LastIssuedAt = e.Invoice.Counter, e.Invoice.Hash, e.Invoice.IssuedAt
		w.last = e.Invoice
		left := state.Stock[w.item].Left.Sub(decimalOf("1.5"))
		return &issue.Entries{
			Invoices: []issue.Entry{e}, Devices: []*issue.Chain{chain}, Series: map[string]issue.Series{"INV": numbers},
			Stock: map[uuid.UUID]money.Decimal{w.item: left}, Month: state.Usage.Month,
		}, nil
	})
}

// reading returns a function that reads lines.
func reading(lines [][]byte) func(func([]byte) error) error {
	return func(each func([]byte) error) error {
		for _, line := range lines {
			if err := each(line); err != nil {
				return err
			}
		}
		return nil
	}
}

// TestReenter restores random work from a copy that was taken at a random moment
// and the archive: the contents are those of the lost database, the audit trail is
// intact, and a second re-entry changes nothing.
func TestReenter(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		seeds := testtool.Scale(2, 10, 50)
		if s.config.URL != "" {
			seeds = testtool.Scale(1, 10, 50)
		}
		for seed := range seeds {
			r := rand.New(rand.NewPCG(uint64(seed), 3))
			run := s
			if seed > 0 {
				c := storetest.SQLite(t)
				if s.config.URL != "" {
					c = storetest.Postgres(t)
				}
				run = open(t, c)
			}
			run.reenters(t, r, seed)
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	})
}

func (s *fixture) reenters(t *testing.T, r *rand.Rand, seed int) {
	archive := s.archived()
	steps, before := testtool.Scale(50, 90, 90), 0
	if seed > 0 {
		before = r.IntN(steps)
	}
	var workers []*worker
	var c store.Config
	for n := range steps {
		if n == before {
			c = s.copied()
		}
		if len(workers) < 2 && r.IntN(5) == 0 || len(workers) == 0 {
			workers = append(workers, s.worker(fmt.Sprint("worker ", n), r))
		}
		w := workers[r.IntN(len(workers))]
		if err := w.work(); err != nil {
			t.Fatalf("step %d: %v\n%s", n, err, w.trace.String())
		}
	}
	s.caughtUp()
	lost := s.archivedRows()
	lines := archive.all()
	if seed%2 == 1 { // the lines of several servers are not in the order of their changes
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	}
	copied := s.opened(c)
	began := time.Now()
	done, err := copied.Reenter(s.ctx, store.Begun{}, reading(lines))
	ok(t, err)
	t.Logf("re-entered %+v of %d lines in %s, copied after %d steps", done, len(lines), time.Since(began).Round(time.Millisecond), before)
	if diff := cmp.Diff(lost, copied.archivedRows()); diff != "" {
		t.Errorf("contents of the lost database and of the restored one (-lost +restored):\n%s", diff)
	}
	if done.Documents == 0 && before < 20 {
		t.Errorf("no documents were re-entered")
	}
	again, err := copied.Reenter(s.ctx, store.Begun{}, reading(lines))
	if err != nil || again != (store.Reentered{}) {
		t.Errorf("the second re-entry changed %+v, %v, want nothing", again, err)
	}
	copied.linked(t)
	// The copy goes on where the lost database ended.
	ok(t, copied.StartArchive(s.ctx, store.Archiving{To: archive, Location: "memory", Wait: true}))
	copied.caughtUp()
	for _, w := range workers {
		w.s = copied
		ok(t, w.sell())
	}
	s.forks(t, workers[0])
}

// Text that is not valid UTF-8, which only a damaged file or another program can
// contain, is archived and re-entered as it is.
func TestReenterTextThatIsNotUTF8(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	archive := s.archived()
	shop := s.seller(s.by)
	ok(t, s.AddClient(s.ctx, s.by, sampleClient(s.config.NewID())))
	s.caughtUp()
	c := s.copied()
	s.execute(`UPDATE client SET name = CAST(x'41ff42' AS TEXT)`)
	shop.issue(asIs)
	s.caughtUp()
	copied := s.opened(c)
	_, err := copied.Reenter(s.ctx, store.Begun{}, reading(archive.all()))
	ok(t, err)
	if got := copied.texts(`SELECT hex(name) FROM client`); len(got) == 0 || got[0] != "41FF42" {
		t.Errorf("names of clients = %q, want 41FF42", got)
	}
}

// A recovery writes nothing after another server has begun to recover the same database.
func TestReenterAfterAnotherBegan(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		archive := s.archived()
		shop := s.seller(s.by)
		s.caughtUp()
		c := s.copied()
		ok(t, s.AddClient(s.ctx, s.by, sampleClient(s.config.NewID())))
		shop.issue(asIs)
		s.caughtUp()
		copied := s.opened(c)
		before := copied.archivedRows()
		ok(t, copied.RecordBegin(s.ctx, 2, "first"))
		ok(t, copied.RecordBegin(s.ctx, 3, "second"))
		if _, err := copied.Reenter(s.ctx, store.Begun{Epoch: 2, Token: "first"}, reading(archive.all())); !errors.Is(err, store.ErrRecoveredElsewhere) {
			t.Errorf("the first recovery: %v, want ErrRecoveredElsewhere", err)
		}
		if diff := cmp.Diff(before, copied.archivedRows()); diff != "" {
			t.Errorf("the first recovery has changed the database (-before +after):\n%s", diff)
		}
		// A third server has recorded the same epoch and could not create it.
		ok(t, copied.RecordBegin(s.ctx, 3, "third"))
		done, err := copied.Reenter(s.ctx, store.Begun{Epoch: 3, Token: "second"}, reading(archive.all()))
		ok(t, err)
		if done.Documents != 1 {
			t.Errorf("the second recovery has entered %d documents, want 1", done.Documents)
		}
		if epoch, token, err := copied.ArchiveBegin(s.ctx); epoch != 3 || token != "second" || err != nil {
			t.Errorf("recorded after it: epoch %d, token %q, %v; want 3, second", epoch, token, err)
		}
	})
}

// linked checks that the audit trail is intact after all entries are linked.
func (s *fixture) linked(t *testing.T) {
	t.Helper()
	for {
		n, _, err := s.SealTrail(s.ctx, org.Link{}, 1000)
		ok(t, err)
		if n == 0 {
			break
		}
	}
	var before org.Link
	ok(t, s.WalkTrail(s.ctx, func(e org.Event, link org.Link) error {
		if want := e.Link(before); want != link {
			return fmt.Errorf("entry %d has another hash", link.Number)
		}
		before = link
		return nil
	}))
}

// forks issues a document in the restored database and another one with the same
// counter in the lost one. The re-entry refuses the second.
func (s *fixture) forks(t *testing.T, w *worker) {
	t.Helper()
	theirs := w.s
	w.s = s
	ok(t, w.sell())
	lost := w.last
	s.caughtUp()
	line, err := store.DocumentLine(s.ctx, s.Store, w.by.Tenant, lost.ID, 1<<40)
	ok(t, err)
	_, err = theirs.Reenter(s.ctx, store.Begun{}, reading([][]byte{line}))
	if !errors.Is(err, store.ErrFork) || !strings.Contains(err.Error(), fmt.Sprintf("document %d of device %s", lost.Counter, lost.Device)) {
		t.Errorf("error = %v, want a fork of document %d of device %s", err, lost.Counter, lost.Device)
	}
}

// A document that is re-entered without a verdict is sent again if the authority
// still recognises it, and otherwise waits for a decision.
func TestReenteredDocumentIsSentAgain(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		archive := s.archived()
		shop := s.seller(s.by)
		s.caughtUp()
		c := s.copied()
		now := s.config.Now()
		issued := func(age time.Duration) uuid.UUID {
			return shop.issue(func(e *issue.Entry) { e.Invoice.Held, e.Invoice.CreatedAt = false, now.Add(-age) }).ID
		}
		old, young := issued(23*time.Hour+time.Minute), issued(22*time.Hour)
		s.caughtUp()
		copied := s.opened(c)
		done, err := copied.Reenter(s.ctx, store.Begun{}, reading(archive.all()))
		ok(t, err)
		if done.Documents != 2 {
			t.Fatalf("re-entered %d documents, want 2", done.Documents)
		}
		ok(t, copied.StartArchive(s.ctx, store.Archiving{To: archive, Location: "memory", Wait: true}))
		copied.caughtUp()
		doubt := now.Add(-23 * time.Hour)
		claimed, err := copied.Claim(s.ctx, submit.Claiming{Route: ledger.ByClearance, Most: 9, Now: now, Doubt: doubt, LeaseUntil: instantOf(50), Worker: "w"})
		ok(t, err)
		if len(claimed.Jobs) != 1 || claimed.Jobs[0].Invoice != young || string(claimed.Jobs[0].Document.XML) != string(s.xmlOf(young)) {
			t.Errorf("claimed %+v, want invoice %s with its bytes", claimed.Jobs, young)
		}
		stopped, err := copied.StopInDoubt(s.ctx, doubt, 9)
		ok(t, err)
		if len(stopped) != 1 || stopped[0].Invoice != old {
			t.Errorf("stopped %v, want invoice %s", stopped, old)
		}
	})
}

// xmlOf returns the signed document of an invoice.
func (s *fixture) xmlOf(id uuid.UUID) []byte {
	s.t.Helper()
	xml, err := s.ArchivedXML(s.ctx, s.by.Tenant, id)
	ok(s.t, err)
	return xml
}
