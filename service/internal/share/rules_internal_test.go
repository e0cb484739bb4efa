package share

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
)

// TestVisible checks that a standard invoice is visible once accepted, a
// simplified one at once, and a rejected one never.
func TestVisible(t *testing.T) {
	t.Parallel()
	for status, want := range map[ledger.Status][2]bool{ // standard, simplified
		ledger.Unanswered:  {false, true},
		ledger.NoResponse:  {false, true},
		ledger.Cleared:     {true, true},
		ledger.Reported:    {true, true},
		ledger.NotCleared:  {false, false},
		ledger.NotReported: {false, false},
	} {
		if got := [2]bool{visible(false, status), visible(true, status)}; got != want {
			t.Errorf("%q: got %t, want %t", status, got, want)
		}
	}
}

func TestStateOfADraft(t *testing.T) {
	t.Parallel()
	id := uuid.Max
	for _, c := range []struct {
		draft Draft
		want  State
	}{
		{Draft{}, Open},
		{Draft{Shown: &Shown{}, Claim: &Claim{}}, Open},
		{Draft{Share: &ledger.Share{}}, Shared},
		{Draft{Share: &ledger.Share{}, Approval: &Approval{}}, Approved},
		{Draft{Approval: &Approval{}}, Approved},
		{Draft{Share: &ledger.Share{}, Approval: &Approval{}, Invoice: &id}, Issued},
		{Draft{Invoice: &id}, Issued},
	} {
		if got := c.draft.State(); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.draft, got, c.want)
		}
	}
}

// TestTimesOfCodesAndClaims checks that a code belongs to one version and
// expires after ten minutes, and that a claim expires.
func TestTimesOfCodesAndClaims(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)
	code := Code{Made: 1, Version: 2, Expires: now.Add(CodeLife)}
	for _, c := range []struct {
		name    string
		code    Code
		version int
		now     time.Time
		want    bool
	}{
		{"new", code, 2, now, true},
		{"its last moment", code, 2, now.Add(CodeLife - time.Nanosecond), true},
		{"expired", code, 2, now.Add(CodeLife), false},
		{"of an older version", code, 3, now, false},
		{"never made", Code{Version: 2, Expires: now.Add(CodeLife)}, 2, now, false},
		{"tried too often", Code{Made: 1, Version: 2, Expires: now.Add(CodeLife), Tries: MostTries}, 2, now, true},
	} {
		if got := c.code.current(&Draft{Version: c.version}, c.now); got != c.want {
			t.Errorf("current() of a code that is %s = %t, want %t", c.name, got, c.want)
		}
	}
	claim := &Claim{Until: now}
	if !claim.held(now.Add(-time.Nanosecond)) || claim.held(now) || (*Claim)(nil).held(now) {
		t.Error("a claim must be held before its end and not after")
	}
}

func TestDigits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typed, want string }{
		{"123456", "123456"}, {" 123 456\n", "123456"}, {"000000", "000000"},
		{"١٢٣٤٥٦", "123456"}, {"۱۲۳۴۵۶", "123456"}, {"12٣4۵6", "123456"},
		{"", ""}, {"12345", ""}, {"1234567", ""}, {"12345a", ""}, {"-12345", ""}, {"１２３４５６", ""},
		{"12345" + strings.Repeat(" ", 58) + "6", "123456"}, {"12345" + strings.Repeat(" ", 59) + "6", ""},
	} {
		if got := digits(c.typed); got != c.want {
			t.Errorf("digits(%q) = %q, want %q", c.typed, got, c.want)
		}
	}
}

// TestSees checks that a caller who saw a different version is refused.
func TestSees(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		seen  int
		shown *Shown
		ok    bool
	}{
		{0, nil, true}, {0, &Shown{Version: 2}, true}, {2, &Shown{Version: 2}, true}, {1, &Shown{Version: 2}, false}, {3, &Shown{Version: 2}, false}, {2, nil, false},
	} {
		err := From{Seen: c.seen}.sees(&Draft{Shown: c.shown})
		if (err == nil) != c.ok {
			t.Errorf("sees with version %d returned %v, want success %t", c.seen, err, c.ok)
		}
	}
}

// TestWaits checks that a draft cannot be approved if it is issued or being
// issued, or if its organisation is suspended or deactivated.
func TestWaits(t *testing.T) {
	t.Parallel()
	id := uuid.Max
	for name, c := range map[string]struct {
		folder Folder
		ok     bool
	}{
		"open":     {Folder{}, true},
		"issued":   {Folder{Draft: Draft{Invoice: &id}}, false},
		"claimed":  {Folder{Draft: Draft{Claim: &Claim{}}}, false},
		"inactive": {Folder{Inactive: true}, false},
	} {
		if err := c.folder.checkWaiting(); (err == nil) != c.ok || !c.ok && fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: checkWaiting returned %v, want success %t", name, err, c.ok)
		}
	}
}

func TestRecipients(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		recipient Recipient
		path      string // of the expected error; "" for none
	}{
		{Recipient{}, ""},
		{Recipient{Name: "Sara", Email: " sara@example.com ", Language: "en"}, ""},
		{Recipient{Email: "sara@localhost"}, "recipient.email"},
		{Recipient{Email: "sara@example."}, "recipient.email"},
		{Recipient{Email: "sara"}, "recipient.email"},
		{Recipient{Email: "Sara <sara@example.com>"}, "recipient.email"},
		{Recipient{Language: "fr"}, "recipient.language"},
		{Recipient{Name: "www.example.com"}, "recipient.name"},
	} {
		r := c.recipient
		err := r.check()
		if c.path == "" {
			if err != nil || r.Email != strings.TrimSpace(c.recipient.Email) || r.Language == "" {
				t.Errorf("check of %+v returned %+v and error %v, want it accepted", c.recipient, r, err)
			}
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.path+": ") {
			t.Errorf("check of %+v returned %v, want an error about %s", c.recipient, err, c.path)
		}
	}
	r := Recipient{}
	if err := r.check(); err != nil || r.Language != "ar" {
		t.Errorf("default language is %q, want ar (error: %v)", r.Language, err)
	}
}

// TestTold checks that errors for holders of a link reveal nothing about the
// document.
func TestTold(t *testing.T) {
	t.Parallel()
	gone := ErrGone().Error()
	if got := guestError(fault.Missing("Draft")); got.Error() != gone || fault.KindOf(got) != fault.NotFound {
		t.Errorf("missing draft: got %v, want ErrGone", got)
	}
	if got := goneIf(fault.Missing("Invoice")); got.Error() != gone {
		t.Errorf("missing invoice: got %v, want ErrGone", got)
	}
	away := fault.New(fault.DatabaseUnavailable, "away")
	if !errors.Is(guestError(away), away) || !errors.Is(goneIf(away), away) {
		t.Error("an unrelated error was changed")
	}
	full := fault.New(fault.EmailLimit, "full").With("detail", "later")
	if got := guestError(full); fault.KindOf(got) != fault.Invalid {
		t.Errorf("exhausted limit: got %v, want an Invalid fault", got)
	}
}
