// Package service runs Khatm's e-invoicing service: an HTTP API that issues
// Saudi tax invoices, sends them to the tax authority, and stores them in
// SQLite or PostgreSQL.
//
// Start from [Defaults], call [New] to open the database, and run the returned
// [Service]. Package admin has the operator commands for the same installation.
package service

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/server"
)

// Config holds all settings of a server. Start from Defaults.
type Config = server.Config

// Sending configures how documents are sent to the authority.
type Sending = server.Sending

// Rates configures the rate limits.
type Rates = server.Rates

// Backups configures the daily backups.
type Backups = server.Backups

// Build describes the program that runs the server, for its metrics.
type Build = server.Build

// Archive configures a second copy of everything that is issued.
type Archive = server.Archive

// TLS configures HTTPS.
type TLS = server.TLS

// Roles of servers that share a database.
const (
	RoleAll    = server.RoleAll
	RoleAPI    = server.RoleAPI
	RoleWorker = server.RoleWorker
)

// Secret is a string that is redacted when printed or logged.
type Secret = server.Secret

// GCPercent is the recommended GOGC of a process that runs a server. The
// recommended GOMEMLIMIT is Config.Heap.
const GCPercent = server.GCPercent

// Defaults returns the default settings.
func Defaults() Config { return server.Defaults() }

// NewSecret returns text as a Secret.
func NewSecret(text string) Secret { return server.NewSecret(text) }

// NewIDs returns a generator of time-ordered UUIDs.
func NewIDs(now func() time.Time, random io.Reader) func() uuid.UUID {
	return server.NewIDs(now, random)
}

// Service is a server with an open database.
type Service struct{ server *server.Server }

// New opens the database and everything else that the server needs. The caller
// must close the returned Service.
func New(ctx context.Context, c Config) (*Service, error) {
	s, err := server.New(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Service{s}, nil
}

// Run serves until ctx is done. It then reports that it is not ready and serves on
// for the configured drain period, stops accepting connections, and waits up to
// ten seconds for requests in progress. It calls ready with the address once it
// accepts connections.
func (s *Service) Run(ctx context.Context, ready func(address string)) error {
	return s.server.Run(ctx, ready)
}

// Handler returns the handler of the whole HTTP API.
func (s *Service) Handler() http.Handler { return s.server.Handler() }

// Empty reports whether the database contains no organisation yet.
func (s *Service) Empty(ctx context.Context) (bool, error) { return s.server.Empty(ctx) }

// NewSetUp creates the set-up link of an installation without an organisation and
// returns its token. The previous link stops working.
func (s *Service) NewSetUp(ctx context.Context, operator string) (token string, err error) {
	return s.server.NewSetUp(ctx, operator)
}

// Environment returns the environment of the tax authority that the database
// belongs to, or "" if it is not chosen yet.
func (s *Service) Environment() string { return string(s.server.Environment()) }

// Close stops all background work and closes the database.
func (s *Service) Close() { s.server.Close() }
