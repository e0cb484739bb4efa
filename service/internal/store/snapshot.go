package store

import (
	"context"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/continuity"
	"khatm/service/internal/database"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// Snapshot is the state of all data at one moment, for audits and backups. It
// includes every organisation and also invalid rows.
type Snapshot struct {
	*database.Snapshot
}

// Snapshot calls see with a snapshot of the current data. Later writes are not
// visible in it.
func (s *Store) Snapshot(ctx context.Context, see func(*Snapshot) error) error {
	return s.db.Snapshot(ctx, func(p *database.Snapshot) error { return see(&Snapshot{p}) })
}

// each calls scan with each row of a query. scan must not run another query.
func (p *Snapshot) each(ctx context.Context, query string, args []any, scan func(scanner) error) error {
	return reader{ctx: ctx, db: p}.rows(query, args, scan)
}

// KeptDevice is a device with all production certificates that it has had.
type KeptDevice struct {
	device.Device
	Organisation uuid.UUID
	Tokens       []string
	Gaps         []continuity.Gap // declared gaps, in the order of their counters
	Releases     []KeptRelease
}

// KeptRelease records that an operator released a device whose last document
// was dated in the future.
type KeptRelease struct {
	Counter int64
	At      time.Time
}

// AllDevices returns the devices of all organisations.
func (p *Snapshot) AllDevices(ctx context.Context) ([]KeptDevice, error) {
	var all []KeptDevice
	at := map[uuid.UUID]int{}
	err := p.each(ctx, `SELECT `+deviceColumns+`, device.org_id FROM `+deviceTables+` ORDER BY device.org_id, device.id`, nil, func(row scanner) error {
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
		return nil, fmt.Errorf("read the clock releases: %w", err)
	}
	return all, nil
}

// CertificateOf decodes the DER certificate in a token, which is base64 of base64.
// If that fails it returns the undecoded bytes, which an audit reports.
func CertificateOf(token string) []byte {
	text, err := base64.StdEncoding.DecodeString(token)
	if err != nil {
		return []byte(token)
	}
	der, err := base64.StdEncoding.DecodeString(string(text))
	if err != nil {
		return text
	}
	return der
}

// NumberGaps calls see with each range of numbers that were declared missing.
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

// KeptDocument is a document as stored, with its submission and its verdict.
// Null values are zero.
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
	ClearedQR      string
	Verdict        *KeptVerdict // nil if there is none
	Attempts       []ledger.Attempt
	Damage         string // the part that does not match its digest; empty if all match
}

// KeptVerdict is the authority's final answer as stored.
type KeptVerdict struct {
	Status  ledger.Status
	Code    int
	Stamped []byte
	Flag    ledger.Flag
}

// KeptUsage is the usage of an organisation in a month, with its current plan.
type KeptUsage struct {
	Organisation uuid.UUID
	Month        time.Time
	Invoices     int
	Plan         org.Plan
}

// AllUsage calls see with the usage of all organisations.
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

// WholeTrail calls see with each entry of the audit trail in the order of the
// links, then with the entries that are not linked yet, whose link is zero.
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

// withMore is a row that has more columns than its scan function reads.
type withMore struct {
	row  scanner
	more []any
}

// Scan reads the row.
func (w withMore) Scan(into ...any) error { return w.row.Scan(append(into, w.more...)...) }
