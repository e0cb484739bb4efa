package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"khatm/service"
	"khatm/service/admin"
)

// demoData is the folder of the demo.
const demoData = "./khatm-demo"

// demo runs the service and the simulator in one process, with a
// company that has issued a few documents.
type demo struct {
	Addr        string `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where it is served (${default}); port 0 takes any that is free."`
	Data        string `default:"./khatm-demo" placeholder:"DIR" help:"Folder of everything that it keeps (${default}). A second start goes on with it."`
	Credentials string `placeholder:"FILE" help:"Where addresses, keys and ids are written, if not to credentials.json in the folder."`
	PublicDaily int    `name:"rate-limit-public-daily" default:"10" env:"KHATM_RATE_LIMIT_PUBLIC_DAILY" placeholder:"N" help:"Calls a day on the public tools, of an address (${default})."`
	Once        bool   `help:"End when everything is shown, instead of serving on."`
}

// Run sets the company up where it is not, has it issue, shows what came of it,
// and serves until it is told to stop.
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
	if err := folder.occupy("http://" + reachable(address)); err != nil {
		return err
	}
	err = d.run(ctx, stop, t, folder, address)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil && !d.Once {
		return nil // somebody had seen enough
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
	if err := d.settle(ctx, t, folder, sim.at); err != nil {
		return err
	}
	s, err := service.New(ctx, d.config(address, sim.at.URL, watch))
	if err != nil {
		return err
	}
	defer s.Close()
	var shown error
	err = s.Run(ctx, func(string) {
		if shown = d.show(ctx, t, folder); shown != nil || d.Once {
			stop()
			return
		}
		fmt.Fprintln(t.out, "\nServing; every call is shown below. Ctrl-C stops it, the same command goes on.")
		watch.open()
	})
	return errors.Join(shown, err)
}

// settle registers the company by the operator's own means.
func (d demo) settle(ctx context.Context, t *console, folder *demoFolder, at simulatorAddress) error {
	if folder.kept.Settled {
		return nil
	}
	t.say("setting up a company with three devices in %s …", d.Data)
	config, err := settings{Data: d.Data}.config()
	if err != nil {
		return err
	}
	config.Create, config.MasterKey = true, service.Secret{} // the demo's own, in its folder
	a, err := admin.Open(ctx, config)
	if err != nil {
		return err
	}
	defer a.Close()
	return (&demoRegistration{admin: a, simulator: at, kept: &folder.kept.demoCredentials}).settle(ctx, folder)
}

// config is a server with the limits of any other, but that more can be tried of
// the public tools if one asks for it. It is more impatient with the authority,
// so that one can watch an outage end.
func (d demo) config(address, authority string, watch *demoWatch) service.Config {
	config := service.Defaults()
	config.Address, config.URL, config.Operations = address, "http://"+reachable(address), ""
	config.Data, config.Authority, config.AuthorityURL = d.Data, "simulator", authority
	config.Sending.Timeout, config.Sending.RetryFirst, config.Sending.RetryMost = 4*time.Second, time.Second, 8*time.Second
	config.Rates.PublicDaily = d.PublicDaily
	config.Log = watch.logger()
	return config
}

// show has the company issue what it has not, and shows it.
func (d demo) show(ctx context.Context, t *console, folder *demoFolder) error {
	sales := newDemoSales(folder)
	documents, err := sales.documents(ctx)
	if err != nil {
		return err
	}
	if err := folder.write(documents); err != nil {
		return err
	}
	return folder.print(t.out, documents)
}

// freeAddress finds out whether an address can be served, and which port it is.
func freeAddress(address string) (string, error) {
	l, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "", fmt.Errorf("another program has %s: give another port, such as --addr 127.0.0.1:8090, or --addr 127.0.0.1:0 for any that is free", address)
	case err != nil:
		return "", fmt.Errorf("listen on %s: %w; --addr takes HOST:PORT, such as 127.0.0.1:8090", address, err)
	}
	return l.Addr().String(), l.Close()
}
