// What package servicetest needs of a server beyond its public methods.

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

// Store lets tests put things where only the app and later parts do.
func (s *Server) Store() *store.Store { return s.store }

// Now is the clock of the service.
func (s *Server) Now() time.Time { return s.config.Now() }

// NewID lets tests make ids as the service does.
func (s *Server) NewID() uuid.UUID { return s.newID() }

// Rows is the route table as served.
func (s *Server) Rows() []wire.Route { return s.frame.Rows() }

// KeyRows is the part of the table that is the key surface.
func (s *Server) KeyRows() []wire.Route { return s.rowsBelow(api.Base) }

// PublicRows is the part of the table that is the public surface.
func (s *Server) PublicRows() []wire.Route { return s.rowsBelow(tools.Base) }

// AppRows is the part of the table that is the signed-in surface.
func (s *Server) AppRows() []wire.Route { return s.rowsBelow(app.Base) }

func (s *Server) rowsBelow(base string) []wire.Route {
	return slices.DeleteFunc(slices.Clone(s.frame.Rows()), func(r wire.Route) bool { return r.Base() != base })
}

// Paced cuts off bodies that come too slowly.
func Paced(still, whole time.Duration, next http.Handler) http.Handler {
	return paced(pace{still, whole}, next)
}

// SealTrail links what the loop would link next.
func (s *Server) SealTrail(ctx context.Context) error { return s.sealTrail(ctx) }

// Operations is what those who run the service look at.
func (s *Server) Operations() http.Handler { return s.operations() }

// Vault lets tests seal what onboarding seals.
func (s *Server) Vault() *vault.Ring { return s.vault }

// Point lets tests stop a server at a step of a transaction.
func Point(c *Config, at func(step string) error) { c.point = at }

// Count lets tests count with a counter of their own.
func Count(c *Config, counter limit.Counter) { c.counter = counter }

// Passwords lets tests hash passwords at another cost.
func Passwords(c *Config, cost account.Cost) { c.passwords = cost }

// Figures is how sending stands.
func (s *Server) Figures() submit.Figures { return s.sender.Figures() }

// Sharer lets tests do what the pages of people do.
func (s *Server) Sharer() *share.Sharer { return s.sharer }

// MailRoots lets tests be the authority that certifies mail servers.
func MailRoots(c *Config, roots *x509.CertPool) { c.mailRoots = roots }

// Issuer lets tests issue behind the back of a surface.
func (s *Server) Issuer() *issue.Issuer { return s.issuer }

// Renderer lets tests draw.
func (s *Server) Renderer() *render.Renderer { return s.renderer() }

// TimeKnown reports whether the authority's time is known.
func (s *Server) TimeKnown() bool { return s.watch.clock.Known() }

// StillIssue is the check inside an append, by a guard that has not compared the
// database.
func (s *Server) StillIssue() error {
	fresh := &Server{config: s.config, issuing: s.issuing, watch: s.watch, vault: s.vault, guard: continuity.New(s.guard.Config)}
	return fresh.canStillIssue()
}

// BackUp makes the daily backup if it is due, as the loop would.
func (s *Server) BackUp(ctx context.Context) error { return s.backups.Turn(ctx) }
