package admin

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"khatm/service/internal/authority"
	"khatm/service/internal/device"
)

// How far clocks may be apart. Invoices carry the time to the second, and the
// authority refuses those from the future.
const (
	someSkew   = 5 * time.Second
	muchSkew   = time.Minute
	probeTime  = 10 * time.Second
	setTheTime = "have the clock set by NTP (timedatectl set-ntp true)"
)

// databaseClock holds our clock against that of a database on another machine.
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

// authority sends the authority a request and compares the clock there.
func (x *examination) authority(ctx context.Context) {
	const check = "authority"
	environment := device.Environment(x.outside.Authority)
	base := authority.Base(environment)
	if environment == device.Simulator {
		x.ok(check, "the simulator needs no way to the outside")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	sent := x.config.Now()
	answer, err := authority.Probe(ctx, x.outside.Client, base, x.config.Now)
	switch {
	case err != nil:
		x.fail(check, "open the way from this machine to "+base+" (firewall, DNS, HTTPS_PROXY); invoices wait meanwhile", "%v", err)
		return
	case answer.Status >= http.StatusInternalServerError:
		x.warn(check, "wait: invoices do too", "%s (%s) answers %d after %s", environment, base, answer.Status, answer.Took.Round(time.Millisecond))
	default:
		x.ok(check, "%s (%s) answers after %s", environment, base, answer.Took.Round(time.Millisecond))
	}
	if answer.Date.IsZero() {
		x.warn("clock", "", "the authority does not say what time it is")
		return
	}
	x.skew("clock", "the authority's", answer.Behind(sent))
}

// skew judges how far our clock is behind another.
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
