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

// Keeper stores links and drafts.
type Keeper interface {
	// Link returns the link with a digest, or ErrGone if there is none.
	Link(ctx context.Context, digest []byte) (Link, error)
	Invoice(ctx context.Context, of org.Tenant, id uuid.UUID) (ledger.Invoice, error)

	// AddDraft adds a draft. It returns ErrCorrected if the invoice that the
	// draft corrects has another draft.
	AddDraft(ctx context.Context, by org.Actor, d Draft) error
	// Correction returns what replaces an invoice, and what it replaces.
	Correction(ctx context.Context, of org.Tenant, invoice uuid.UUID) (Correction, error)
	Draft(ctx context.Context, of org.Tenant, id uuid.UUID) (Draft, error)
	// Drafts lists drafts that match a filter, newest first, without Request and
	// Shown.
	Drafts(ctx context.Context, of org.Tenant, f Filter, page org.Page) (org.List[Draft], error)
	// ClientNames returns the names of a client.
	ClientNames(ctx context.Context, of org.Tenant, id uuid.UUID) (name, arabic string, err error)
	// ChangeDraft calls change with a draft that is locked against other
	// changes, and writes the result in one commit. Queued e-mails are
	// cancelled together with the link or the code they contain. If change
	// returns an error, nothing is written. change may be called more than
	// once.
	ChangeDraft(ctx context.Context, by org.Actor, id uuid.UUID, change func(*Folder) error) (Draft, error)

	// RenewShare adds a new link to an invoice and revokes its earlier ones.
	RenewShare(ctx context.Context, by org.Actor, invoice uuid.UUID, link ledger.Share) error
	RevokeShares(ctx context.Context, by org.Actor, invoice uuid.UUID) error
}

// Folder is a draft and everything that belongs to it, while it is being
// changed.
type Folder struct {
	Draft
	Code     Code          // last code of its link; zero if none was made
	Inactive bool          // its organisation is suspended or deactivated, so no e-mails are sent for it
	Removed  bool          // the draft is deleted
	Letters  []mail.Letter // e-mails to queue in the same commit
	Action   string        // action for the audit trail; "" for none
	Details  map[string]any
}

// Issuer computes and issues invoices.
type Issuer interface {
	// CreateIf issues an invoice, unless refuses returns an error for the
	// computed record.
	CreateIf(ctx context.Context, by org.Actor, r issue.Request, refuses func(ledger.Record) error) (ledger.Invoice, error)
	// Earlier returns the invoice issued with an idempotency key, if any.
	Earlier(ctx context.Context, of org.Tenant, key string) (issue.Issued, bool, error)
	Preview(ctx context.Context, by org.Actor, r issue.Request) (ledger.Invoice, error)
	PreviewXML(ctx context.Context, by org.Actor, r issue.Request, number string) (ledger.Invoice, []byte, error)
}

// Vault encrypts tokens, codes and e-mails.
type Vault interface {
	Seal(purpose, owner string, plain []byte) ([]byte, error)
	Open(purpose, owner string, sealed []byte) ([]byte, error)
}

// Config configures a Sharer.
type Config struct {
	Keeper Keeper
	Issuer Issuer
	Vault  Vault
	URL    string // public base URL, without a trailing slash
	Now    func() time.Time
	NewID  func() uuid.UUID
	Random io.Reader // must be cryptographically secure
}

// Sharer opens shared links and manages drafts.
type Sharer struct{ Config }

// New returns a Sharer.
func New(c Config) *Sharer { return &Sharer{c} }

// now returns the time with the precision of the database, so that a value
// returned at once equals the same value read later.
func (s *Sharer) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }
