package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"khatm/service"
	"khatm/simulator"
)

// authoritySetting holds the flags for the environment of the tax authority and its
// address.
type authoritySetting struct {
	Authority    string `default:"" enum:",simulator,sandbox,simulation,production" env:"KHATM_AUTHORITY" placeholder:"NAME" help:"Environment of the tax authority: simulator, sandbox, simulation or production (default: that of the database). A database belongs to one environment; it cannot be changed later."`
	AuthorityURL string `name:"authority-url" env:"KHATM_AUTHORITY_URL" placeholder:"URL" help:"URL of the authority (default: its published address; with --authority simulator, a simulator that the server runs on this machine). To use a separate simulator, give the URL that khatm authority prints."`
}

// serverSetting holds the flags of the server that khatm doctor needs too.
type serverSetting struct {
	Operations string `default:"127.0.0.1:8081" env:"KHATM_OPERATIONS" placeholder:"HOST:PORT" help:"Address for metrics and health checks, or off for none (default ${default})."`
	DiskFloor  uint32 `default:"64" env:"KHATM_DISK_FLOOR" placeholder:"MIB" help:"Free disk space in MiB below which a server with an SQLite database issues no invoices (default ${default})."`
}

// floor returns DiskFloor in bytes.
func (s serverSetting) floor() uint64 { return uint64(s.DiskFloor) << 20 }

// off is the value of --operations that turns the listener off.
const off = "off"

