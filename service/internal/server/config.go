// Package server connects the packages of the invoicing service: it opens the
// database and the vault, builds the HTTP surfaces, serves them, and stops in an
// orderly way. It is the only package that imports all of them.
package server

import (
	"crypto/rand"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/clock"
	"khatm/service/internal/device"
	"khatm/service/internal/limit"
	"khatm/service/internal/vault"
)

// Config is every setting of a server. The zero value of a field is not always
// its default: begin with Defaults.
type Config struct {
	Address    string // where the surfaces are served
	Operations string // where metrics and health are served; empty: nowhere
	URL        string // how callers reach us; empty: by Address
	Data       string // folder of everything that is kept
	Database   string // address of a PostgreSQL; empty: embedded, in Data
	Authority  string // simulator, sandbox, simulation or production

	AuthorityURL string // where the authority is; empty: at its published address, which the simulator has not
	Sending      Sending

	SMTP     Secret // address of the mail server, which may hold a password; empty: letters wait
	MailFrom string // whom letters are from: "Name <address>"

	// Marks is the folder, outside Data, in which a server records what it has
	// issued, so that a restored database is noticed; empty: nowhere. If they are
	// optional, a folder that cannot be written is logged and not an error.
	Marks         string
	MarksOptional bool

	MasterKeyFile string // empty: in Data
	MasterKey     Secret // instead of a file

	Backups Backups

	Rates          Rates
	FairUse        bool
	TrustedProxies []netip.Prefix
	TraceEndpoint  string // of an OpenTelemetry collector; empty: no traces

	Log    *slog.Logger
	Now    func() time.Time
	Boot   func() time.Duration // time since the machine was started, whatever the wall clock is set to
	Random io.Reader

	DiskFloor uint64 // bytes of free space below which an embedded database takes no new documents

	point     func(step string) error // of tests: see store.Config
	counter   limit.Counter           // of tests: instead of the usual
	passwords account.Cost            // of tests: hashed at less than the usual cost
	mailRoots *x509.CertPool          // of tests: whose certificate of a mail server is believed; nil: the machine's
}

// Sending is how documents are sent to the authority.
type Sending struct {
	Paused      bool          // nothing is sent; what is created is held
	Workers     int           // documents under way at a time
	Timeout     time.Duration // of a call
	LeaseMargin time.Duration // how much longer than a call a turn lasts
	Poll        time.Duration // how often is looked without being woken
	RetryFirst  time.Duration // after the first try without an answer; doubled each time
	RetryMost   time.Duration
	ProbeFirst  time.Duration // after which a parked device is tried; doubled each time
	ProbeMost   time.Duration
	Silence     time.Duration // after a 429 that does not say how long
	CopyFirst   time.Duration // after which a stamped copy that is missing is requested again; doubled each time
	CopyMost    time.Duration
}

// Secret is a text that no print or log shows.
type Secret = vault.Secret

// NewSecret makes a secret of a text.
func NewSecret(text string) Secret { return vault.NewSecret([]byte(text)) }

// Rates are the rate limits.
type Rates struct {
	Key           int // calls of a key, a minute
	Person        int // calls of somebody signed in, a minute
	IP            int // calls without credentials of an address, a minute
	Clients       int // clients that a key creates, a minute
	PublicDaily   int // calls of the public tools without credentials, a day
	PublicMonthly int // calls of the public tools on the free plan, a month
	SharedHourly  int // calls on a shared link, an hour
	SignIn        int // sign-ins from an address, a minute
	SignInPair    int // sign-ins that fail with an e-mail address from an IP address, an hour
	SignInEmail   int // sign-ins that fail with an e-mail address, an hour
}

// Defaults are the settings of a server that was told nothing.
func Defaults() Config {
	return Config{
		Address:    "127.0.0.1:8080",
		Operations: "127.0.0.1:8081",
		Data:       "khatm-data",
		Authority:  string(device.Simulator),
		Rates:      Rates{Key: 200, Person: 200, IP: 100, Clients: 50, PublicDaily: 10, PublicMonthly: 100, SharedHourly: 60, SignIn: 10, SignInPair: 20, SignInEmail: 100},
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

// leastFloor is the least that DiskFloor can be. On a disk that is fuller, a
// small write may still succeed where an invoice does not.
const leastFloor = 16 << 20

// check refuses settings that cannot work, in words.
func (c *Config) check() error {
	if !isEnvironment(c.Authority) {
		return fmt.Errorf("--authority is %q; it is one of simulator, sandbox, simulation, production", c.Authority)
	}
	if c.URL != "" {
		at, err := url.Parse(c.URL)
		if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" || strings.Trim(at.Path, "/") != "" || at.RawQuery != "" {
			return fmt.Errorf("--url is %q; it looks like https://invoices.example.sa, without a path", c.URL)
		}
		c.URL = strings.TrimRight(c.URL, "/")
	}
	if err := c.checkMarks(); err != nil {
		return err
	}
	if c.DiskFloor < leastFloor {
		return fmt.Errorf("--disk-floor is %d MiB; it is at least %d", c.DiskFloor>>20, leastFloor>>20)
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
			return fmt.Errorf("--rate-limit-%s is %d; it is at least 1", name, limit)
		}
	}
	return nil
}

// check refuses settings with which nothing would be sent, or all at once.
func (s Sending) check() error {
	if s.Workers < 1 || s.Workers > 1024 {
		return fmt.Errorf("--submit-workers is %d; it is from 1 to 1024", s.Workers)
	}
	for name, d := range map[string]time.Duration{"--submit-timeout": s.Timeout, "--submit-retry": s.RetryFirst, "--submit-retry-most": s.RetryMost} {
		if d < time.Millisecond || d > time.Hour {
			return fmt.Errorf("%s is %s; it is from 1ms to 1h", name, d)
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
