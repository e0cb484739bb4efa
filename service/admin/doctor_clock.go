package admin

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"khatm/service/internal/authority"
	"khatm/service/internal/device"
)

// Limits for the difference between clocks. Invoices contain the time to the
// second, and the authority rejects invoices dated in the future.
const (
	someSkew   = 5 * time.Second
	muchSkew   = time.Minute
	probeTime  = 10 * time.Second
	setTheTime = "synchronise the clock with NTP (timedatectl set-ntp true)"
)

// databaseClock compares this machine's clock with that of a PostgreSQL server.
func (x *examination) databaseClock(ctx context.Context, a *Admin) {
	if x.config.Database == "" {
		return
	}
	sent := x.config.Now()
	there, err := a.store.Clock(ctx)
	if err != nil {
		x.fail("database clock", "", "%v", err)
		return
	}
	took := x.config.Now().Sub(sent)
	x.skew("database clock", "the database's", there.Sub(sent.Add(took/2)))
}

// authority sends a request to the authority and compares the clocks.
func (x *examination) authority(ctx context.Context) {
	const check = "authority"
	environment := device.Environment(x.outside.Authority)
	if environment == "" {
		return // not chosen yet
	}
	base := cmp.Or(x.outside.AuthorityURL, authority.Base(environment))
	if environment == device.Simulator {
		base = cmp.Or(base, x.outside.Simulator)
	}
	if base == "" {
		x.ok(check, "the simulator runs in the process of the server, which is not running")
		return
	}
	if err := authority.CheckURL(environment, base); err != nil {
		x.fail(check, "correct --authority-url or KHATM_AUTHORITY_URL", "%v", err)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	sent := x.config.Now()
	answer, err := authority.Probe(ctx, x.outside.Client, base, x.config.Now)
	switch {
	case err != nil:
		x.fail(check, "check firewall, DNS and HTTPS_PROXY: this machine must reach "+base+"; invoices wait until it does", "%v", err)
		return
	case answer.Status >= http.StatusInternalServerError:
		x.warn(check, "wait: the authority has a problem, and invoices are sent when it is over", "%s (%s) answers %d after %s", environment, base, answer.Status, answer.Took.Round(time.Millisecond))
	default:
		x.ok(check, "%s (%s) answers after %s", environment, base, answer.Took.Round(time.Millisecond))
	}
	if answer.Date.IsZero() {
		x.warn("clock", "", "the authority's answer has no Date header to compare with")
		return
	}
	x.skew("clock", "the authority's", answer.Behind(sent))
}

// skew reports how far this machine's clock is behind another.
func (x *examination) skew(check, whose string, behind time.Duration) {
	how := fmt.Sprintf("this machine's clock is %s behind %s", behind.Round(100*time.Millisecond), whose)
	if behind < 0 {
		how = fmt.Sprintf("this machine's clock is %s ahead of %s", (-behind).Round(100*time.Millisecond), whose)
	}
	switch apart := behind.Abs(); {
	case apart > muchSkew:
		x.fail(check, setTheTime, "%s", how)
	case apart > someSkew:
		x.warn(check, setTheTime, "%s", how)
	default:
		x.ok(check, "%s", how)
	}
}
