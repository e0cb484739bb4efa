// Hooks of package servicetest, beyond the public methods of Server.

package server

import (
	"context"
	"crypto/x509"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/api"
	"khatm/service/internal/app"
	"khatm/service/internal/capacity"
	"khatm/service/internal/continuity"
	"khatm/service/internal/issue"
	"khatm/service/internal/limit"
	"khatm/service/internal/render"
	"khatm/service/internal/share"
	"khatm/service/internal/store"
	"khatm/service/internal/submit"
	"khatm/service/internal/tools"
	"khatm/service/internal/vault"
	"khatm/service/internal/wire"
)

// Store returns the store.
func (s *Server) Store() *store.Store { return s.store }

// PasswordHashes returns the number of password hashes that were computed.
func (s *Server) PasswordHashes() int64 { return s.accounts.Hashes() }

// Now returns the current time of the service.
func (s *Server) Now() time.Time { return s.config.Now() }

// NewID returns a new id.
func (s *Server) NewID() uuid.UUID { return s.newID() }

// Rows returns the route table.
func (s *Server) Rows() []wire.Route { return s.frame.Rows() }

// KeyRows returns the routes of the API for keys.
func (s *Server) KeyRows() []wire.Route { return s.rowsBelow(api.Base) }

// PublicRows returns the routes of the public tools.
func (s *Server) PublicRows() []wire.Route { return s.rowsBelow(tools.Base) }

// AppRows returns the routes of the API for signed-in users.
func (s *Server) AppRows() []wire.Route { return s.rowsBelow(app.Base) }

func (s *Server) rowsBelow(base string) []wire.Route {
	return slices.DeleteFunc(slices.Clone(s.frame.Rows()), func(r wire.Route) bool { return r.Base() != base })
}

// Paced returns a handler that calls next and limits how slowly a body may
// arrive.
func Paced(still, whole time.Duration, next http.Handler) http.Handler {
	return paced(pace{still, whole}, next)
}

// SealTrail seals the audit trail once, as the server does in a loop.
func (s *Server) SealTrail(ctx context.Context) error { return s.sealTrail(ctx) }

// Operations returns the handler of metrics and health checks.
func (s *Server) Operations() http.Handler { return s.operations() }

// Vault returns the vault.
func (s *Server) Vault() *vault.Ring { return s.vault }

// Point sets a hook that is called at each step of a transaction.
func Point(c *Config, at func(step string) error) { c.point = at }

// Count replaces the counter of the rate limits.
func Count(c *Config, counter limit.Counter) { c.counter = counter }

// Passwords sets the cost of password hashing.
func Passwords(c *Config, cost account.Cost) { c.passwords = cost }

// MaxWait sets the longest wait for capacity.
func MaxWait(c *Config, d time.Duration) { c.maxWait = d }

// Connections sets the number of connections for reading SQLite, or to PostgreSQL.
func Connections(c *Config, n int) { c.connections = n }

// Watch sets how long a server watches its archive before it takes over.
func Watch(c *Config, d time.Duration) { c.watch = d }

// ArchiveReached returns the last batch that this server has written to its archive, and
// its journal.
func (s *Server) ArchiveReached() (journal string, batch uint64) { return s.archive.Reached() }

// Capacity returns the limits of concurrent work.
func (s *Server) Capacity() *capacity.Limits { return s.limits }

// Figures returns the statistics of sending.
func (s *Server) Figures() submit.Figures { return s.sender.Figures() }

// Sharer returns the sharer of links and drafts.
func (s *Server) Sharer() *share.Sharer { return s.sharer }

// MailRoots sets the certificate authorities trusted for mail servers.
func MailRoots(c *Config, roots *x509.CertPool) { c.mailRoots = roots }

// Issuer returns the issuer.
func (s *Server) Issuer() *issue.Issuer { return s.issuer }

// Renderer returns a renderer of PDFs.
func (s *Server) Renderer() *render.Renderer { return s.renderer() }

// TimeKnown reports whether the authority's time is known.
func (s *Server) TimeKnown() bool { return s.watch.clock.Known() }

// StillIssue runs the check for use under the lock, with a guard that has not
// compared the database yet.
func (s *Server) StillIssue() error {
	fresh := &Server{config: s.config, issuing: s.issuing, watch: s.watch, vault: s.vault, guard: continuity.New(s.guard.Config)}
	return fresh.canStillIssue()
}

// BackUp makes the daily backup if it is due.
func (s *Server) BackUp(ctx context.Context) error { return s.backups.Turn(ctx) }

// Surface adds routes below a base path.
func (s *Server) Surface(base string, rows []wire.Route) { s.frame.Surface(base, rows) }
