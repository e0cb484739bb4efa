package share

import (
	"context"
	"io"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// Keeper is where links and drafts are kept.
type Keeper interface {
	// Link finds a link by its digest; without one it is ErrGone.
	Link(ctx context.Context, digest []byte) (Link, error)
	Invoice(ctx context.Context, of org.Tenant, id uuid.UUID) (ledger.Invoice, error)

	AddDraft(ctx context.Context, by org.Actor, d Draft) error
	Draft(ctx context.Context, of org.Tenant, id uuid.UUID) (Draft, error)
	// Drafts lists drafts, the newest first, without Request and Shown.
	Drafts(ctx context.Context, of org.Tenant, page org.Page) (org.List[Draft], error)
	// ChangeDraft lets change work on a draft while nobody else can, and writes
	// what became of it in one commit. Letters that wait end with the link or the
	// code they bring. If change returns an error nothing is written. It may be
	// called again.
	ChangeDraft(ctx context.Context, by org.Actor, id uuid.UUID, change func(*Folder) error) (Draft, error)

	// RenewShare gives an invoice another link and revokes its earlier ones.
	RenewShare(ctx context.Context, by org.Actor, invoice uuid.UUID, link ledger.Share) error
	RevokeShares(ctx context.Context, by org.Actor, invoice uuid.UUID) error
}

// Folder is a draft and what belongs to it, while it is being changed.
type Folder struct {
	Draft
	Code     Code          // the last one of its link; zero: none was made
	Inactive bool          // its organisation is not served, and nobody is written to for it
	Removed  bool          // it is taken away
	Letters  []mail.Letter // to be queued in the same commit
	Deed     string        // what the audit trail says; empty: nothing
	Details  map[string]any
}

// Issuer computes and issues invoices.
type Issuer interface {
	// CreateIf issues an invoice unless what it would say is refused.
	CreateIf(ctx context.Context, by org.Actor, r issue.Request, refuses func(ledger.Record) error) (ledger.Invoice, error)
	// Earlier returns what was issued with an idempotency key.
	Earlier(ctx context.Context, of org.Tenant, key string) (issue.Issued, bool, error)
	Preview(ctx context.Context, by org.Actor, r issue.Request) (ledger.Invoice, error)
	PreviewXML(ctx context.Context, by org.Actor, r issue.Request, number string) (ledger.Invoice, []byte, error)
}

// Vault seals tokens, codes and letters.
type Vault interface {
	Seal(purpose, owner string, plain []byte) ([]byte, error)
	Open(purpose, owner string, sealed []byte) ([]byte, error)
}

// Config is what a sharer is made of.
type Config struct {
	Keeper Keeper
	Issuer Issuer
	Vault  Vault
	URL    string // how people reach us, without a slash at the end
	Now    func() time.Time
	NewID  func() uuid.UUID
	Random io.Reader // secure randomness
}

// Sharer shows what a link leads to, and keeps drafts.
type Sharer struct{ Config }

// New makes a sharer.
func New(c Config) *Sharer { return &Sharer{c} }

// now is the time as it is kept, so that what is answered at once and what is
// read later are the same.
func (s *Sharer) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
