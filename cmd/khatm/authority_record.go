package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"khatm/simulator/recording"
)

// authorityRecord forwards calls to the real authority and records them until a
// signal ends it.
type authorityRecord struct {
	File     string `arg:"" type:"path" help:"File to append the calls to, one JSON object per line. It is created so that only you can read it."`
	Upstream string `placeholder:"URL" help:"Base URL of the authority: https, ending with /developer-portal, /simulation or /core (default: its developer portal)."`
	Addr     string `default:"127.0.0.1:9092" placeholder:"HOST:PORT" help:"Address to listen on (default ${default})."`
	Public   bool   `help:"Allow an --addr that other machines can reach. The recorder has no TLS: use it in trusted networks only."`
}

func (a authorityRecord) Run(t *console) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return a.run(ctx, t.out)
}

// run records until the context ends.
func (a authorityRecord) run(ctx context.Context, out io.Writer) (err error) {
	if !a.Public && !isLoopback(a.Addr) {
		return fmt.Errorf("--addr %s can be reached by other machines, and clients send credentials to it; add --public to allow it", a.Addr)
	}
	a.Upstream = cmp.Or(a.Upstream, recording.Sandbox)
	var file *recording.File
	var session [8]byte
	_, _ = rand.Read(session[:]) // never fails
	proxy, err := recording.NewProxy(recording.Config{
		Upstream: a.Upstream,
		Store:    func(e recording.Exchange) error { return file.Append(e) },
		Stored:   func(e recording.Exchange) { fmt.Fprintln(out, recordedLine(e)) },
		Session:  hex.EncodeToString(session[:]),
		Now:      time.Now,
	})
	if err != nil {
		return err
	}
	defer proxy.Close()
	if file, err = recording.Open(a.File); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, proxy.Err(), file.Close()) }()
	listener, err := net.Listen("tcp", a.Addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, `Recorder of calls to the tax authority. Every call is forwarded to %s.
Point a client at this address instead:
  http://%s%s
Calls are appended to %s.
Passwords, tokens and secrets are removed. The documents are stored as they are, with the names and VAT numbers in them.
Compare the calls with the simulator afterwards:
  %s authority replay %s
Press Ctrl-C to stop.

`, a.Upstream, listener.Addr(), proxy.Path(), a.File, self(), shellWord(a.File))
	return serveUntil(ctx, map[net.Listener]http.Handler{listener: proxy})
}

// recordedLine describes a recorded exchange on one line.
func recordedLine(e recording.Exchange) string {
	result := "no answer: " + e.Error
	if e.Response != nil {
		result = fmt.Sprint(e.Response.Status)
	}
	return fmt.Sprintf("%s #%d %s %s %s (%d ms)", e.Time.Local().Format("15:04:05"), e.Number, e.Method, e.Path, result, e.Took)
}
