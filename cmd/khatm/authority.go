package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"khatm/simulator"
)

// authorityCommands are the commands about the tax authority. Without a
// subcommand, the simulator runs.
type authorityCommands struct {
	Run    authority       `cmd:"" default:"withargs" help:"Run the simulator: the default, so that run can be left out. khatm authority run --help lists the flags."`
	Record authorityRecord `cmd:"" help:"Forward calls to the real authority and record them without secrets."`
	Replay authorityReplay `cmd:"" help:"Send the requests of a recording to a simulator and report how its answers differ."`
}

// authority runs the simulator of the tax authority until a signal ends it.
type authority struct {
	Addr    string  `default:"127.0.0.1:9090" placeholder:"HOST:PORT" help:"Address of the simulated authority (default ${default})."`
	Control string  `default:"127.0.0.1:9091" placeholder:"HOST:PORT" help:"Address of the control API; must be a loopback address (default ${default})."`
	Mood    string  `default:"moody" placeholder:"MOOD" help:"Mood: polite, moody, nod (accepts every document unchecked), outage, or a .json file with a plan (default ${default})."`
	Seed    *uint64 `placeholder:"N" help:"Random seed of the mood, to repeat a run (default: random; it is printed)."`
	Journal string  `placeholder:"FILE" help:"Write the journal of all requests to this file."`
	State   string  `placeholder:"DIR" help:"Store certificates, one-time passwords, settings and the journal in this folder, so that they survive a restart."`
	Lax     bool    `help:"Leave out checks that the real authority is not known to make, and accept certificate requests as real clients send them."`
	Public  bool    `help:"Allow an --addr that other machines can reach. The simulator has no protection: use it in trusted networks only."`
}

func (a authority) Run(out io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return a.run(ctx, out)
}

// run serves until the context ends.
func (a authority) run(ctx context.Context, out io.Writer) (err error) {
	if err := a.check(); err != nil {
		return err
	}
	cfg, clean, err := a.config(out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, clean()) }()
	sim, err := simulator.New(cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.Close()) }()
	protocol, err := net.Listen("tcp", a.Addr)
	if err != nil {
		return err
	}
	control, err := net.Listen("tcp", a.Control)
	if err != nil {
		return errors.Join(err, protocol.Close())
	}
	a.explain(out, cfg, protocol.Addr().String(), control.Addr().String())
	return serveUntil(ctx, map[net.Listener]http.Handler{protocol: sim.Handler(), control: sim.Control()})
}

// check rejects addresses that other machines can reach, unless --public allows
// --addr.
func (a authority) check() error {
	if !a.Public && !isLoopback(a.Addr) {
		return fmt.Errorf("--addr %s can be reached by other machines and the simulator has no protection; add --public to allow it", a.Addr)
	}
	if !isLoopback(a.Control) {
		return fmt.Errorf("--control %s can be reached by other machines; it must be a loopback address such as 127.0.0.1:9091", a.Control)
	}
	return nil
}

func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// config returns the configuration of the simulator. Without --state and
// --journal the journal is written to a temporary folder, because in memory it
// would grow without bound; clean removes the folder.
func (a authority) config(out io.Writer) (cfg simulator.Config, clean func() error, err error) {
	cfg = simulator.Config{State: a.State, Journal: a.Journal, Mood: a.Mood, Seed: rand.Uint64N(1_000_000), Lax: a.Lax, Log: out}
	if a.Seed != nil {
		cfg.Seed = *a.Seed
	}
	if cfg.Mood, err = moodText(a.Mood); err != nil {
		return cfg, nil, err
	}
	if a.State != "" || a.Journal != "" {
		cfg.Sync = true // survive a crash of the machine too
		return cfg, func() error { return nil }, nil
	}
	folder, err := os.MkdirTemp("", "khatm-authority-")
	if err != nil {
		return cfg, nil, err
	}
	cfg.Journal = filepath.Join(folder, "journal.jsonl")
	return cfg, func() error { return os.RemoveAll(folder) }, nil
}

// explain prints how to point a client at the simulator.
func (a authority) explain(out io.Writer, cfg simulator.Config, protocol, control string) {
	base := "http://" + protocol + "/e-invoicing/"
	stored := "nothing is stored after it stops (--state DIR changes that)"
	switch {
	case a.State != "":
		stored = "state in " + a.State
	case a.Journal != "":
		stored = "only the journal is stored, in " + a.Journal
	}
	fmt.Fprintf(out, `Simulator of the tax authority. Nothing sent here reaches the real authority.
Point a client at one of these instead of gw-fatoora.zatca.gov.sa/e-invoicing/…:
  sandbox     %sdeveloper-portal   (the one-time password is 123345)
  simulation  %ssimulation
  production  %score
Get a one-time password for a device of this VAT number, valid for an hour:
  curl -d '{"vat_number":"310175397400003","environment":"simulation"}' http://%s/otps
Watch requests and change its mood in a browser on this machine:
  http://%s%s
List all requests of the control API:
  curl http://%s/
Mood %s, seed %d; %s.
Press Ctrl-C to stop.

`, base, base, base, control, control, simulator.PagePath, control, a.Mood, cfg.Seed, stored)
}

// serveUntil serves each listener with its handler until the context ends or a
// listener fails. Running requests then have three seconds to finish.
func serveUntil(ctx context.Context, handlers map[net.Listener]http.Handler) error {
	failed := make(chan error, len(handlers))
	var servers []*http.Server
	for listener, handler := range handlers {
		server := &http.Server{
			Handler:           handler,
			ReadHeaderTimeout: 10 * time.Second,
			IdleTimeout:       2 * time.Minute,
			MaxHeaderBytes:    64 << 10,
		}
		servers = append(servers, server)
		go func() { failed <- server.Serve(listener) }()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	moment, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	for _, server := range servers {
		if server.Shutdown(moment) != nil {
			_ = server.Close() // a mood may delay answers for minutes
		}
	}
	return err
}
