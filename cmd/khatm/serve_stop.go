package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// drainSetting holds the flags that say how a server stops.
type drainSetting struct {
	BehindProxy bool           `env:"KHATM_BEHIND_PROXY" help:"A proxy or load balancer in front of the server encrypts the connections and reads /readyz: plain HTTP is no mistake, and the proxy gets time to stop using a server that is stopped (see --drain)."`
	Drain       *time.Duration `env:"KHATM_DRAIN" placeholder:"TIME" help:"How long a server that is stopped still accepts requests, while /readyz responds with 503 (default 0s; 10s with --behind-proxy). A second signal ends this period."`
}

// proxyDrain is the default of --drain with --behind-proxy.
const proxyDrain = 10 * time.Second

func (s drainSetting) drain() time.Duration {
	switch {
	case s.Drain != nil:
		return *s.Drain
	case s.BehindProxy:
		return proxyDrain
	}
	return 0
}

// untilSignal returns a context that the first SIGINT or SIGTERM ends. If twice is
// set, the second one closes the returned channel. Any later one ends the process
// at once. The caller must call stop.
func untilSignal(twice bool) (ctx context.Context, second <-chan struct{}, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	received, again, done := make(chan os.Signal, 1), make(chan struct{}), make(chan struct{})
	signal.Notify(received, os.Interrupt, syscall.SIGTERM)
	go func() {
		defer signal.Stop(received)
		select {
		case <-received:
		case <-done:
			return
		}
		if !twice {
			signal.Stop(received)
		}
		cancel()
		select {
		case <-received:
			close(again)
		case <-done:
		}
	}()
	return ctx, again, func() {
		close(done)
		cancel()
	}
}
