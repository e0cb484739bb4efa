package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"khatm/service/internal/account"
	"khatm/service/internal/api"
	"khatm/service/internal/app"
	"khatm/service/internal/archive"
	"khatm/service/internal/backup"
	"khatm/service/internal/blob"
	"khatm/service/internal/capacity"
	"khatm/service/internal/continuity"
	"khatm/service/internal/docs"
	"khatm/service/internal/guest"
	"khatm/service/internal/issue"
	"khatm/service/internal/limit"
	"khatm/service/internal/mail"
	"khatm/service/internal/ready"
	"khatm/service/internal/recovery"
	"khatm/service/internal/share"
	"khatm/service/internal/site"
	"khatm/service/internal/store"
	"khatm/service/internal/submit"
	"khatm/service/internal/vault"
	"khatm/service/internal/wire"
	"khatm/service/internal/work"
	"khatm/web"
)

// Server is the invoicing service, ready to serve requests.
type Server struct {
	config       Config
	newID        func() uuid.UUID
	store        *store.Store
	files        *blob.Files
	vault        *vault.Ring
	frame        *wire.Frame
	issuer       *issue.Issuer
	accounts     *account.Accounts
	wakeResets   func() // sends the links for new passwords
	sharer       *share.Sharer
	sender       *submit.Submitter
	postman      *mail.Postman
	loops        *work.Loops
	metrics      *metrics
	certificates certificates // nil for plain HTTP
	limits       *capacity.Limits
	traces       *sdk.TracerProvider // nil without a collector

	enrolling *enrolling
	importing atomic.Pointer[func()] // wakes the loop of imports

	current atomic.Pointer[environment] // nil until an environment is chosen
	follow  func()                      // looks for the chosen environment at once; nil if it was known at the start

	backups *backup.Daily // nil if disabled

	draining atomic.Bool
	stopping chan struct{} // closed when the server begins to stop
	stopOnce sync.Once
	issuing  *ready.Status
	guard    *continuity.Guard
	marks    *continuity.Marks // nil if disabled
	watch    *watch
	trail    trailAlarm

	archive    *archive.Archive // nil if there is none
	heartbeats *recovery.Heartbeats
	notes      *recovery.Notes
	reach      *recovery.Reach
	proven     bool // the archive proved at the start that the database is complete
}

// New opens the database and everything else that the server needs. The caller
// must close the returned Server.
func New(ctx context.Context, c Config) (*Server, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	watched := newWatch(c)
	c.Now = watched.clock.Now // corrects a clock that is known to be wrong
	s := &Server{config: c, newID: NewIDs(c.Now, c.Random), metrics: newMetrics(), limits: newCapacity(c), issuing: &ready.Status{}, watch: watched, stopping: make(chan struct{}), enrolling: newEnrolling()}
	s.metrics.watchIssuing(s.issuing)
	s.metrics.watchTrail(&s.trail)
	s.metrics.watchCapacity(s.limits)
	s.metrics.watchClock(watched.clock)
	s.metrics.watchDisk(c.Data)
	s.metrics.showBuild(c.Build)
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, err
	}
	if err := s.build(ctx); err != nil {
		s.Close()
		return nil, err
	}
	s.start()
	return s, nil
}

// open opens the database, the vault and the files.
func (s *Server) open(ctx context.Context) (err error) {
	c := s.config
	// The embedded database would create the data folder, but PostgreSQL would
	// not, and files and the master key are stored there in any case.
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("create the data folder: %w", err)
	}
	s.store, err = store.Serve(ctx, store.Config{Dir: c.Data, URL: c.Database, Wait: c.DatabaseWait, Now: c.Now, NewID: s.newID, Log: c.Log, Cache: c.pageCache(), Connections: c.connections, Read: s.limits.Read, Point: c.point, Committed: s.committed, Halted: s.halted})
	if err != nil {
		return err
	}
	s.metrics.watchDatabase(s.store)
	if err := s.bind(ctx); err != nil {
		return err
	}
	if err := s.checkPlans(ctx); err != nil {
		return err
	}
	if s.vault, err = openVault(ctx, c, s.store); err != nil {
		return err
	}
	if s.files, err = openFiles(ctx, c, s.store); err != nil {
		return err
	}
	if s.traces, err = openTraces(c.TraceEndpoint); err != nil {
		return err
	}
	if err := s.openTLS(); err != nil {
		return err
	}
	if err := s.openArchive(ctx); err != nil {
		return err
	}
	if err := s.openContinuity(ctx); err != nil {
		return err
	}
	return s.openNotes(ctx)
}

