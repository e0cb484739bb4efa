package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"khatm/service"
	"khatm/service/admin"
)

// demoData is the default data folder of the demo.
const demoData = "./khatm-demo"

// demo runs the service and the simulator in one process, with a sample company
// that issues a few documents.
type demo struct {
	Addr        string `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address to listen on (default ${default}); port 0 picks a free one."`
	Data        string `default:"./khatm-demo" placeholder:"DIR" help:"Data folder of the demo (default ${default}). The next start continues with it."`
	Credentials string `placeholder:"FILE" help:"File to write addresses, keys and ids to (default: credentials.json in the data folder)."`
	PublicDaily int    `name:"rate-limit-public-daily" default:"10" env:"KHATM_RATE_LIMIT_PUBLIC_DAILY" placeholder:"N" help:"Calls per day to the public tools for each IP address (default ${default})."`
	Once        bool   `help:"Issue and show the documents, then exit instead of serving."`
}

// Run sets up the company if needed, issues its documents, prints the results
// and serves until a signal ends it.
func (d demo) Run(t *console) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	folder, err := openDemoFolder(ctx, d.Data, d.Credentials)
	if err != nil {
		return err
	}
	address, err := freeAddress(d.Addr)
	if err != nil {
		return err
	}
	if err := folder.create("http://" + reachable(address)); err != nil {
		return err
	}
	err = d.run(ctx, stop, t, folder, address)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil && !d.Once {
		return nil // stopped by a signal
	}
	return err
}

func (d demo) run(ctx context.Context, stop context.CancelFunc, t *console, folder *demoFolder, address string) (err error) {
	watch := &demoWatch{out: t.out, err: t.err}
	sim, err := reserveEmbedded(d.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sim.close()) }()
	if err := sim.start("", watch.authority()); err != nil {
		return err
	}
	if err := d.register(ctx, t, folder, sim.at); err != nil {
		return err
	}
	link, err := d.signInLink(ctx, folder)
	if err != nil {
		return err
	}
	s, err := service.New(ctx, d.config(address, sim.at, watch))
	if err != nil {
		return err
	}
	defer s.Close()
	var shown error
	err = s.Run(ctx, func(string) {
		if shown = d.show(ctx, t, folder, sim.at.page(), link); shown != nil || d.Once {
			stop()
			return
		}
		fmt.Fprintln(t.out, "\nServing; every call is shown below. Press Ctrl-C to stop; the same command continues with this data.")
		watch.open()
	})
	return errors.Join(shown, err)
}

// register registers the company with the functions that operator commands use.
func (d demo) register(ctx context.Context, t *console, folder *demoFolder, at simulatorAddress) error {
	if folder.kept.Settled {
		return nil
	}
	t.say("setting up a company with three devices in %s …", d.Data)
	a, err := d.operator(ctx)
	if err != nil {
		return err
	}
	defer a.Close()
	return (&demoRegistration{admin: a, simulator: at, kept: &folder.kept}).register(ctx, folder)
}

// operator opens the data of the demo as operator commands do.
func (d demo) operator(ctx context.Context) (*admin.Admin, error) {
	config, err := settings{Data: d.Data}.config()
	if err != nil {
		return nil, err
	}
	config.Create, config.MasterKey = true, service.Secret{} // the demo makes its own master key in its folder
	return admin.Open(ctx, config)
}

// signInLink returns a link that signs the administrator in once. It is only
// printed: no file has it. It is empty if the administrator has added a second factor.
func (d demo) signInLink(ctx context.Context, folder *demoFolder) (string, error) {
	if d.Once {
		return "", nil // nothing is served
	}
	a, err := d.operator(ctx)
	if err != nil {
		return "", err
	}
	defer a.Close()
	token, _, err := a.NewSignIn(ctx, folder.kept.Admin.Email)
	if errors.Is(err, admin.ErrSecondFactor) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return folder.kept.AppURL + "/login#" + token, nil
}

// config returns the default configuration with a configurable limit on the
// public tools, and with short timeouts and retry intervals towards the
// authority, so that the end of an outage is seen within seconds.
func (d demo) config(address string, authority simulatorAddress, watch *demoWatch) service.Config {
	config := service.Defaults()
	config.Address, config.URL, config.Operations = address, "http://"+reachable(address), ""
	config.Data, config.Authority, config.AuthorityURL = d.Data, "simulator", authority.URL
	config.OneTimePassword = authority.password
	config.Sending.Timeout, config.Sending.RetryFirst, config.Sending.RetryMost = 4*time.Second, time.Second, 8*time.Second
	config.Rates.PublicDaily = d.PublicDaily
	config.Log = watch.logger()
	return config
}

// show issues the documents that do not exist yet and prints all of them, with
// the address of the simulator's web page and the link that signs in.
func (d demo) show(ctx context.Context, t *console, folder *demoFolder, page, link string) error {
	sales := newDemoSales(folder)
	documents, err := sales.documents(ctx)
	if err != nil {
		return err
	}
	if err := folder.write(documents); err != nil {
		return err
	}
	return folder.print(t.out, documents, page, link)
}

// Ports of a demo on port 0. They are below those that the system gives to other
// programs, so that the port is still free when the server listens.
const (
	firstPort = 10_000
	ports     = 10_000
)

// freeAddress checks that it is possible to listen on an address and returns it
// with its actual port.
func freeAddress(address string) (string, error) {
	if host, port, err := net.SplitHostPort(address); err == nil && port == "0" {
		for range 20 {
			l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(firstPort+rand.IntN(ports)))) //nolint:gosec // any port will do
			if err == nil {
				return l.Addr().String(), l.Close()
			}
		}
	}
	l, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "", fmt.Errorf("%s is in use by another program: choose another port, such as --addr 127.0.0.1:8090, or --addr 127.0.0.1:0 for a free one", address)
	case err != nil:
		return "", fmt.Errorf("listen on %s: %w; --addr takes HOST:PORT, such as 127.0.0.1:8090", address, err)
	}
	return l.Addr().String(), l.Close()
}
