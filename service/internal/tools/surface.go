// Package tools is the public face: what anybody can do without a key, below
// /v1-3. It computes, reads and draws what it is given, and keeps nothing.
package tools

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"khatm/paper"
	"khatm/service/internal/wire"
)

// Config is what the surface is made of.
type Config struct {
	Now   func() time.Time
	NewID func() uuid.UUID
}

// Surface is the public surface.
type Surface struct {
	Config
	press func() (*paper.Press, error) // set up when the first is asked for: not every process draws
	turns chan struct{}                // taken while a document is drawn
	room  *room                        // where files are parsed
}

// New makes the surface.
func New(c Config) *Surface {
	return &Surface{Config: c, press: sync.OnceValues(paper.New), turns: make(chan struct{}, runtime.GOMAXPROCS(0)), room: newRoom()}
}

// Base is where the surface stands.
const Base = "/v1-3"

// Rows is the route table: what the surface can do.
func (s *Surface) Rows() []wire.Route {
	return slices.Concat(s.healthRows(), s.calculateRows(), s.scanRows(), s.validateRows(), s.exportRows(), s.parseRows())
}

// tagTools is the chapter of the document that shows the tools.
const tagTools = "Tools"