// checkPlans returns an error if a plan does not exist that the first organisation
// would get from the set-up link, or others by signing up.
func (s *Server) checkPlans(ctx context.Context) error {
	empty, err := s.Empty(ctx)
	if err != nil {
		return err
	}
	type setting struct{ flag, slug string }
	var used []setting
	signUp := app.SignUp(s.config.SignUp)
	if empty && signUp != app.SignUpClosed {
		used = append(used, setting{"--default-plan", s.config.FirstPlan})
	}
	if signUp == app.SignUpOpen {
		used = append(used, setting{"--signup-plan", s.config.SignUpPlan})
	}
	if len(used) == 0 {
		return nil
	}
	plans, err := s.store.Plans(ctx)
	if err != nil {
		return err
	}
	var slugs []string
	for _, p := range plans {
		slugs = append(slugs, p.Slug)
	}
	for _, one := range used {
		if !slices.Contains(slugs, one.slug) {
			return fmt.Errorf("%s is %q; it must be one of %s", one.flag, one.slug, strings.Join(slugs, ", "))
		}
	}
	return nil
}

// openVault loads or creates the master keys and binds the database to them.
func openVault(ctx context.Context, c Config, kept *store.Store) (*vault.Ring, error) {
	config := vault.Config{Keys: c.MasterKey, Random: c.Random, Now: c.Now}
	if c.MasterKey.IsZero() {
		config.File, config.Create = c.keyFile(), true
	}
	ring, err := vault.LoadFor(ctx, config, kept)
	if err != nil {
		return nil, err
	}
	return ring, ring.Tie(ctx, kept)
}

// build creates the parts of the service, with all routes.
func (s *Server) build(ctx context.Context) error {
	c := s.config
	accounts := account.New(account.Config{Keeper: s.store, Now: c.Now, NewID: s.newID, Random: c.Random, Cost: c.passwords, URL: s.url(), Capacity: s.limits, Vault: s.vault})
	s.accounts, s.wakeResets = accounts, func() {}
	config := wire.Config{
		Identities:  accounts,
		Capacity:    s.limits,
		Streams:     wire.Streams{Stopping: s.stopping},
		Limiter:     limit.New(s.counter(), c.Now),
		Windows:     c.Rates.windows(),
		Visits:      wire.Visits{Daily: c.Rates.PublicDaily, Monthly: c.Rates.PublicMonthly, Meter: s.store},
		Proxies:     c.TrustedProxies,
		Environment: func() string { return string(s.Environment()) },
		NewID:       newRequestIDs(c.Random),
		Now:         c.Now,
		Log:         c.Log,
		Observe:     s.observe,
	}
	if c.FairUse {
		config.FairUse = s.store
	}
	s.frame = wire.New(config)
	s.buildSender()
	if err := errors.Join(s.connect(ctx), s.buildPostman()); err != nil {
		return err
	}
	s.issuer = issue.New(issue.Config{
		Keeper: s.store, Vault: s.vault, Now: c.Now, NewID: s.newID, Random: c.Random, Log: c.Log, UpgradeURL: s.url() + "/plan",
		Waits: capacity.Idle, Issued: s.sender.Wake, Paused: func() bool { return c.Sending.Paused }, Ready: s.canIssue, StillReady: s.canStillIssue, Continuity: appendGuard{s.guard, s.metrics.batches},
	})
	s.buildSharer()
	if !c.serves() {
		return nil // the frame refuses everything
	}
	return s.buildSurfaces(accounts)
}