// serve runs the service until a signal ends it.
type serve struct {
	settings
	authoritySetting
	marksSetting
	serverSetting
	signUpSetting
	addressSetting
	Role         string    `default:"all" enum:"all,api,worker" env:"KHATM_ROLE" placeholder:"ROLE" help:"Role of this server if several share a PostgreSQL database: api serves HTTP and issues, worker does the background work, such as sending to the authority, and serves only metrics and health checks, all does both (default ${default})."`
	ACMEEmail    string    `name:"acme-email" env:"KHATM_ACME_EMAIL" placeholder:"ADDRESS" help:"E-mail address for messages of the ACME certificate authority."`
	RedirectHTTP string    `name:"redirect-http" env:"KHATM_REDIRECT_HTTP" placeholder:"HOST:PORT" help:"With HTTPS: redirect plain HTTP on this address, usually :80, to the public URL. With --acme, the certificate authority can also use it to check the host."`
	TrustedProxy []network `env:"KHATM_TRUSTED_PROXIES" placeholder:"CIDR" help:"Proxies whose X-Forwarded-For header is trusted: addresses or networks, separated by commas."`
	drainSetting
	DatabaseWait time.Duration `default:"30s" env:"KHATM_DATABASE_WAIT" placeholder:"TIME" help:"How long the start waits for a PostgreSQL server that cannot be reached or is starting (default ${default})."`

	TrustFailover bool `env:"KHATM_TRUST_FAILOVER" help:"Go on issuing after a synchronous standby of PostgreSQL was promoted, and issue only while PostgreSQL replicates synchronously. See docs/operating.md."`

	Memory memorySize `env:"KHATM_MEMORY" placeholder:"SIZE" help:"Memory of the server, such as 512MiB or 2GiB. It determines how many requests and bytes are processed at a time (default: a quarter of the machine's memory, at most 2GiB)."`

	RateLimitKey           int  `default:"200" env:"KHATM_RATE_LIMIT_KEY" placeholder:"N" help:"Calls per minute for each API key (default ${default})."`
	RateLimitPerson        int  `default:"200" env:"KHATM_RATE_LIMIT_PERSON" placeholder:"N" help:"Calls per minute for each signed-in user (default ${default})."`
	RateLimitIP            int  `name:"rate-limit-ip" default:"100" env:"KHATM_RATE_LIMIT_IP" placeholder:"N" help:"Calls per minute without credentials for each IP address (default ${default})."`
	RateLimitClients       int  `default:"50" env:"KHATM_RATE_LIMIT_CLIENTS" placeholder:"N" help:"New clients per minute for each API key (default ${default})."`
	RateLimitPublicDaily   int  `default:"10" env:"KHATM_RATE_LIMIT_PUBLIC_DAILY" placeholder:"N" help:"Calls per day to the public tools for each IP address (default ${default})."`
	RateLimitPublicMonthly int  `default:"100" env:"KHATM_RATE_LIMIT_PUBLIC_MONTHLY" placeholder:"N" help:"Calls per month to the public tools for each organisation on the free plan, by its signed-in users (default ${default})."`
	RateLimitSharedHourly  int  `default:"60" env:"KHATM_RATE_LIMIT_SHARED_HOURLY" placeholder:"N" help:"Calls per hour for each shared link (default ${default})."`
	FairUse                bool `env:"KHATM_FAIR_USE" help:"Enforce the monthly number of write calls of each plan."`

	Mood            string        `env:"KHATM_MOOD" placeholder:"MOOD" help:"Mood of the server's simulator: polite, moody, nod, outage, or a .json file with a plan (default polite); khatm mood changes it later."`
	PauseSubmission bool          `env:"KHATM_PAUSE_SUBMISSION" help:"Send nothing to the authority. New documents are stored, and sent when the server runs without this flag."`
	SubmitWorkers   int           `default:"64" env:"KHATM_SUBMIT_WORKERS" placeholder:"N" help:"Documents sent to the authority at the same time (default ${default})."`
	SubmitTimeout   time.Duration `default:"60s" env:"KHATM_SUBMIT_TIMEOUT" placeholder:"TIME" help:"Timeout for the authority's answer (default ${default})."`
	SubmitRetry     time.Duration `default:"2s" env:"KHATM_SUBMIT_RETRY" placeholder:"TIME" help:"Delay before a document without an answer is sent again; it doubles with each attempt (default ${default})."`
	SubmitRetryMost time.Duration `default:"15m" env:"KHATM_SUBMIT_RETRY_MOST" placeholder:"TIME" help:"Longest delay between two attempts (default ${default})."`

	SMTP     string `name:"smtp" env:"KHATM_SMTP" placeholder:"URL" help:"Mail server, as smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465 (TLS). Without one, e-mails stay queued; see khatm outbox. Set a password in KHATM_SMTP, because every user of the machine can read flags."`
	MailFrom string `env:"KHATM_MAIL_FROM" placeholder:"ADDRESS" help:"Sender of e-mails, such as 'Example Trading <invoices@example.sa>'."`

	BackupDaily     string `env:"KHATM_BACKUP_DAILY" placeholder:"DIR" help:"Write a backup to this folder every night between 03:00 and 04:00 Riyadh time. The folder must exist; use another disk."`
	Archive         string `env:"KHATM_ARCHIVE" placeholder:"LOCATION" help:"Write everything that is issued to this folder as well, or to an S3 bucket: s3://BUCKET/PREFIX?endpoint=URL&region=REGION. A document is sent to the authority only when it is archived. Use another disk. See docs/archive.md."`
	ArchiveWait     bool   `env:"KHATM_ARCHIVE_WAIT" help:"Acknowledge documents only when they are archived. It is always so with a folder."`
	ArchiveReplaces bool   `env:"KHATM_ARCHIVE_REPLACES" help:"The archive replaces the one that the installation has at another location. Stop all servers first. Everything is written to the new one."`
	BackupKeep      int    `default:"14" env:"KHATM_BACKUP_KEEP" placeholder:"N" help:"Number of daily backups to keep (default ${default})."`

	TraceEndpoint string `env:"KHATM_TRACE_ENDPOINT,OTEL_EXPORTER_OTLP_ENDPOINT" placeholder:"URL" help:"OpenTelemetry collector that receives traces."`
	logSetting
}

