package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"khatm/service"
)

// authoritySetting says which authority the invoices go to.
type authoritySetting struct {
	Authority string `default:"simulator" enum:"simulator,sandbox,simulation,production" env:"KHATM_AUTHORITY" placeholder:"NAME" help:"Which tax authority: simulator, sandbox, simulation or production (${default}). A database belongs to one for ever."`
}

// serverSetting is what the doctor must know of the server.
type serverSetting struct {
	Operations string `default:"127.0.0.1:8081" env:"KHATM_OPERATIONS" placeholder:"HOST:PORT" help:"Address of metrics and health (${default}); off for none."`
	DiskFloor  uint32 `default:"64" env:"KHATM_DISK_FLOOR" placeholder:"MIB" help:"Free space in MiB below which an embedded database takes no new invoices (${default})."`
}

// floor returns the free space below which nothing is issued, in bytes.
func (s serverSetting) floor() uint64 { return uint64(s.DiskFloor) << 20 }

// off is the address of a listener that is not wanted.
const off = "off"

// serve runs the service until it is told to stop.
type serve struct {
	settings
	authoritySetting
	marksSetting
	serverSetting
	Addr         string    `default:"127.0.0.1:8080" env:"KHATM_ADDR" placeholder:"HOST:PORT" help:"Where callers reach it (${default})."`
	URL          string    `name:"url" env:"KHATM_URL" placeholder:"URL" help:"How callers see it, such as https://invoices.example.sa, if not by its address."`
	TrustedProxy []network `env:"KHATM_TRUSTED_PROXIES" placeholder:"CIDR" help:"Proxies before it, whose X-Forwarded-For is believed: addresses or networks, separated by commas."`

	RateLimitKey           int  `default:"200" env:"KHATM_RATE_LIMIT_KEY" placeholder:"N" help:"Calls a minute of a key (${default})."`
	RateLimitPerson        int  `default:"200" env:"KHATM_RATE_LIMIT_PERSON" placeholder:"N" help:"Calls a minute of somebody signed in (${default})."`
	RateLimitIP            int  `name:"rate-limit-ip" default:"100" env:"KHATM_RATE_LIMIT_IP" placeholder:"N" help:"Calls a minute of an address without credentials (${default})."`
	RateLimitClients       int  `default:"50" env:"KHATM_RATE_LIMIT_CLIENTS" placeholder:"N" help:"Clients a minute that a key creates (${default})."`
	RateLimitPublicDaily   int  `default:"10" env:"KHATM_RATE_LIMIT_PUBLIC_DAILY" placeholder:"N" help:"Calls a day on the public tools, of an address (${default})."`
	RateLimitPublicMonthly int  `default:"100" env:"KHATM_RATE_LIMIT_PUBLIC_MONTHLY" placeholder:"N" help:"Calls a month on the public tools, of an organisation on the free plan whose people are signed in (${default})."`
	RateLimitSharedHourly  int  `default:"60" env:"KHATM_RATE_LIMIT_SHARED_HOURLY" placeholder:"N" help:"Calls an hour on a shared link (${default})."`
	FairUse                bool `env:"KHATM_FAIR_USE" help:"Hold organisations to the writes of their plan."`

	AuthorityURL    string        `name:"authority-url" env:"KHATM_AUTHORITY_URL" placeholder:"URL" help:"Where the authority is, if not at its published address. Without it the simulator runs beside the server, for this machine alone; khatm authority prints where another one is."`
	Mood            string        `env:"KHATM_MOOD" placeholder:"MOOD" help:"Of the simulator beside the server: polite (if not given), moody, nod, outage, or a plan in a .json file; khatm mood changes it."`
	PauseSubmission bool          `env:"KHATM_PAUSE_SUBMISSION" help:"Send nothing to the authority; what is created is kept and sent once it is served without this."`
	SubmitWorkers   int           `default:"64" env:"KHATM_SUBMIT_WORKERS" placeholder:"N" help:"Documents under way to the authority at a time (${default})."`
	SubmitTimeout   time.Duration `default:"60s" env:"KHATM_SUBMIT_TIMEOUT" placeholder:"TIME" help:"How long the authority is given to answer (${default})."`
	SubmitRetry     time.Duration `default:"2s" env:"KHATM_SUBMIT_RETRY" placeholder:"TIME" help:"After which a document without an answer is sent again (${default}); doubled each time."`
	SubmitRetryMost time.Duration `default:"15m" env:"KHATM_SUBMIT_RETRY_MOST" placeholder:"TIME" help:"The longest it waits (${default})."`

	SMTP     string `name:"smtp" env:"KHATM_SMTP" placeholder:"URL" help:"The mail server that letters are handed to, as smtp://user:password@host:587 (STARTTLS) or smtps://…:465 (TLS). Without it letters wait; khatm outbox shows them. Give a password by KHATM_SMTP: every user of the machine can read flags."`
	MailFrom string `env:"KHATM_MAIL_FROM" placeholder:"ADDRESS" help:"Whom letters are from: 'Example Trading <invoices@example.sa>'."`

	BackupDaily string `env:"KHATM_BACKUP_DAILY" placeholder:"DIR" help:"Make a backup a day into this folder, at three in the morning in Riyadh. The folder must exist; choose another disk."`
	BackupKeep  int    `default:"14" env:"KHATM_BACKUP_KEEP" placeholder:"N" help:"Daily backups to keep (${default})."`

	TraceEndpoint string `env:"KHATM_TRACE_ENDPOINT,OTEL_EXPORTER_OTLP_ENDPOINT" placeholder:"URL" help:"An OpenTelemetry collector to send traces to."`
	logSetting
}