// documentation returns the pages of the OpenAPI documents, which depend on nothing but
// this program.
var documentation = sync.OnceValues(func() (*docs.Page, error) { return docs.New(web.SwaggerUI()) })

// buildSurfaces registers all routes.
func (s *Server) buildSurfaces(accounts *account.Accounts) error {
	c := s.config
	drawn := s.renderer()
	surface := api.New(api.Config{
		Issuer: s.issuer, Sender: s.sender, Renderer: drawn, Explain: s.explain, OpenShare: s.openShare,
		Keeper: s.store, Files: files{s.files}, URL: s.url(), Validations: c.Rates.PublicMonthly, Capacity: s.limits, Now: c.Now, NewID: s.newID,
	})
	s.frame.Surface(api.Base, surface.Rows())
	surface.Publish(s.frame)
	page, err := documentation()
	if err != nil {
		return err
	}
	page.Open(s.frame.Open, api.Base+"/api/integrations/docs")
	links := s.guestConfig(drawn)
	s.buildApp(accounts, surface, drawn, page)
	s.buildTools(page, guest.NewEndpoints(links).Rows(), surface.Lookups())
	if err := site.Mount(s.frame, web.Files()); err != nil {
		return err
	}
	return s.buildGuest(links)
}

// openShare returns the token of the share link of an invoice.
func (s *Server) openShare(invoice uuid.UUID, sealed []byte) (string, error) {
	token, err := s.vault.Open(issue.SharePurpose, invoice.String(), sealed)
	return string(token), err
}

// counter returns the counter of the rate limits: in the database if several
// processes can share it, otherwise in memory.
func (s *Server) counter() limit.Counter {
	if s.config.counter != nil {
		return s.config.counter
	}
	if shared := s.store.Windows(); shared != nil {
		return shared
	}
	return limit.NewMemory()
}

// start starts the background loops.
func (s *Server) start() {
	s.loops = work.New(s.config.Log)
	s.loops.Start("seal the audit trail", time.Second, s.sealTrail)
	s.startContinuity()
	s.startReplication()
	s.startArchive()
	s.startWatch()
	if s.Environment() == "" {
		s.awaitEnvironment()
	} else {
		s.startSender()
	}
	s.startScrub()
	s.startMoving()
	s.startWork()
}

// startGuards starts the loop that deletes old guards against duplicates.
func (s *Server) startGuards() {
	s.loops.Start("delete expired duplicate guards", time.Minute, func(ctx context.Context) error {
		if !s.hasBegun() || !s.trusted() {
			return nil
		}
		return s.store.SweepGuards(ctx, s.config.Now())
	})
}

// startRates starts the loop that deletes old windows of the rate limits, if they are
// in the database.
func (s *Server) startRates() {
	if shared := s.store.Windows(); shared != nil {
		s.loops.Start("delete old rate windows", time.Minute, func(ctx context.Context) error {
			return shared.Sweep(ctx, s.config.Now().Add(-time.Minute))
		})
	}
}

// Handler returns the handler of the whole HTTP API.
func (s *Server) Handler() http.Handler { return s.traced(s.frame) }

// stopTime limits the wait for background work when closing.
const stopTime = 5 * time.Second

// Close stops all background work and closes the database.
func (s *Server) Close() {
	s.endStreams()
	if s.issuer != nil {
		s.issuer.Close()
	}
	if s.loops != nil {
		s.loops.Stop(stopTime)
	}
	s.enrolling.close(stopTime)
	s.closeSender()
	if s.traces != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if err := s.traces.Shutdown(ctx); err != nil {
			s.config.Log.Error("cannot send the last traces", "cause", err.Error())
		}
	}
	if s.marks != nil {
		s.marks.Close()
	}
	if s.files != nil {
		if err := s.files.Close(); err != nil {
			s.config.Log.Error("cannot close the files", "cause", err.Error())
		}
	}
	if s.store != nil {
		s.store.Close()
	}
	if s.archive != nil {
		if err := s.archive.Close(); err != nil {
			s.config.Log.Error("cannot close the archive", "cause", err.Error())
		}
	}
}
