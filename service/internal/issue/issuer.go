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

// Keeper is the storage that an Issuer reads from and appends to.
type Keeper interface {
	Organisation(ctx context.Context, of org.Tenant) (org.Organisation, error)
	Branch(ctx context.Context, of org.Tenant, id uuid.UUID) (org.Branch, error)
	Device(ctx context.Context, of org.Tenant, id uuid.UUID) (device.Device, error)
	Client(ctx context.Context, of org.Tenant, id uuid.UUID) (trade.Client, error)
	Reason(ctx context.Context, of org.Tenant, id uuid.UUID) (trade.Reason, error)
	ActiveReasons(ctx context.Context, of org.Tenant, most int) ([]trade.Reason, error)
	ItemsByID(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]trade.Item, error)
	Earlier(ctx context.Context, of org.Tenant, ids []uuid.UUID) (map[uuid.UUID]Earlier, error)
	Book
}

// Vault opens the keys of devices and seals the tokens of share links.
type Vault interface {
	Signer(purpose, owner string, sealed []byte) (seal.Signer, error)
	Seal(purpose, owner string, plain []byte) ([]byte, error)
}

// Config configures an Issuer.
type Config struct {
	Keeper Keeper
	Vault  Vault
	Now    func() time.Time
	NewID  func() uuid.UUID
	Random io.Reader
	Log    *slog.Logger

	UpgradeURL string
	Waits      func(context.Context) // called before a request waits for its batch; may be nil
	Issued     func()                // called after documents were appended, to wake the sender; may be nil
	Paused     func() bool           // reports whether sending is paused; may be nil
	Ready      func() error          // returns why nothing can be issued now; may be nil
	StillReady func() error          // like Ready, but called under the lock; returns ready.ErrRecheck if Ready must be called first; may be nil
	Continuity Continuity            // nil disables the check
}

// Continuity prevents a database that lacks issued documents, such as a restored
// backup, from issuing their numbers again.
type Continuity interface {
	// Admit returns an error if the organisation may not issue. It is called under
	// the lock with State.Documents and State.Stopped, and returns ready.ErrRecheck
	// if Config.Ready must be called first.
	Admit(organisation uuid.UUID, documents int64, stopped string) error
	// Appended is called after each commit that wrote documents.
	Appended(of org.Tenant, documents int64, e *Entries)
}

// Issuer issues invoices. It is safe for concurrent use.
type Issuer struct {
	Config
	lanes   *lanes
	signers *signerCache
	sellers knownSellers
}

// New returns an Issuer.
func New(c Config) *Issuer {
	i := &Issuer{Config: c, signers: &signerCache{vault: c.Vault}}
	i.lanes = newLanes(i.appendBatch)
	return i
}

// Close waits for all pending requests. Later requests are refused as busy.
func (i *Issuer) Close() { i.lanes.close() }