// Run serves until SIGINT or SIGTERM, then lets running requests finish. A second
// signal ends the drain period, and the next one the process.
func (c serve) Run(t *console) (err error) {
	ctx, second, stop := untilSignal(c.drain() > 0)
	defer stop()
	config, err := c.config(t)
	if err != nil {
		return err
	}
	config.EndDrain = second
	sim := &lateSimulator{data: c.Data, mood: c.Mood}
	if err := c.checkMood(c.Authority); err != nil {
		return err
	}
	config.Simulator, config.OneTimePassword = sim.open, sim.password
	defer func() { err = errors.Join(err, sim.close()) }() // after the last call of the server
	s, err := service.New(ctx, config)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := c.checkMood(s.Environment()); err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(service.GCPercent)
		debug.SetMemoryLimit(config.Heap())
		go returnIdleMemory(ctx)
	}
	empty, err := s.Empty(ctx)
	if err != nil {
		return err
	}
	token := ""
	if empty && c.SignUp != closed && c.Role != service.RoleWorker && isTerminal(t.out) {
		if token, err = s.NewSetUp(ctx, operator()); err != nil {
			return err
		}
	}
	if !isTerminal(t.out) {
		if empty {
			c.advise(config.Log)
		}
		return s.Run(ctx, nil)
	}
	return s.Run(ctx, func(address string) { c.explain(t, address, s.Environment(), empty, token) })
}

// checkMood rejects a mood that the simulator does not know, and any mood for a
// server that runs no simulator. The environment may be unknown.
func (c serve) checkMood(environment string) error {
	if c.Mood == "" {
		return nil
	}
	if environment != "" && environment != "simulator" || c.AuthorityURL != "" {
		return onlyEmbedded(c.Mood)
	}
	plan, err := moodText(c.Mood)
	if err != nil {
		return err
	}
	trial, err := simulator.New(simulator.Config{Mood: plan})
	if err != nil {
		return err
	}
	return trial.Close()
}

func (c serve) config(t *console) (service.Config, error) {
	config := service.Defaults()
	config.Role = c.Role
	at := c.addressSetting.config()
	config.Address, config.URL, config.TLS = at.Address, at.URL, at.TLS
	config.TLS.ACMEEmail, config.TLS.Redirect = c.ACMEEmail, c.RedirectHTTP
	config.BehindProxy = c.BehindProxy
	config.SignUp, config.FirstPlan, config.SignUpPlan = c.SignUp, c.DefaultPlan, c.SignUpPlan
	if config.Operations = c.Operations; config.Operations == off {
		config.Operations = ""
	}
	config.DiskFloor, config.Drain, config.Memory = c.floor(), c.drain(), int64(c.Memory)
	config.Data, config.Database, config.Authority = c.Data, c.Database, c.Authority
	config.Blob, config.DatabaseWait, config.TrustFailover = c.Blob, c.DatabaseWait, c.TrustFailover
	config.MasterKeyFile = c.MasterKeyFile
	config.Marks, config.MarksOptional = c.folder()
	config.Archive = service.Archive{Location: c.Archive, Wait: c.ArchiveWait || !strings.HasPrefix(c.Archive, "s3:"), Replaces: c.ArchiveReplaces}
	config.Rates.Key, config.Rates.Person = c.RateLimitKey, c.RateLimitPerson
	config.Rates.IP, config.Rates.Clients = c.RateLimitIP, c.RateLimitClients
	config.Rates.PublicDaily, config.Rates.PublicMonthly = c.RateLimitPublicDaily, c.RateLimitPublicMonthly
	config.Rates.SharedHourly = c.RateLimitSharedHourly
	config.AuthorityURL, config.Sending.Paused = c.AuthorityURL, c.PauseSubmission
	config.Sending.Workers, config.Sending.Timeout = c.SubmitWorkers, c.SubmitTimeout
	config.Sending.RetryFirst, config.Sending.RetryMost = c.SubmitRetry, c.SubmitRetryMost
	config.SMTP, config.MailFrom = service.NewSecret(c.SMTP), c.MailFrom
	config.Build = service.Build{Version: version, Revision: thisBuild().Revision}
	config.Backups = service.Backups{Dir: c.BackupDaily, Keep: c.BackupKeep, Program: version}
	config.FairUse, config.TraceEndpoint = c.FairUse, c.TraceEndpoint
	for _, n := range c.TrustedProxy {
		config.TrustedProxies = append(config.TrustedProxies, netip.Prefix(n))
	}
	config.Log = c.logger(t.err)
	var err error
	config.MasterKey, err = c.masterKey()
	return config, err
}

