// Package service is the invoicing service: its settings, and a server that runs
// with them.
package service

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/server"
)

// Config is every setting of a server. Begin with Defaults.
type Config = server.Config

// Sending is how documents are sent to the authority.
type Sending = server.Sending

// Rates are the rate limits.
type Rates = server.Rates

// Backups says where and how often backups are made.
type Backups = server.Backups

// Secret is a text that no print or log shows.
type Secret = server.Secret

// GCPercent and MemoryLimit are how a process that runs a server should collect
// garbage.
const (
	GCPercent   = server.GCPercent
	MemoryLimit = server.MemoryLimit
)

// Defaults returns the settings of a server that was told nothing.
func Defaults() Config { return server.Defaults() }

// NewSecret returns a secret that holds a text.
func NewSecret(text string) Secret { return server.NewSecret(text) }

// NewIDs returns a function that makes ids ordered by time.
func NewIDs(now func() time.Time, random io.Reader) func() uuid.UUID {
	return server.NewIDs(now, random)
}

// Service is a server that has opened its database.
type Service struct{ server *server.Server }

// New opens everything that a server needs. Whatever it returns must be closed.
func New(ctx context.Context, c Config) (*Service, error) {
	s, err := server.New(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Service{s}, nil
}

// Run serves until the context ends, then lets requests under way finish, for
// ten seconds at most. It calls ready with the address once it is served.
func (s *Service) Run(ctx context.Context, ready func(address string)) error {
	return s.server.Run(ctx, ready)
}

// Handler returns the handler of all HTTP surfaces.
func (s *Service) Handler() http.Handler { return s.server.Handler() }

// Empty reports whether there is no organisation yet.
func (s *Service) Empty(ctx context.Context) (bool, error) { return s.server.Empty(ctx) }

// Close stops what runs and closes what is open.
func (s *Service) Close() { s.server.Close() }
