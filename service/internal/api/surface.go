package api

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/capacity"
	"khatm/service/internal/device"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
	"khatm/service/internal/wire"
)

// Keeper stores the resources.
type Keeper interface {
	AddClient(ctx context.Context, by org.Actor, c trade.Client) error
	ChangeClient(ctx context.Context, by org.Actor, id uuid.UUID, change func(*trade.Client) error) (trade.Client, error)
	Client(ctx context.Context, of org.Tenant, id uuid.UUID) (trade.Client, error)
	Clients(ctx context.Context, of org.Tenant, search string, page org.Page) (org.List[trade.Client], error)

	AddItem(ctx context.Context, by org.Actor, i trade.Item) error
	ChangeItem(ctx context.Context, by org.Actor, id uuid.UUID, change func(*trade.Item) error) (trade.Item, error)
	Item(ctx context.Context, of org.Tenant, id uuid.UUID) (trade.Item, error)
	Items(ctx context.Context, of org.Tenant, search string, page org.Page) (org.List[trade.Item], error)

	Device(ctx context.Context, of org.Tenant, id uuid.UUID) (device.Device, error)
	FindDevices(ctx context.Context, of org.Tenant, search string, page org.Page) (org.List[device.Device], error)
	CountDevices(ctx context.Context, of org.Tenant, now time.Time) (active, complianceExpired, productionExpired int, err error)

	Invoice(ctx context.Context, of org.Tenant, id uuid.UUID) (ledger.Invoice, error)
	ListInvoices(ctx context.Context, of org.Tenant, f ledger.Filter, page org.Page) (org.Listing[ledger.Listed], error)
	Verdict(ctx context.Context, of org.Tenant, invoice uuid.UUID) (ledger.Answer, error)
	ArchivedXML(ctx context.Context, of org.Tenant, invoice uuid.UUID) ([]byte, error)
	AddRemark(ctx context.Context, by org.Actor, invoice uuid.UUID, r ledger.Remark) error
	Remarks(ctx context.Context, of org.Tenant, invoice uuid.UUID) ([]ledger.Remark, error)

	Used(ctx context.Context, of org.Tenant, at time.Time) (org.Usage, error)
	Plans(ctx context.Context) ([]org.Plan, error)
}

// Files stores pictures.
type Files interface {
	Put(ctx context.Context, key string, from io.Reader, most int64) error
	Read(ctx context.Context, key string) ([]byte, error)
	Remove(ctx context.Context, key string) error
}

// Config configures a Surface.
type Config struct {
	Keeper      Keeper
	Issuer      Issuer
	Sender      Sender
	Explain     func(ctx context.Context, of org.Tenant, i ledger.Invoice, codes []string) (map[string]Explanation, error)
	Files       Files
	Renderer    Renderer
	OpenShare   func(invoice uuid.UUID, sealed []byte) (token string, err error)
	URL         string           // public URL of the service, without a trailing slash
	Validations int              // calls of the public tools per month on the free plan
	Capacity    *capacity.Limits // nil for no limits
	Now         func() time.Time
	NewID       func() uuid.UUID
}

// Surface is the API for keys and signed-in people.
type Surface struct{ Config }

// New returns the surface.
func New(c Config) *Surface { return &Surface{c} }

// Base is the base path of the surface.
const Base = "/v1"

// Version is the version of the API.
const Version = "1.3.0"

// Rows returns the routes of the surface.
func (s *Surface) Rows() []wire.Route {
	return slices.Concat(s.invoiceRows(), s.pdfRows(), s.issueRows(), s.remarkRows(), s.buyerRows(), s.itemRows(), s.deviceRows(), s.usageRows(), referenceRows(), s.lookupRows(), s.pictureRows())
}

// Tags of the document.
const (
	tagInvoices  = "Invoices"
	tagClients   = "Clients"
	tagItems     = "Items"
	tagDevices   = "Devices"
	tagUsage     = "Usage"
	tagReference = "Reference data"
	tagLookups   = "Lookups"
)