// advise logs how to create the first organisation, for a server without a terminal.
func (c serve) advise(log *slog.Logger) {
	fix := "open the link that khatm setup-link prints, or run khatm org create"
	if c.SignUp == closed {
		fix = "create it with khatm org create"
	}
	log.Info("there is no organisation yet", "fix", fix)
}

// explain prints the addresses of the service and what to do next, on a terminal.
// setUp is the token of the set-up link, or "".
func (c serve) explain(t *console, address, environment string, empty bool, setUp string) {
	if c.Role == service.RoleWorker {
		c.explainWorker(t, address, environment)
		return
	}
	with := c.addressSetting.config()
	with.Address = address
	at := with.PublicURL()
	if environment == "" {
		fmt.Fprintf(t.out, "Khatm serves %s/v1 and sends nothing yet: no environment of the tax authority is chosen\n", at)
	} else {
		fmt.Fprintf(t.out, "Khatm serves %s/v1 for the authority's %s environment\n", at, environment)
	}
	fmt.Fprintf(t.out, "documentation: %s/v1/api/integrations/docs\n", at)
	if c.Operations != off && !strings.HasSuffix(c.Operations, ":0") {
		fmt.Fprintf(t.out, "metrics and health: http://%s/metrics and /readyz\n", reachable(c.Operations))
	}
	switch {
	case environment == "":
		fmt.Fprintf(t.out, "authority: choose simulator, simulation or production in the set-up, or with khatm device create --authority NAME; it cannot be changed later\n")
	case environment == "simulator" && c.AuthorityURL == "":
		fmt.Fprintf(t.out, "authority: a simulator in this process; documents it accepts are not tax invoices\n  to simulate an outage: %s\n", moodCommand(c.Data, "outage"))
	}
	if setUp != "" {
		fmt.Fprintf(t.out, "To create the first account and organisation, open this link within 24 hours. It works once; earlier links have stopped working:\n  %s\n", setUpURL(at, setUp))
	}
	if empty {
		fmt.Fprintf(t.out, `There is no organisation yet. In another terminal, with the same settings:
  khatm org create --help                       lists the flags to register one
  khatm key create --org ID --name 'Till 1'     creates an API key for it
`)
	}
	fmt.Fprintln(t.out, "Press Ctrl-C to stop.")
}

// explainWorker prints the address of a server with --role worker and what it does.
func (c serve) explainWorker(t *console, address, environment string) {
	if environment == "" {
		fmt.Fprintln(t.out, "This server does the background work of Khatm and sends nothing yet: no environment of the tax authority is chosen")
	} else {
		fmt.Fprintf(t.out, "This server does the background work of Khatm for the authority's %s environment\n", environment)
	}
	fmt.Fprintf(t.out, "metrics and health: http://%s/metrics and /readyz\nPress Ctrl-C to stop.\n", reachable(address))
}

// reachable returns an address to which a client on this machine can connect: an
// unspecified host becomes localhost.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

// memorySize is a number of bytes.
type memorySize int64

// UnmarshalText parses a size such as 512MiB or 2GiB.
func (m *memorySize) UnmarshalText(text []byte) error {
	for unit, shift := range map[string]int{"MiB": 20, "GiB": 30} {
		digits, found := strings.CutSuffix(string(text), unit)
		if !found {
			continue
		}
		if n, err := strconv.ParseUint(digits, 10, 20); err == nil && n > 0 {
			*m = memorySize(n << shift)
			return nil
		}
	}
	return fmt.Errorf("%q is not a size such as 512MiB or 2GiB", text)
}

// network is a network, or a single address as a network with one address.
type network netip.Prefix

// UnmarshalText parses a network such as 10.0.0.0/8 or an address such as
// 10.1.2.3.
func (n *network) UnmarshalText(text []byte) error {
	if address, err := netip.ParseAddr(string(text)); err == nil {
		*n = network(netip.PrefixFrom(address, address.BitLen()))
		return nil
	}
	prefix, err := netip.ParsePrefix(string(text))
	if err != nil {
		return fmt.Errorf("%q is neither an IP address nor a network such as 10.0.0.0/8", text)
	}
	*n = network(prefix.Masked())
	return nil
}
