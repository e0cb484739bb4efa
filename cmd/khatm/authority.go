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

// authority runs the simulator of the tax authority until it is interrupted.
type authority struct {
	Addr    string  `default:"127.0.0.1:9090" placeholder:"HOST:PORT" help:"Where clients reach it (${default})."`
	Control string  `default:"127.0.0.1:9091" placeholder:"HOST:PORT" help:"Where its control API is, always on a loopback address (${default})."`
	Mood    string  `default:"moody" placeholder:"MOOD" help:"polite, moody, nod (accepts unjudged), outage, or a plan in a .json file (${default})."`
	Seed    *uint64 `placeholder:"N" help:"Of the mood, so that a run can be repeated; drawn and printed if not given."`
	Journal string  `placeholder:"FILE" help:"Keep the journal of all requests in this file."`
	State   string  `placeholder:"DIR" help:"Keep certificates, passwords, settings and the journal in this folder, so that a restart goes on."`
	Lax     bool    `help:"Judge no more strictly than the real authority is known to."`
	Public  bool    `help:"Allow an --addr that other machines reach. It is a toy without protection: think twice."`
}

func (a authority) Run(out io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return a.run(ctx, out)
}

// run is Run with the stop in the caller's hand.
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

// check refuses addresses that other machines reach.
func (a authority) check() error {
	if !a.Public && !isLoopback(a.Addr) {
		return fmt.Errorf("--addr %s can be reached by other machines; the simulator protects nothing, so this needs --public", a.Addr)
	}
	if !isLoopback(a.Control) {
		return fmt.Errorf("--control %s can be reached by other machines; it must be a loopback address", a.Control)
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

// config makes the configuration. A journal that nobody asked for stands in a
// folder of its own, because in memory it would grow without end; clean
// removes it.
func (a authority) config(out io.Writer) (cfg simulator.Config, clean func() error, err error) {
	cfg = simulator.Config{State: a.State, Journal: a.Journal, Mood: a.Mood, Seed: rand.Uint64N(1_000_000), Lax: a.Lax, Log: out}
	if a.Seed != nil {
		cfg.Seed = *a.Seed
	}
	if cfg.Mood, err = moodText(a.Mood); err != nil {
		return cfg, nil, err
	}
	if a.State != "" || a.Journal != "" {
		cfg.Sync = true // what is kept survives the machine too
		return cfg, func() error { return nil }, nil
	}
	folder, err := os.MkdirTemp("", "khatm-authority-")
	if err != nil {
		return cfg, nil, err
	}
	cfg.Journal = filepath.Join(folder, "journal.jsonl")
	return cfg, func() error { return os.RemoveAll(folder) }, nil
}

// explain says how to point a client at the simulator.
func (a authority) explain(out io.Writer, cfg simulator.Config, protocol, control string) {
	base := "http://" + protocol + "/e-invoicing/"
	kept := "nothing is kept after the end (--state DIR keeps it)"
	switch {
	case a.State != "":
		kept = "kept in " + a.State
	case a.Journal != "":
		kept = "only the journal is kept, in " + a.Journal
	}
	fmt.Fprintf(out, `The tax authority's simulator. Nothing sent here reaches the real one.
Point a client at one of these instead of gw-fatoora.zatca.gov.sa/e-invoicing/…:
  sandbox     %sdeveloper-portal   (the one-time password is 123345)
  simulation  %ssimulation
  production  %score
Get a one-time password for a device of a VAT number, good for an hour:
  curl -d '{"vat_number":"310175397400003","environment":"simulation"}' http://%s/otps
Everything else it obeys:
  curl http://%s/
Mood %s, seed %d; %s.
Ctrl-C stops it.

`, base, base, base, control, control, a.Mood, cfg.Seed, kept)
}

// serveUntil serves each listener with its handler until the context ends or
// one fails, and then gives running requests a moment.
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
			_ = server.Close() // a mood may hold connections for minutes
		}
	}
	return err
}
