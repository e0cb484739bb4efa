package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/continuity"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Snapshot is all that is kept as it is at one moment, for whoever proves it.
// It sees every organisation and hides nothing: also rows that should not be.
type Snapshot struct {
	store *Store
	sql   *sql.Tx
}

// Snapshot lets see work on what is kept now; what is written meanwhile is not
// in it.
func (s *Store) Snapshot(ctx context.Context, see func(*Snapshot) error) error {
	begun, err := s.readers.BeginTx(ctx, &sql.TxOptions{Isolation: s.engine.snapshot, ReadOnly: !s.engine.embedded})
	if err != nil {
		return s.outage(err)
	}
	defer func() { _ = begun.Rollback() }()
	return see(&Snapshot{s, begun})
}

// each hands over the rows of a query. Nothing else can be asked meanwhile.
func (p *Snapshot) each(ctx context.Context, query string, args []any, scan func(scanner) error) error {
	return desk{ctx: ctx, ask: p.sql}.rows(query, args, scan)
}

// KeptDevice is a device of an organisation with every production certificate
// it has had.
type KeptDevice struct {
	device.Device
	Organisation uuid.UUID
	Tokens       []string
	Gaps         []continuity.Gap // declared, in the order of their counters
	Releases     []KeptRelease
}

// KeptRelease is an operator's word that a document was dated in the future.
type KeptRelease struct {
	Counter int64
	At      time.Time
}