// Run serves until SIGINT or SIGTERM, then lets requests under way finish. A
// second signal ends it at once.
func (c serve) Run(t *console) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	config, err := c.config(t)
	if err != nil {
		return err
	}
	sim, err := c.simulator(ctx, &config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.close()) }() // when the server has had its last answer
	s, err := service.New(ctx, config)
	if err != nil {
		return err
	}
	defer s.Close()
	// The server has the folder for itself by now.
	if err := sim.start(c.Mood, nil); err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(service.GCPercent)
		debug.SetMemoryLimit(service.MemoryLimit)
	}
	empty, err := s.Empty(ctx)
	if err != nil {
		return err
	}
	return s.Run(ctx, func(address string) { c.explain(t, address, empty) })
}

// simulator reserves a place for the simulator beside the server, if there is to
// be one, and tells the server where. Another server on the same folder, which
// only PostgreSQL allows, has one already.
func (c serve) simulator(ctx context.Context, config *service.Config) (*embeddedSimulator, error) {
	if c.Authority != "simulator" || c.AuthorityURL != "" {
		return nil, onlyEmbedded(c.Mood)
	}
	if at, runs := findEmbedded(ctx, c.Data); runs {
		config.AuthorityURL = at.URL
		return nil, nil //nolint:nilnil // one that is not there does nothing
	}
	b, err := reserveEmbedded(c.Data)
	if err == nil {
		config.AuthorityURL = b.at.URL
	}
	return b, err
}

func (c serve) config(t *console) (service.Config, error) {
	config := service.Defaults()
	config.Address, config.URL = c.Addr, c.URL
	if config.Operations = c.Operations; config.Operations == off {
		config.Operations = ""
	}
	config.DiskFloor = c.floor()
	config.Data, config.Database, config.Authority = c.Data, c.Database, c.Authority
	config.MasterKeyFile = c.MasterKeyFile
	config.Marks, config.MarksOptional = c.folder()
	config.Rates.Key, config.Rates.Person = c.RateLimitKey, c.RateLimitPerson
	config.Rates.IP, config.Rates.Clients = c.RateLimitIP, c.RateLimitClients
	config.Rates.PublicDaily, config.Rates.PublicMonthly = c.RateLimitPublicDaily, c.RateLimitPublicMonthly
	config.Rates.SharedHourly = c.RateLimitSharedHourly
	config.AuthorityURL, config.Sending.Paused = c.AuthorityURL, c.PauseSubmission
	config.Sending.Workers, config.Sending.Timeout = c.SubmitWorkers, c.SubmitTimeout
	config.Sending.RetryFirst, config.Sending.RetryMost = c.SubmitRetry, c.SubmitRetryMost
	config.SMTP, config.MailFrom = service.NewSecret(c.SMTP), c.MailFrom
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

// explain says where the service is and what to do next.
func (c serve) explain(t *console, address string, empty bool) {
	at := c.URL
	if at == "" {
		at = "http://" + reachable(address)
	}
	at = strings.TrimRight(at, "/")
	fmt.Fprintf(t.out, "Khatm serves %s/v1 for the authority's %s environment\n", at, c.Authority)
	fmt.Fprintf(t.out, "documentation: %s/v1/api/integrations/docs\n", at)
	if c.Operations != off && !strings.HasSuffix(c.Operations, ":0") {
		fmt.Fprintf(t.out, "metrics and health: http://%s/metrics and /readyz\n", reachable(c.Operations))
	}
	if c.Authority == "simulator" && c.AuthorityURL == "" {
		fmt.Fprintf(t.out, "the authority: the simulator, beside it; what it accepts is no tax invoice\n  %s     takes it away for a while; so do moody and others, and polite ends it\n", moodCommand(c.Data, "outage"))
	}
	if empty {
		fmt.Fprintf(t.out, `There is no organisation yet. In another terminal, with the same settings:
  khatm org create --help                       shows what is asked of one
  khatm key create --org ID --name 'Till 1'     prints an API key for it
`)
	}
	fmt.Fprintln(t.out, "Ctrl-C stops it.")
}

// reachable is an address that can be put into a browser on this machine.
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

// network is an address or a range of them.
type network netip.Prefix

// UnmarshalText reads 10.0.0.0/8 or 10.1.2.3.
func (n *network) UnmarshalText(text []byte) error {
	if address, err := netip.ParseAddr(string(text)); err == nil {
		*n = network(netip.PrefixFrom(address, address.BitLen()))
		return nil
	}
	prefix, err := netip.ParsePrefix(string(text))
	if err != nil {
		return fmt.Errorf("%q is no address and no network such as 10.0.0.0/8", text)
	}
	*n = network(prefix.Masked())
	return nil
}
