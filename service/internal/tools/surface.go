// Package tools is the API of the public tools below /v1-3, which need no key: VAT
// calculation, QR codes, rules, export and parsing. It stores nothing.
package tools

import (
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"khatm/paper"
	"khatm/service/internal/capacity"
	"khatm/service/internal/wire"
)

// Config configures a Surface.
type Config struct {
	Now      func() time.Time
	NewID    func() uuid.UUID
	Capacity *capacity.Limits // nil for no limits
}

// Surface is the API of the public tools.
type Surface struct {
	Config
	press func() (*paper.Press, error) // created on first use, because not every process renders
}

// New returns the surface.
func New(c Config) *Surface {
	return &Surface{Config: c, press: sync.OnceValues(paper.New)}
}

// Base is the base path of the surface.
const Base = "/v1-3"

// Rows returns the routes of the surface.
func (s *Surface) Rows() []wire.Route {
	return slices.Concat(s.healthRows(), s.calculateRows(), s.scanRows(), s.validateRows(), s.exportRows(), s.parseRows())
}

// tagTools is the tag of the tools in the document.
const tagTools = "Tools"
