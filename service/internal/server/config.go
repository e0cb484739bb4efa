// Package server assembles and runs the invoicing service: it opens the database
// and the vault, registers the HTTP routes, serves them, and shuts down
// gracefully. It is the only package that imports all the others.
package server

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/app"
	"khatm/service/internal/authority"
	"khatm/service/internal/blob"
	"khatm/service/internal/clock"
	"khatm/service/internal/device"
	"khatm/service/internal/limit"
	"khatm/service/internal/org"
	"khatm/service/internal/vault"
)

// Config holds all settings of a server. Start from Defaults: the zero value of
// a field is not always its default.
type Config struct {
	// Role is what the server does: api serves HTTP and issues, worker does the
	// background work that one of several servers on PostgreSQL can do for all, such
	// as sending documents, and all does both.
	Role string

	Address    string // listen address of the API
	Operations string // listen address of metrics and health checks; empty disables them
	URL        string // public base URL; derived from Address if empty
	TLS        TLS
	Data       string // data folder
	Database   string // PostgreSQL URL; empty selects the embedded database in Data
	// DatabaseWait is how long the start waits for a PostgreSQL server that cannot
	// be reached or is starting.
	DatabaseWait time.Duration
	// TrustFailover continues to issue after a promotion of a PostgreSQL standby, if
	// synchronous replication was in force before. While it is not, nothing is
	// issued.
	TrustFailover bool

	Authority string // simulator, sandbox, simulation or production; empty for the environment of the database, which can be chosen while the server runs

	AuthorityURL string // base URL of the authority; empty selects the published one, which the simulator does not have
	// Simulator starts the simulator, or finds a running one, and returns its
	// base URL. It is called if the environment is the simulator and there is no
	// AuthorityURL. It may be nil.
	Simulator func(ctx context.Context) (string, error)
	// OneTimePassword returns a one-time password of that simulator for a VAT
	// number, so that people need none. It may be nil.
	OneTimePassword func(ctx context.Context, vatNumber string) (string, error)
	Sending         Sending

	SignUp     string // first: the holder of the set-up link creates the first organisation; open: everyone with an e-mail address, too; closed: only the operator
	FirstPlan  string // slug of the plan of that organisation
	SignUpPlan string // slug of the plan of organisations of people who sign up

	SMTP     Secret // URL of the mail server, which may contain a password; if empty, e-mails are stored but not sent
	MailFrom string // sender of e-mails: "Name <address>"

	// Marks is a folder outside Data in which the server records what it has
	// issued, so that it can detect a restored database; empty disables this.
	// If MarksOptional is set, a folder that cannot be used is only logged.
	Marks         string
	MarksOptional bool

	Archive Archive

	// Blob is the location of pictures and other uploaded files: empty for the data
	// folder, "postgres" for the database, or s3://bucket/prefix?endpoint=https://host.
	Blob string

	MasterKeyFile string // empty selects master.key in Data
	MasterKey     Secret // used instead of MasterKeyFile

	Backups Backups

	Build Build // shown in the metrics

	// Memory is the memory of the process in bytes, from which the limits of
	// concurrent work are derived. 0 means a quarter of the machine's memory, at
	// most 2 GiB. The process must also set Heap as its GOMEMLIMIT.
	Memory int64

	Rates          Rates
	FairUse        bool
	TrustedProxies []netip.Prefix
	BehindProxy    bool   // a proxy in front of the server encrypts the connections
	TraceEndpoint  string // URL of an OpenTelemetry collector; empty disables tracing

	// Drain is how long a server that is stopped still accepts requests, while
	// /readyz responds with 503, so that load balancers stop using it. EndDrain
	// ends that period when it is closed; it may be nil.
	Drain    time.Duration
	EndDrain <-chan struct{}

	Log    *slog.Logger
	Now    func() time.Time
	Boot   func() time.Duration // time since boot, independent of the wall clock
	Random io.Reader

	DiskFloor uint64 // minimum free bytes on disk for an embedded database to issue documents

	point       func(step string) error // test hook; see store.Config
	counter     limit.Counter           // test hook; replaces the default counter
	passwords   account.Cost            // test hook; reduces the cost of password hashing
	watch       time.Duration           // test hook; replaces archive.WatchFor
	maxWait     time.Duration           // test hook; longest wait for capacity, 0 for the default
	connections int                     // test hook; connections for reading SQLite, or to PostgreSQL; 0 for the default
	mailRoots   *x509.CertPool          // test hook; trusted roots for mail servers, nil for the system's
}

// Sending configures how documents are sent to the authority.
type Sending struct {
	Paused      bool          // send nothing; new documents are held
	Workers     int           // maximum number of documents being sent
	Timeout     time.Duration // of one call
	LeaseMargin time.Duration // added to Timeout to get the lease of a claim
	Poll        time.Duration // poll interval
	RetryFirst  time.Duration // delay after the first unanswered attempt; doubled each time
	RetryMost   time.Duration
	ProbeFirst  time.Duration // delay before a parked device is tried again; doubled each time
	ProbeMost   time.Duration
	Silence     time.Duration // delay after a 429 without Retry-After
	CopyFirst   time.Duration // delay before a missing stamped copy is requested again; doubled each time
	CopyMost    time.Duration
}