// AllDevices are the devices of all organisations.
func (p *Snapshot) AllDevices(ctx context.Context) ([]KeptDevice, error) {
	var all []KeptDevice
	at := map[uuid.UUID]int{}
	err := p.each(ctx, `SELECT `+deviceColumns+`, org_id FROM device ORDER BY org_id, id`, nil, func(row scanner) error {
		var d KeptDevice
		var err error
		d.Device, err = scanDevice(withMore{row, []any{&d.Organisation}})
		at[d.ID] = len(all)
		all = append(all, d)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the devices: %w", err)
	}
	err = p.each(ctx, `SELECT device_id, token FROM certificate ORDER BY since`, nil, func(row scanner) error {
		var id uuid.UUID
		var token string
		err := row.Scan(&id, &token)
		if n, known := at[id]; known {
			all[n].Tokens = append(all[n].Tokens, token)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the certificates: %w", err)
	}
	const gaps = `SELECT device_id, first, last, hash, issued_at FROM gap ORDER BY device_id, first`
	err = p.each(ctx, gaps, nil, func(row scanner) error {
		var g continuity.Gap
		err := row.Scan(&g.Device, &g.First, &g.Last, &g.Hash, instant{&g.IssuedAt})
		if n, known := at[g.Device]; known {
			all[n].Gaps = append(all[n].Gaps, g)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the declared gaps: %w", err)
	}
	err = p.each(ctx, `SELECT device_id, counter, released_at FROM clock_release ORDER BY org_id, device_id, counter`, nil, func(row scanner) error {
		var id uuid.UUID
		var one KeptRelease
		err := row.Scan(&id, &one.Counter, instant{&one.At})
		if n, known := at[id]; known {
			all[n].Releases = append(all[n].Releases, one)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the releases of clocks: %w", err)
	}
	return all, nil
}

// NumberGaps hands over the numbers that were declared to be missing.
func (p *Snapshot) NumberGaps(ctx context.Context, see func(organisation uuid.UUID, series string, first, last int64) error) error {
	const query = `SELECT org_id, series, first, last FROM number_gap ORDER BY org_id, series, first`
	return p.each(ctx, query, nil, func(row scanner) error {
		var organisation uuid.UUID
		var series string
		var first, last int64
		if err := row.Scan(&organisation, &series, &first, &last); err != nil {
			return err
		}
		return see(organisation, series, first, last)
	})
}

// KeptDocument is a document as its rows say, with what became of it. What is
// null is zero.
type KeptDocument struct {
	ID             uuid.UUID
	Counter        int64
	Number         string
	TypeCode       int
	Transaction    string
	Hash           string
	PreviousHash   string
	IssueDate      string
	IssueTime      string
	IssuedAt       time.Time
	CreatedAt      time.Time
	IdempotencyKey string
	XML            []byte
	QR             string
	State          string
	Status         ledger.Status
	Code           int
	SubmittedAt    time.Time
	AnsweredAt     time.Time
	Verdict        *KeptVerdict // nil without one
	Attempts       []ledger.Attempt
}

// KeptVerdict is the authority's final word as its row says.
type KeptVerdict struct {
	Status  ledger.Status
	Code    int
	Stamped []byte
	Flag    ledger.Flag
}

// documentsAtOnce is how many documents are in memory.
const documentsAtOnce = 100

// Documents hands over the documents of a device in the order of their
// counters.
func (p *Snapshot) Documents(ctx context.Context, of, device uuid.UUID, see func(KeptDocument) error) error {
	counter, id := int64(-1<<62), uuid.Nil
	for {
		page, err := p.documents(ctx, of, device, counter, id)
		if err != nil {
			return fmt.Errorf("read the documents of device %s: %w", device, err)
		}
		for _, d := range page {
			if err := see(d); err != nil {
				return err
			}
		}
		if len(page) < documentsAtOnce {
			return nil
		}
		last := page[len(page)-1]
		counter, id = last.Counter, last.ID
	}
}

func (p *Snapshot) documents(ctx context.Context, of, device uuid.UUID, counter int64, id uuid.UUID) ([]KeptDocument, error) {
	const query = `
		SELECT i.id, i.counter, i.ref_num, i.type_code, i.transaction_code, i.hash, i.previous_hash, i.issue_date, i.issue_time, i.issued_at, i.created_at,
			i.idempotency_key, d.xml, d.qr, s.state, i.status, i.code, i.submitted_at, i.answered_at, v.status, v.code, v.stamped, v.flag
		FROM invoice i
		LEFT JOIN document d ON d.org_id = i.org_id AND d.invoice_id = i.id
		LEFT JOIN submission s ON s.org_id = i.org_id AND s.invoice_id = i.id
		LEFT JOIN verdict v ON v.org_id = i.org_id AND v.invoice_id = i.id
		WHERE i.org_id = $1 AND i.device_id = $2 AND (i.counter > $3 OR i.counter = $3 AND i.id > $4)
		ORDER BY i.counter, i.id
		LIMIT $5`
	var page []KeptDocument
	at := map[uuid.UUID]int{}
	err := p.each(ctx, query, []any{of, device, counter, id, documentsAtOnce}, func(row scanner) error {
		d, err := scanKept(row)
		at[d.ID] = len(page)
		page = append(page, d)
		return err
	})
	if err != nil || len(page) == 0 {
		return nil, err
	}
	args := []any{of}
	for _, d := range page {
		args = append(args, d.ID)
	}
	attempts := `
		SELECT invoice_id, number, for_copy, route, claimed_at, ended_at, outcome, code
		FROM attempt
		WHERE org_id = $1 AND invoice_id IN (` + numbered(2, len(page)) + `)
		ORDER BY invoice_id, number`
	err = p.each(ctx, attempts, args, func(row scanner) error {
		var invoice uuid.UUID
		var a ledger.Attempt
		var ended, code sql.NullInt64
		var outcome sql.NullString
		err := row.Scan(&invoice, &a.Number, &a.Copy, &a.Route, instant{&a.ClaimedAt}, &ended, &outcome, &code)
		a.EndedAt, a.Outcome, a.Code = timeOrNil(ended), ledger.Outcome(outcome.String), int(code.Int64)
		page[at[invoice]].Attempts = append(page[at[invoice]].Attempts, a)
		return err
	})
	return page, err
}

func scanKept(row scanner) (KeptDocument, error) {
	var d KeptDocument
	var key, qr, state, status, verdict, flag sql.NullString
	var code, submitted, answered, verdictCode sql.NullInt64
	var stamped []byte
	err := row.Scan(&d.ID, &d.Counter, &d.Number, &d.TypeCode, &d.Transaction, &d.Hash, &d.PreviousHash, &d.IssueDate, &d.IssueTime,
		instant{&d.IssuedAt}, instant{&d.CreatedAt}, &key, &d.XML, &qr, &state, &status, &code, &submitted, &answered, &verdict, &verdictCode, &stamped, &flag)
	d.IdempotencyKey, d.QR, d.State, d.Status, d.Code = key.String, qr.String, state.String, ledger.Status(status.String), int(code.Int64)
	if submitted.Valid {
		d.SubmittedAt = *timeOrNil(submitted)
	}
	if answered.Valid {
		d.AnsweredAt = *timeOrNil(answered)
	}
	if verdict.Valid {
		d.Verdict = &KeptVerdict{ledger.Status(verdict.String), int(verdictCode.Int64), stamped, ledger.Flag(flag.String)}
	}
	return d, err
}

// KeptUsage is what is booked for an organisation in a month, and its plan of
// today.
type KeptUsage struct {
	Organisation uuid.UUID
	Month        time.Time
	Invoices     int
	Plan         org.Plan
}

// AllUsage hands over what is booked.
func (p *Snapshot) AllUsage(ctx context.Context, see func(KeptUsage) error) error {
	const query = `
		SELECT u.org_id, u.month, u.invoices, ` + planColumns + `
		FROM usage u
		JOIN organisation o ON o.id = u.org_id
		JOIN plan p ON p.slug = o.plan
		ORDER BY u.org_id, u.month`
	return p.each(ctx, query, nil, func(row scanner) error {
		var u KeptUsage
		var month string
		if err := row.Scan(append([]any{&u.Organisation, &month, &u.Invoices}, planInto(&u.Plan)...)...); err != nil {
			return err
		}
		var err error
		if u.Month, err = time.Parse(monthForm, month); err != nil {
			return err
		}
		return see(u)
	})
}

// WholeTrail hands over the audit trail in the order of its links, then what is not
// linked yet, with a link that is zero.
func (p *Snapshot) WholeTrail(ctx context.Context, see func(org.Event, org.Link) error) error {
	const query = `SELECT ` + eventColumns + `, coalesce(link, 0), hash FROM event ORDER BY link IS NULL, link, id`
	return p.each(ctx, query, nil, func(row scanner) error {
		var link org.Link
		var hash []byte
		e, err := scanEvent(row, &link.Number, &hash)
		if err != nil {
			return err
		}
		copy(link.Hash[:], hash)
		return see(e, link)
	})
}

// withMore is a row with columns behind those that its scan function knows.
type withMore struct {
	row  scanner
	more []any
}

// Scan reads the row.
func (w withMore) Scan(into ...any) error { return w.row.Scan(append(into, w.more...)...) }
