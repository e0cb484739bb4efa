package admin

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"strconv"
	"time"

	"khatm/audit"
	"khatm/service/internal/authority"
	"khatm/service/internal/org"
	"khatm/service/internal/store"

	"github.com/google/uuid"
)

// Proof configures an audit.
type Proof struct {
	Progress  func(done, total int64)
	Overdue   time.Duration // how long a document may wait for an answer; 0 for no limit
	Authority io.Reader     // journal of the simulator; nil for none
	Clients   io.Reader     // journal of load clients; nil for none
	Sole      bool          // only these clients issued documents on their devices
	NoHead    bool          // do not compare the audit trail with its head, which needs the master key
}

// Audit verifies a snapshot of the stored data: counters, chains, stamps,
// verdicts, numbers, usage and the audit trail.
func (a *Admin) Audit(ctx context.Context, p Proof) (report *audit.Report, err error) {
	var head org.Link
	if !p.NoHead {
		// Read the head before the trail: entries that are linked meanwhile are
		// after the head.
		var broken error
		head, broken, err = a.openHead(ctx)
		if err = errors.Join(err, broken); err != nil {
			return nil, err
		}
	}
	o := audit.Options{
		Progress: p.Progress, Scratch: scratch, Now: a.config.Now(), Overdue: p.Overdue, Head: audit.Link(head),
		Authority: p.Authority, SubmissionBody: authority.SubmissionBody, Clients: p.Clients, Sole: p.Sole,
	}
	err = a.store.Snapshot(ctx, func(kept *store.Snapshot) error {
		report, err = audit.Walk(ctx, AuditSource(kept, a.config.Now()), o)
		return err
	})
	return report, err
}

// scratch returns a temporary file that is removed when it is closed.
func scratch() (audit.Scratch, error) {
	file, err := os.CreateTemp("", "khatm-audit-")
	if err != nil {
		return nil, err
	}
	return unlinked{file}, nil
}

type unlinked struct{ *os.File }

// Close closes the file and removes it.
func (u unlinked) Close() error { return errors.Join(u.File.Close(), os.Remove(u.Name())) }

// AuditSource returns a snapshot of the database as the source of an audit.
func AuditSource(kept *store.Snapshot, now time.Time) audit.Source { return source{kept, now} }

// source implements [audit.Source] on a snapshot of the database.
type source struct {
	kept *store.Snapshot
	now  time.Time
}

// errEnough ends a walk when the consumer of the sequence stops.
var errEnough = errors.New("enough")

// sequence converts a walk with a callback to a sequence.
func sequence[T any](walk func(see func(T) error) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		err := walk(func(one T) error {
			if !yield(one, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			var none T
			yield(none, err)
		}
	}
}

// Devices implements [audit.Source].
func (s source) Devices(ctx context.Context) iter.Seq2[audit.Device, error] {
	return sequence(func(see func(audit.Device) error) error {
		all, err := s.kept.AllDevices(ctx)
		if err != nil {
			return err
		}
		for _, d := range all {
			one := audit.Device{
				ID: d.ID, Organisation: d.Organisation, Name: d.CommonName, Counter: d.Counter, LastHash: d.LastHash, LastIssuedAt: d.LastIssuedAt, Abandoned: d.Retired,
			}
			for _, g := range d.Gaps {
				one.Gaps = append(one.Gaps, audit.Gap{First: g.First, Last: g.Last, Hash: g.Hash, IssuedAt: g.IssuedAt})
			}
			for _, r := range d.Releases {
				one.Releases = append(one.Releases, audit.Release(r))
			}
			for _, token := range d.Tokens {
				one.Certificates = append(one.Certificates, store.CertificateOf(token))
			}
			if err := see(one); err != nil {
				return err
			}
		}
		return nil
	})
}

// Documents implements [audit.Source].
func (s source) Documents(ctx context.Context, of audit.Device) iter.Seq2[audit.Document, error] {
	return sequence(func(see func(audit.Document) error) error {
		return s.kept.Documents(ctx, of.Organisation, of.ID, func(d store.KeptDocument) error { return see(documentOf(d)) })
	})
}

func documentOf(d store.KeptDocument) audit.Document {
	out := audit.Document{
		ID: d.ID, Counter: d.Counter, Number: d.Number, TypeCode: d.TypeCode, Transaction: d.Transaction, Hash: d.Hash, PreviousHash: d.PreviousHash,
		IssueDate: d.IssueDate, IssueTime: d.IssueTime, IssuedAt: d.IssuedAt, CreatedAt: d.CreatedAt, IdempotencyKey: d.IdempotencyKey, XML: d.XML, QR: d.QR,
		State: d.State, Status: audit.Status(d.Status), Code: d.Code, SubmittedAt: d.SubmittedAt, AnsweredAt: d.AnsweredAt,
		ClearedQR: d.ClearedQR, Damage: d.Damage,
	}
	if v := d.Verdict; v != nil {
		out.Verdicts = []audit.Verdict{{Status: audit.Status(v.Status), Code: v.Code}}
		out.Cleared, out.Unstamped = v.Stamped, v.Flag != ""
	}
	for _, a := range d.Attempts {
		one := audit.Attempt{Token: strconv.Itoa(a.Number), Copy: a.Copy, Endpoint: string(a.Route), Started: a.ClaimedAt, Outcome: string(a.Outcome), Code: a.Code}
		if a.EndedAt != nil {
			one.Ended = *a.EndedAt
		}
		out.Attempts = append(out.Attempts, one)
	}
	return out
}

// NumberGaps implements [audit.Source].
func (s source) NumberGaps(ctx context.Context) iter.Seq2[audit.NumberGap, error] {
	return sequence(func(see func(audit.NumberGap) error) error {
		return s.kept.NumberGaps(ctx, func(organisation uuid.UUID, series string, first, last int64) error {
			return see(audit.NumberGap{Organisation: organisation, Series: series, First: first, Last: last})
		})
	})
}

// Usage implements [audit.Source].
func (s source) Usage(ctx context.Context) iter.Seq2[audit.Usage, error] {
	return sequence(func(see func(audit.Usage) error) error {
		return s.kept.AllUsage(ctx, func(u store.KeptUsage) error {
			one := audit.Usage{Organisation: u.Organisation, Month: u.Month, Used: int64(u.Invoices), Ceiling: -1}
			// The limit of an earlier month is not known, because plans change.
			if u.Month.Equal(org.UsageMonth(s.now)) && u.Plan.Invoices != org.Unlimited {
				one.Ceiling = int64(u.Plan.InvoiceCeiling())
			}
			return see(one)
		})
	})
}

// Trail implements [audit.Source].
func (s source) Trail(ctx context.Context) iter.Seq2[audit.Entry, error] {
	return sequence(func(see func(audit.Entry) error) error {
		return s.kept.WholeTrail(ctx, func(e org.Event, link org.Link) error {
			return see(audit.Entry{
				Link: audit.Link(link), ID: e.ID, Organisation: e.Tenant.ID(), At: e.At, Kind: string(e.Kind), Actor: e.Actor, Address: e.Address,
				Request: e.Request, Action: e.Action, Subject: e.Subject, Details: e.Details,
			})
		})
	})
}
