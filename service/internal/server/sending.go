package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/google/uuid"

	"khatm/service/internal/api"
	"khatm/service/internal/device"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/onboard"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// buildSender creates the sender of documents. It is started when the environment
// of the authority is known and has a URL; until then documents wait.
func (s *Server) buildSender() {
	c := s.config
	config := submit.Config{
		Keeper: comparedKeeper{s.store, s.guard}, Authority: line{s}, Credentials: s.credentials, Now: c.Now, Random: c.Random, Log: c.Log, Name: processName(),
		Workers: c.Sending.Workers, Lease: c.Sending.Timeout + c.Sending.LeaseMargin, Poll: c.Sending.Poll,
		Retry:   submit.Backoff{First: c.Sending.RetryFirst, Most: c.Sending.RetryMost},
		Probe:   submit.Backoff{First: c.Sending.ProbeFirst, Most: c.Sending.ProbeMost},
		Copy:    submit.Backoff{First: c.Sending.CopyFirst, Most: c.Sending.CopyMost},
		Copies:  max(1, c.Sending.Workers/copyShare),
		Silence: c.Sending.Silence, Paused: c.Sending.Paused,
		Alone: c.Database == "", // only one server can use a data folder
		Begin: s.hasBegun, Trusted: s.trusted, Known: s.timeKnown,
	}
	if c.point != nil {
		config.Point = func(step string) { _ = c.point(step) }
	}
	s.sender = submit.New(config)
	s.metrics.watch(s.sender)
}

// copyShare is the number of workers per concurrent request for a stamped copy.
// These requests run in addition to the workers.
const copyShare = 16

// line sends documents with the client of the chosen environment.
type line struct{ server *Server }

// Clear implements submit.Authority.
func (l line) Clear(ctx context.Context, as device.Credentials, d ledger.Dispatch) ledger.Verdict {
	return l.server.client().Clear(ctx, as, d)
}

// Report implements submit.Authority.
func (l line) Report(ctx context.Context, as device.Credentials, d ledger.Dispatch) ledger.Verdict {
	return l.server.client().Report(ctx, as, d)
}

// startSender starts sending, if the environment has a URL, or only the watch of what
// waits, if other servers send. The client must not change afterwards.
func (s *Server) startSender() {
	if s.client() == nil {
		s.config.Log.Warn("no URL of the authority is configured: documents are issued but not sent", "authority", string(s.Environment()))
		return
	}
	s.watch.started.Store(int64(s.watch.boot()))
	s.loops.Start("ask the authority for the time", watchEvery, s.askTime)
	s.sender.Watch(s.loops)
	if s.config.works() {
		s.sender.Start(s.loops)
	}
}

// closeSender waits for calls in progress.
func (s *Server) closeSender() {
	if s.sender != nil {
		s.sender.Close(stopTime)
	}
	if client := s.client(); client != nil {
		client.Close()
	}
}

// credentials returns the credentials of a device for the authority.
func (s *Server) credentials(ctx context.Context, of org.Tenant, id uuid.UUID) (device.Credentials, error) {
	token, sealed, err := s.store.Credentials(ctx, of, id, onboard.ProductionPurpose)
	if err != nil {
		return device.Credentials{}, err
	}
	secret, err := s.vault.Open(onboard.ProductionPurpose, id.String(), sealed)
	if err != nil {
		return device.Credentials{}, fmt.Errorf("open the secret of device %s: %w", id, err)
	}
	defer clear(secret)
	return device.Credentials{Token: token, Secret: device.NewSecret(string(secret))}, nil
}

// processName returns the name of this process for the record of attempts.
func processName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return host + ":" + strconv.Itoa(os.Getpid())
}

// explain explains the authority's rule codes, with the field and the fix. It is
// here because package api does not import the rules.
func (s *Server) explain(ctx context.Context, of org.Tenant, i ledger.Invoice, codes []string) (map[string]api.Explanation, error) {
	signed, err := s.store.SignedXML(ctx, of, i.ID)
	var damage *ledger.Damage
	switch {
	case errors.As(err, &damage):
		return nil, err
	case err != nil:
		return nil, nil //nolint:nilnil // the messages are shown without explanations
	}
	explained := map[string]api.Explanation{}
	for code, e := range issue.Explain(i, signed, codes, s.config.Now()) {
		one := api.Explanation{Message: e.Says.EN, MessageArabic: e.Says.AR, Fix: e.Fix.EN, FixArabic: e.Fix.AR}
		if e.Path != "" {
			one.Path = &e.Path
		}
		explained[code] = one
	}
	return explained, nil
}
