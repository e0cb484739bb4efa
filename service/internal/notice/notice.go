// Package notice decides what the people of an organisation should know: how much
// of the plan is used, which certificates expire, how long invoices have waited to
// be reported, that the chain is unproven, that documents are corrupted. Notices
// are computed from the current state and never stored, so that each ends together
// with its cause.
package notice

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/submit"
)

// Kind is the kind of a notice.
type Kind string

// The kinds.
const (
	Allowance   Kind = "allowance"      // invoices of the plan used, in percent
	Certificate Kind = "certificate"    // days until the certificate of a device ends
	Unreported  Kind = "unreported"     // hours since the oldest simplified invoice that is not reported
	Chain       Kind = "unproven_chain" // the database may lack issued documents
	Corrupted   Kind = "corrupted"      // number of documents whose stored copy is damaged
)

// Level is the urgency of a notice.
type Level string

// The levels.
const (
	Info     Level = "info"
	Warning  Level = "warning"
	Critical Level = "critical"
)

// Notice is a notice to the people of an organisation.
type Notice struct {
	// ID identifies the notice until it ends or becomes more urgent. A notice with
	// another ID is a new one.
	ID        string
	Kind      Kind
	Level     Level
	Device    uuid.UUID // the device, if Kind is Certificate
	Invoice   uuid.UUID // the oldest invoice, if Kind is Unreported; the first one, if Kind is Corrupted
	Value     *int      // in the unit of the kind; nil if it has none
	Threshold *int      // the last one that Value has reached; nil if the kind has none
	Since     time.Time // zero if unknown
	Text
}

// State is what the notices of an organisation depend on.
type State struct {
	Usage    org.Usage
	Expiring []Expiring
	Oldest   Waiting
	Stopped  time.Time // when issuing was stopped because the chain is unproven; zero if it was not
	Damaged  Damaged
}

// Expiring is the production certificate of an active device that ends soon.
type Expiring struct {
	Device uuid.UUID
	Name   string // common name of the device
	Until  time.Time
}

// Waiting is the oldest simplified invoice that is not reported. It is zero if
// all are reported.
type Waiting struct {
	Invoice   uuid.UUID
	CreatedAt time.Time
}

// Damaged describes the documents whose stored copy is damaged.
type Damaged struct {
	Documents   int
	Invoice     uuid.UUID // the first one
	First, Last time.Time // when damage was found
}

// step is a threshold and the level of a notice that has reached it.
type step struct {
	at    int
	level Level
}

// The thresholds, the most urgent first.
var (
	percents = []step{{105, Critical}, {100, Warning}, {80, Info}}
	daysLeft = []step{{0, Critical}, {1, Critical}, {7, Critical}, {30, Warning}, {60, Info}}
)

// Horizon is the time before the end of a certificate from which it has a notice.
const Horizon = 60 * day

const day = 24 * time.Hour

// Of returns the notices at a time, the most urgent first. Of several thresholds
// that a value has reached, only the most urgent has a notice.
func Of(s State, now time.Time) []Notice {
	var all []Notice
	all = append(all, ofChain(s.Stopped)...)
	all = append(all, ofDamage(s.Damaged)...)
	all = append(all, ofOldest(s.Oldest, now)...)
	all = append(all, ofUsage(s.Usage)...)
	for _, e := range s.Expiring {
		all = append(all, ofCertificate(e, now)...)
	}
	urgency := []Level{Critical, Warning, Info}
	slices.SortStableFunc(all, func(a, b Notice) int { return slices.Index(urgency, a.Level) - slices.Index(urgency, b.Level) })
	return all
}

func ofUsage(u org.Usage) []Notice {
	if u.Plan.Invoices <= 0 {
		return nil // unlimited, or a plan without invoices
	}
	for _, p := range percents {
		if 100*u.Invoices < p.at*u.Plan.Invoices {
			continue
		}
		return []Notice{{
			ID:   id(Allowance, u.Month.Format("2006-01"), p.at),
			Kind: Allowance, Level: p.level, Value: new(100 * u.Invoices / u.Plan.Invoices), Threshold: new(p.at), Text: usageText(u),
		}}
	}
	return nil
}

func ofCertificate(e Expiring, now time.Time) []Notice {
	left := e.Until.Sub(now)
	for _, d := range daysLeft {
		if left > time.Duration(d.at)*day {
			continue
		}
		days := device.Certificate{NotAfter: e.Until}.DaysLeft(now)
		return []Notice{{
			ID:   id(Certificate, e.Device, e.Until.Unix(), d.at),
			Kind: Certificate, Level: d.level, Device: e.Device, Value: &days, Threshold: new(d.at),
			Since: e.Until.Add(-time.Duration(d.at) * day), Text: certificateText(e, left),
		}}
	}
	return nil
}

func ofOldest(w Waiting, now time.Time) []Notice {
	if w.CreatedAt.IsZero() {
		return nil
	}
	waited, levels := now.Sub(w.CreatedAt), []Level{Info, Warning, Critical}
	for i, age := range slices.Backward(submit.Ages()) {
		if waited < age {
			continue
		}
		// The oldest invoice changes while the others are reported one by one. Its day
		// keeps the notice the same meanwhile.
		return []Notice{{
			ID:   id(Unreported, w.CreatedAt.UTC().Format(time.DateOnly), int(age.Hours())),
			Kind: Unreported, Level: levels[i], Invoice: w.Invoice, Value: new(int(waited.Hours())), Threshold: new(int(age.Hours())),
			Since: w.CreatedAt.Add(age), Text: oldestText(waited),
		}}
	}
	return nil
}

func ofChain(stopped time.Time) []Notice {
	if stopped.IsZero() {
		return nil
	}
	return []Notice{{ID: id(Chain, stopped.Unix()), Kind: Chain, Level: Critical, Since: stopped, Text: chainText}}
}

func ofDamage(d Damaged) []Notice {
	if d.Documents == 0 {
		return nil
	}
	return []Notice{{
		ID:   id(Corrupted, d.Last.UnixMilli()),
		Kind: Corrupted, Level: Critical, Invoice: d.Invoice, Value: &d.Documents, Since: d.First, Text: damageText(d.Documents),
	}}
}

// id returns the id of a notice of a kind.
func id(k Kind, parts ...any) string {
	all := []string{string(k)}
	for _, p := range parts {
		all = append(all, fmt.Sprint(p))
	}
	return strings.Join(all, ":")
}
