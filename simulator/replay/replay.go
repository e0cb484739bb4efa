// Package replay sends the requests of a recording to a simulator and compares
// its responses with the recorded ones: status, content type, and the shape and
// the codes of the body. It acts only as a client, of the authority's API and of
// the simulator's control API.
package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"khatm/simulator/recording"
)

// Config configures a replay.
type Config struct {
	Recording io.Reader
	URL       string        // of the simulator, such as http://127.0.0.1:9090
	Control   string        // URL of its control API
	Random    io.Reader     // source of the keys of devices
	Timeout   time.Duration // of one call; 0 for a minute
}

// Run replays a recording. While it runs, the simulator accepts documents that
// are stamped with the certificate of another authority, and its clock shows the
// time of each recorded request; both are restored at the end.
func Run(ctx context.Context, cfg Config) (report *Report, err error) {
	if cfg.Timeout == 0 {
		cfg.Timeout = time.Minute
	}
	transport := &http.Transport{} // without a proxy: a simulator is local
	defer transport.CloseIdleConnections()
	r := &run{
		cfg: cfg, report: newReport(), credentials: map[string]known{}, devices: map[string]device{},
		control: control{cfg.Control, &http.Client{Transport: transport, Timeout: 10 * time.Second}},
		http: &http.Client{
			Transport: transport, Timeout: cfg.Timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	before, err := r.control.remember(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.control.restore(context.WithoutCancel(ctx), before)) }()
	if err := r.control.set(ctx, map[string]string{"certificates": "any"}); err != nil {
		return nil, err
	}
	if err := r.all(ctx); err != nil {
		return nil, err
	}
	return r.report, nil
}

// run is a replay in progress.
type run struct {
	cfg         Config
	control     control
	http        *http.Client
	report      *Report
	credentials map[string]known  // by session and name in the recording
	devices     map[string]device // likewise
}

// known is a credential of the recording and the one that the simulator issued
// for it.
type known struct {
	recordedID string // request ID in the recording
	issued     credential
}

func (r *run) all(ctx context.Context) error {
	for e, err := range recording.Read(r.cfg.Recording) {
		var damaged *recording.Damaged
		switch {
		case errors.As(err, &damaged):
			r.report.Damaged = append(r.report.Damaged, damaged.Line)
			continue
		case err != nil:
			return err
		}
		if err := r.exchange(ctx, e); err != nil {
			return fmt.Errorf("replay exchange %d: %w", e.Number, err)
		}
	}
	if r.report.Replayed == 0 && len(r.report.Skipped) == 0 {
		return errors.New("the recording is empty")
	}
	return nil
}

// exchange replays one exchange.
func (r *run) exchange(ctx context.Context, e recording.Exchange) error {
	if reason := unplayable(e); reason != "" {
		r.report.skip(e, reason)
		return nil
	}
	if err := r.control.freeze(ctx, e.Time); err != nil {
		return err
	}
	if err := r.adapt(ctx, e); err != nil {
		return err
	}
	request, err := r.prepare(ctx, e)
	if err != nil {
		return err
	}
	a, err := r.send(ctx, e.Method, e.Environment, e.Path, request.header, request.as, request.body)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.report.add(e, answer{}, []Difference{{What: "answer", Recorded: fmt.Sprint(e.Response.Status), Simulator: "no answer: " + err.Error()}})
		return nil
	}
	r.learn(e, a)
	if e.Response.Cut != "" {
		r.report.Uncompared++
	}
	r.report.add(e, a, compare(e.Response, a.status, a.header, a.body))
	return nil
}

// unplayable returns why an exchange cannot be replayed, or "".
func unplayable(e recording.Exchange) string {
	switch {
	case e.Response == nil:
		return "the authority did not answer: " + e.Error
	case e.Error != "":
		return e.Error
	case e.Request.Cut != "":
		return "the request is not complete: " + e.Request.Cut
	case e.Request.Header.Get("Content-Encoding") != "":
		return "the request was compressed"
	case pathOf[e.Environment] == "":
		return fmt.Sprintf("unknown environment %q", e.Environment)
	}
	return ""
}

// pathOf maps environments to their paths.
var pathOf = map[string]string{
	"sandbox":    "/e-invoicing/developer-portal",
	"simulation": "/e-invoicing/simulation",
	"production": "/e-invoicing/core",
}

// answer is a response of the simulator.
type answer struct {
	status int
	header http.Header
	body   []byte
}

const (
	reasonHeader = "X-Simulator-Reason"
	maxAnswer    = 16 << 20
)

func (r *run) send(ctx context.Context, method, environment, path string, header http.Header, as credential, body []byte) (answer, error) {
	at := strings.TrimRight(r.cfg.URL, "/") + pathOf[environment] + path
	request, err := http.NewRequestWithContext(ctx, method, at, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	request.Header = header
	if as.Token != "" {
		request.SetBasicAuth(as.Token, as.Secret)
	}
	response, err := r.http.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close() //nolint:errcheck // read as far as needed
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return answer{}, err
	}
	return answer{response.StatusCode, response.Header, text}, nil
}
