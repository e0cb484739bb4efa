package notice_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/uuid"

	"khatm/service/internal/notice"
	"khatm/service/internal/org"
)

var (
	now  = time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)
	one  = uuid.MustParse("01900000-0000-7000-8000-000000000001")
	hour = time.Hour
	day  = 24 * time.Hour
)

// brief describes notices as kind, level, value and threshold.
func brief(all []notice.Notice) string {
	var parts []string
	for _, n := range all {
		text := fmt.Sprint(n.Kind, " ", n.Level)
		if n.Value != nil {
			text += fmt.Sprint(" ", *n.Value)
		}
		if n.Threshold != nil {
			text += fmt.Sprint(" ", *n.Threshold)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func used(invoices, limit int) notice.State {
	return notice.State{Usage: org.Usage{Month: org.UsageMonth(now), Invoices: invoices, Plan: org.Plan{Invoices: limit}}}
}

func expires(left time.Duration) notice.State {
	return notice.State{Expiring: []notice.Expiring{{Device: one, Name: "TST-1", Until: now.Add(left)}}}
}

func waits(age time.Duration) notice.State {
	return notice.State{Oldest: notice.Waiting{Invoice: one, CreatedAt: now.Add(-age)}}
}

// Each threshold is tested just before, at and after it.
func TestThresholds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		state notice.State
		want  string
	}{
		{"nothing", notice.State{}, ""},
		{"79.9 % used", used(799, 1000), ""},
		{"80 % used", used(800, 1000), "allowance info 80 80"},
		{"99.9 % used", used(999, 1000), "allowance info 99 80"},
		{"100 % used", used(1000, 1000), "allowance warning 100 100"},
		{"104.9 % used", used(1049, 1000), "allowance warning 104 100"},
		{"105 % used", used(1050, 1000), "allowance critical 105 105"},
		{"110 % used", used(1100, 1000), "allowance critical 110 105"},
		{"80 % of a small plan", used(20, 25), "allowance info 80 80"},
		{"104 % of a small plan", used(26, 25), "allowance warning 104 100"},
		{"108 % of a small plan", used(27, 25), "allowance critical 108 105"},
		{"unlimited", used(1_000_000, org.Unlimited), ""},
		{"no invoices in the plan", used(0, 0), ""},
		{"more than 60 days", expires(60*day + 1), ""},
		{"60 days", expires(60 * day), "certificate info 60 60"},
		{"30 days and a bit", expires(30*day + 1), "certificate info 30 60"},
		{"30 days", expires(30 * day), "certificate warning 30 30"},
		{"7 days and a bit", expires(7*day + 1), "certificate warning 7 30"},
		{"7 days", expires(7 * day), "certificate critical 7 7"},
		{"1 day and a bit", expires(day + 1), "certificate critical 1 7"},
		{"1 day", expires(day), "certificate critical 1 1"},
		{"1 ns", expires(1), "certificate critical 0 1"},
		{"expired", expires(0), "certificate critical 0 0"},
		{"expired an hour ago", expires(-hour), "certificate critical -1 0"},
		{"almost 6 hours", waits(6*hour - 1), ""},
		{"6 hours", waits(6 * hour), "unreported info 6 6"},
		{"almost 12 hours", waits(12*hour - 1), "unreported info 11 6"},
		{"12 hours", waits(12 * hour), "unreported warning 12 12"},
		{"almost 20 hours", waits(20*hour - 1), "unreported warning 19 12"},
		{"20 hours", waits(20 * hour), "unreported critical 20 20"},
		{"30 hours", waits(30 * hour), "unreported critical 30 20"},
		{"unproven chain", notice.State{Stopped: now}, "unproven_chain critical"},
		{"corrupted", notice.State{Damaged: notice.Damaged{Documents: 3, Invoice: one, First: now, Last: now}}, "corrupted critical 3"},
	} {
		all := notice.Of(c.state, now)
		if got := brief(all); got != c.want {
			t.Errorf("%s: notices = %q, want %q", c.name, got, c.want)
		}
		for _, n := range all {
			wantTexts(t, c.name, n)
		}
	}
}

// wantTexts checks that a notice has all its texts, in the right language.
func wantTexts(t *testing.T, name string, n notice.Notice) {
	t.Helper()
	arabic := func(text string) bool {
		return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Arabic, r) })
	}
	for _, text := range []string{n.Message, n.Fix} {
		if text == "" || arabic(text) || !strings.HasSuffix(text, ".") || strings.Contains(text, "%!") {
			t.Errorf("%s: English text = %q, want a sentence", name, text)
		}
	}
	for _, text := range []string{n.MessageArabic, n.FixArabic} {
		if !arabic(text) || !strings.HasSuffix(text, ".") || strings.Contains(text, "%!") {
			t.Errorf("%s: Arabic text = %q, want a sentence", name, text)
		}
	}
}