// Secret is a string that is redacted when printed or logged.
type Secret = vault.Secret

// NewSecret returns text as a Secret.
func NewSecret(text string) Secret { return vault.NewSecret([]byte(text)) }

// Defaults returns the default settings.
func Defaults() Config {
	return Config{
		Role:       RoleAll,
		Address:    "127.0.0.1:8080",
		Operations: "127.0.0.1:8081",
		Data:       "khatm-data",
		Authority:  string(device.Simulator),
		SignUp:     string(app.SignUpFirst),
		FirstPlan:  "enterprise",
		SignUpPlan: org.FreePlan,
		Rates:      defaultRates(),
		Sending: Sending{
			Workers: 64, Timeout: 60 * time.Second, LeaseMargin: 30 * time.Second, Poll: 500 * time.Millisecond,
			RetryFirst: 2 * time.Second, RetryMost: 15 * time.Minute, ProbeFirst: 30 * time.Second, ProbeMost: 15 * time.Minute, Silence: time.Second,
			CopyFirst: 5 * time.Second, CopyMost: time.Hour,
		},
		Log:    slog.New(slog.DiscardHandler),
		Now:    time.Now,
		Boot:   clock.Boot,
		Random: rand.Reader,

		DiskFloor: 64 << 20,
		Backups:   Backups{Keep: 14},
	}
}

// leastFloor is the minimum of DiskFloor. With less free space, small writes may
// succeed while an invoice fails.
const leastFloor = 16 << 20

// maxDrain is the maximum of Drain.
const maxDrain = 10 * time.Minute

// maxDatabaseWait is the maximum of DatabaseWait.
const maxDatabaseWait = 10 * time.Minute

// check returns an error for settings that cannot work.
func (c *Config) check() error {
	if c.Authority != "" && !isEnvironment(c.Authority) {
		return fmt.Errorf("--authority is %q; it must be simulator, sandbox, simulation or production", c.Authority)
	}
	if err := c.checkRole(); err != nil {
		return err
	}
	if c.URL != "" {
		at, err := url.Parse(c.URL)
		if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || strings.Trim(at.Path, "/") != "" || at.RawQuery != "" {
			return fmt.Errorf("--url is %q; it must look like https://invoices.example.sa, without a path", c.URL)
		}
		c.URL = strings.TrimRight(c.URL, "/")
	}
	if err := c.checkTLS(); err != nil {
		return err
	}
	if c.AuthorityURL != "" {
		if err := authority.CheckURL(device.Environment(c.Authority), c.AuthorityURL); err != nil {
			return fmt.Errorf("--authority-url: %w", err)
		}
	}
	if err := c.checkSignUp(); err != nil {
		return err
	}
	if err := c.checkArchive(); err != nil {
		return err
	}
	if err := blob.CheckLocation(c.Blob, c.Database != ""); err != nil {
		return err
	}
	if err := c.checkMarks(); err != nil {
		return err
	}
	if c.DiskFloor < leastFloor {
		return fmt.Errorf("--disk-floor is %d MiB; it must be at least %d", c.DiskFloor>>20, leastFloor>>20)
	}
	if c.Drain < 0 || c.Drain > maxDrain {
		return fmt.Errorf("--drain is %s; it must be from 0s to %s", c.Drain, maxDrain)
	}
	if c.DatabaseWait < 0 || c.DatabaseWait > maxDatabaseWait {
		return fmt.Errorf("--database-wait is %s; it must be from 0s to %s", c.DatabaseWait, maxDatabaseWait)
	}
	if c.TrustFailover && c.Database == "" {
		return errors.New("--trust-failover needs a PostgreSQL database: set --database or KHATM_DATABASE")
	}
	if err := c.checkMemory(); err != nil {
		return err
	}
	if err := c.Sending.check(); err != nil {
		return err
	}
	if err := c.checkMail(); err != nil {
		return err
	}
	if err := c.Backups.check(); err != nil {
		return err
	}
	for name, limit := range map[string]int{
		"key": c.Rates.Key, "person": c.Rates.Person, "ip": c.Rates.IP, "clients": c.Rates.Clients,
		"public-daily": c.Rates.PublicDaily, "public-monthly": c.Rates.PublicMonthly, "shared-hourly": c.Rates.SharedHourly,
	} {
		if limit < 1 {
			return fmt.Errorf("--rate-limit-%s is %d; it must be at least 1", name, limit)
		}
	}
	return nil
}

// check returns an error for settings that are out of range.
func (s Sending) check() error {
	if s.Workers < 1 || s.Workers > 1024 {
		return fmt.Errorf("--submit-workers is %d; it must be from 1 to 1024", s.Workers)
	}
	for name, d := range map[string]time.Duration{"--submit-timeout": s.Timeout, "--submit-retry": s.RetryFirst, "--submit-retry-most": s.RetryMost} {
		if d < time.Millisecond || d > time.Hour {
			return fmt.Errorf("%s is %s; it must be from 1ms to 1h", name, d)
		}
	}
	return nil
}

func isEnvironment(name string) bool {
	for _, e := range device.Environments() {
		if string(e) == name {
			return true
		}
	}
	return false
}

func (c Config) keyFile() string {
	if c.MasterKeyFile != "" {
		return c.MasterKeyFile
	}
	return filepath.Join(c.Data, "master.key")
}
