package issue

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"khatm/seal"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// Keeper is where an invoice finds what it is made of, and the book it is
// appended to.
type Keeper interface {
	Organisation(ctx context.Context, of org.Tenant) (org.Organisation, error)
	Branch(ctx context.Context, of org.Tenant, id uuid.UUID) (org.Branch, error)
	Device(ctx context.Context, of org.Tenant, id uuid.UUID) (device.Device, error)
	Client(ctx context.Context, of org.Tenant, id uuid.UUID) (trade.Client, error)
	Reason(ctx context.Context, of org.Tenant, id uuid.UUID) (trade.Reason, error)
	ItemsByID(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]trade.Item, error)
	Earlier(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]Earlier, error)
	Book
}

// Vault opens the keys of devices and seals the tokens of links.
type Vault interface {
	Signer(purpose, owner string, sealed []byte) (seal.Signer, error)
	Seal(purpose, owner string, plain []byte) ([]byte, error)
}

// Config is what an issuer is made of.
type Config struct {
	Keeper Keeper
	Vault  Vault
	Now    func() time.Time
	NewID  func() uuid.UUID
	Random io.Reader
	Log    *slog.Logger

	UpgradeURL string
	Issued     func()       // called after documents were appended, to wake the sender; may be nil
	Paused     func() bool  // says that nothing is sent for now; may be nil
	Ready      func() error // says why nothing can be issued now; may be nil
	StillReady func() error // the same inside an append; returns ready.ErrRecheck to have Ready called outside; may be nil
	Continuity Continuity   // nil: nothing is checked
}

// Continuity keeps documents from being issued twice from a database that lacks
// some of those issued before.
type Continuity interface {
	// Admit refuses to issue for an organisation whose book is held: see State.
	// It returns ready.ErrRecheck if Config.Ready must be asked again first.
	Admit(organisation uuid.UUID, documents int64, stopped string) error
	// Appended is told after each commit.
	Appended(of org.Tenant, documents int64, e *Entries)
}

// Issuer issues invoices.
type Issuer struct {
	Config
	lanes   *lanes
	signers *signerCache
}

// New makes an issuer.
func New(c Config) *Issuer {
	i := &Issuer{Config: c, signers: &signerCache{vault: c.Vault}}
	i.lanes = newLanes(i.appendBatch)
	return i
}

// Close waits until what was asked for is appended or refused. Whoever comes
// after is told to try elsewhere.
func (i *Issuer) Close() { i.lanes.close() }