// A notice keeps its id until it ends or becomes more urgent.
func TestIDs(t *testing.T) {
	t.Parallel()
	id := func(s notice.State, at time.Time) string {
		all := notice.Of(s, at)
		if len(all) != 1 {
			t.Fatalf("notices of %+v = %+v, want one", s, all)
		}
		return all[0].ID
	}
	later := now.AddDate(0, 1, 0)
	next := used(900, 1000)
	next.Usage.Month = org.UsageMonth(later)
	renewed := expires(50 * day)
	renewed.Expiring[0].Until = renewed.Expiring[0].Until.Add(hour)
	another := expires(50 * day)
	another.Expiring[0].Device = uuid.Max
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"more of the allowance":           {id(used(800, 1000), now), id(used(900, 1000), now), true},
		"the next threshold":              {id(used(800, 1000), now), id(used(1000, 1000), now), false},
		"the next month":                  {id(used(900, 1000), now), id(next, later), false},
		"the next day of a certificate":   {id(expires(50*day), now), id(expires(50*day), now.Add(day)), true},
		"the next certificate":            {id(expires(50*day), now), id(renewed, now), false},
		"another device":                  {id(expires(50*day), now), id(another, now), false},
		"an hour later":                   {id(waits(7*hour), now), id(waits(7*hour), now.Add(hour)), true},
		"another invoice of the same day": {id(waits(7*hour), now), id(waits(6*hour), now), true},
		"the next age":                    {id(waits(7*hour), now), id(waits(7*hour), now.Add(5*hour)), false},
		"another stop":                    {id(notice.State{Stopped: now}, now), id(notice.State{Stopped: later}, later), false},
		"more damage": {
			id(notice.State{Damaged: notice.Damaged{Documents: 1, Last: now}}, now),
			id(notice.State{Damaged: notice.Damaged{Documents: 2, Last: later}}, later), false,
		},
	} {
		if got := c.a == c.b; got != c.same {
			t.Errorf("%s: same id = %v (%s, %s), want %v", name, got, c.a, c.b, c.same)
		}
	}
}

func TestMostUrgentFirst(t *testing.T) {
	t.Parallel()
	s := used(800, 1000)
	s.Expiring = slices.Concat(expires(50*day).Expiring, expires(20*day).Expiring, expires(hour).Expiring)
	s.Oldest, s.Stopped, s.Damaged = waits(13*hour).Oldest, now, notice.Damaged{Documents: 1, First: now, Last: now}
	const want = "unproven_chain critical, corrupted critical 1, certificate critical 0 1, unreported warning 13 12, certificate warning 20 30, allowance info 80 80, certificate info 50 60"
	if got := brief(notice.Of(s, now)); got != want {
		t.Errorf("notices = %q, want %q", got, want)
	}
}

// The texts tell how many invoices are left, and when the law is violated.
func TestTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		state      notice.State
		message, f string
	}{
		{used(20, 25), "20 of the 25 invoices of this month's plan are used.", "Choose a larger plan if you need more invoices this month."},
		{used(25, 25), "25 of the 25 invoices of this month's plan are used.", "2 invoices can still be issued this month. Choose a larger plan."},
		{used(26, 25), "26 of the 25 invoices of this month's plan are used.", "1 invoice can still be issued this month. Choose a larger plan."},
		{used(27, 25), "27 of the 25 invoices of this month's plan are used.", "No more invoices can be issued. Choose a larger plan, or wait until the next month."},
		{expires(30 * day), "The certificate of device TST-1 ends in 30 days, on 2026-12-15.", "Renew the certificate of the device."},
		{expires(day), "The certificate of device TST-1 ends in 1 day, on 2026-11-16.", "Renew the certificate of the device."},
		{expires(13 * hour), "The certificate of device TST-1 ends in less than a day, on 2026-11-16.", "Renew the certificate of the device."},
		{expires(0), "The certificate of device TST-1 ended on 2026-11-15. The device cannot issue invoices.", "Renew the certificate of the device."},
		{waits(24 * hour), "A simplified invoice has waited 24 hours to be reported to the authority. The time limit is 24 hours.", "The service keeps sending invoices. Check whether a device has stopped, and ask the operator whether the authority can be reached."},
		{waits(24*hour + 1), "A simplified invoice has waited 24 hours to be reported to the authority. The time limit of 24 hours has passed.", "Read the status of the invoice. If it is No response, check the authority's portal, then send the invoice again."},
	} {
		got := notice.Of(c.state, now)[0]
		if got.Message != c.message || got.Fix != c.f {
			t.Errorf("texts = %q, %q, want %q, %q", got.Message, got.Fix, c.message, c.f)
		}
	}
}
