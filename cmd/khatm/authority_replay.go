package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"khatm/simulator"
	"khatm/simulator/replay"
)

// authorityReplay sends the requests of a recording to a simulator and compares
// the answers.
type authorityReplay struct {
	File    string `arg:"" type:"path" help:"Recording, as written by khatm authority record."`
	JSON    bool   `help:"Print the report as JSON."`
	Lax     bool   `help:"Run the simulator with --lax: leave out checks that the real authority is not known to make."`
	Mood    string `default:"polite" placeholder:"MOOD" help:"Mood of the simulator (default ${default})."`
	URL     string `name:"url" placeholder:"URL" help:"Use a running simulator, such as http://127.0.0.1:9090, instead of a new one. Needs --control."`
	Control string `placeholder:"URL" help:"URL of the control API of the running simulator, such as http://127.0.0.1:9091."`
}

// Help returns the explanation below the usage.
func (authorityReplay) Help() string {
	return "Exit code: 0 if no answer differs, 1 if some do, 2 if the recording could not be replayed."
}

// unusable is the exit code if the replay was not possible.
const unusable exitCode = 2

func (a authorityReplay) Run(t *console) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	report, err := a.run(ctx)
	if err != nil {
		t.say("khatm: %v", err)
		return unusable
	}
	if a.JSON {
		encoder := json.NewEncoder(t.out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(report)
	} else {
		out := bufio.NewWriter(t.out)
		report.Print(out)
		err = out.Flush()
	}
	if err == nil && len(report.Different) > 0 {
		return someFailed
	}
	return err
}

func (a authorityReplay) run(ctx context.Context) (report *replay.Report, err error) {
	a.URL, _, _ = strings.Cut(a.URL, "/e-invoicing/") // khatm authority prints its addresses with a path
	if err := a.check(); err != nil {
		return nil, err
	}
	file, err := os.Open(a.File)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	at, stop := simulatorAddress{URL: a.URL, Control: a.Control}, func() error { return nil }
	if a.URL == "" {
		if at, stop, err = a.start(); err != nil {
			return nil, err
		}
	}
	defer func() { err = errors.Join(err, stop()) }()
	return replay.Run(ctx, replay.Config{Recording: file, URL: at.URL, Control: at.Control, Random: rand.Reader})
}

// check rejects flags that do not fit together, and addresses that cannot be a
// simulator's: a replay must never reach the real authority.
func (a authorityReplay) check() error {
	switch {
	case (a.URL == "") != (a.Control == ""):
		return errors.New("--url and --control belong together: give both addresses that khatm authority prints")
	case a.URL != "" && (a.Lax || a.Mood != "polite"):
		return errors.New("--lax and --mood are for the simulator that this command starts; leave them out, or leave out --url")
	}
	for flag, value := range map[string]string{"--url": a.URL, "--control": a.Control} {
		host, plain := strings.CutPrefix(strings.TrimRight(value, "/"), "http://")
		if value != "" && (!plain || !isLoopback(host)) {
			return fmt.Errorf("%s is %s; it must be an address on this machine without a path, such as http://127.0.0.1:9090", flag, value)
		}
	}
	return nil
}

// start runs a simulator on free loopback ports until stop is called.
func (a authorityReplay) start() (at simulatorAddress, stop func() error, err error) {
	mood, err := moodText(a.Mood)
	if err != nil {
		return at, nil, err
	}
	sim, err := simulator.New(simulator.Config{Mood: mood, Lax: a.Lax})
	if err != nil {
		return at, nil, err
	}
	protocol, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return at, nil, errors.Join(err, sim.Close())
	}
	control, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return at, nil, errors.Join(err, protocol.Close(), sim.Close())
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- serveUntil(ctx, map[net.Listener]http.Handler{protocol: sim.Handler(), control: sim.Control()})
	}()
	stop = func() error {
		cancel()
		return errors.Join(<-ended, sim.Close())
	}
	at = simulatorAddress{URL: "http://" + protocol.Addr().String(), Control: "http://" + control.Addr().String()}
	return at, stop, nil
}
