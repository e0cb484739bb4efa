package service

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/archive"
	"khatm/service/internal/issue"
	"khatm/service/internal/share"
	"khatm/service/internal/store"
	"khatm/service/internal/submit"
	"khatm/service/internal/vault"
	"khatm/service/internal/wire"
)

// Store lets tests put things where only the app and later parts do.
func (s *Service) Store() *store.Store { return s.store }

// NewID lets tests make ids as the service does.
func (s *Service) NewID() uuid.UUID { return s.newID() }

// Rows is the route table as served.
func (s *Service) Rows() []wire.Route { return s.frame.Rows() }

// Paced cuts off bodies that come too slowly.
func Paced(still, whole time.Duration, next http.Handler) http.Handler {
	return paced(pace{still, whole}, next)
}

// SealTrail links what the loop would link next.
func (s *Service) SealTrail(ctx context.Context) error { return s.sealTrail(ctx) }

// Operations is what those who run the service look at.
func (s *Service) Operations() http.Handler { return s.operations() }

// Vault lets tests seal what onboarding seals.
func (s *Service) Vault() *vault.Ring { return s.vault }

// Point lets tests stop a server at a step of a transaction.
func Point(c *Config, at func(step string) error) { c.point = at }

// Figures is how sending stands.
func (s *Service) Figures() submit.Figures { return s.sender.Figures() }

// Sharer lets tests do what the pages of people do.
func (s *Service) Sharer() *share.Sharer { return s.sharer }

// Issuer lets tests issue behind the back of a surface.
func (s *Service) Issuer() *issue.Issuer { return s.issuer }

// Archive lets tests draw.
func (s *Service) Archive() *archive.Archive { return s.archive() }
