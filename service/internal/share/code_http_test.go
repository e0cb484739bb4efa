package share_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/fault"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/share"
)

// wrongFor returns a code that differs from the given one.
func wrongFor(code string) string { return string('0'+(code[0]-'0'+1)%10) + code[1:] }

// refusedCode checks that err is the error of a code that does not work, and says
// nothing about the right one.
func refusedCode(t testing.TB, what string, err error) {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) || e.Code() != fault.WrongCode && e.Code() != fault.InvalidCode || e.Message != "" || e.Cause != nil {
		t.Errorf("%s: error is %+v, want %s or %s", what, err, fault.WrongCode, fault.InvalidCode)
	}
}

// TestK6_ManyGuessesAtOnce checks that after five of many concurrent attempts
// not even the right code works.
func TestK6_ManyGuessesAtOnce(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		code := d.Code(token)
		errs := make([]error, testtool.Count(150, 1000))
		var all sync.WaitGroup
		for n := range errs {
			guess := fmt.Sprintf("%06d", n)
			if guess == code {
				guess = wrongFor(code)
			}
			all.Go(func() { _, errs[n] = d.Sharer().Approve(d.Ctx, token, "Noura", guess, share.From{}) })
		}
		all.Wait()
		for _, err := range errs {
			// A slow database may not answer a thousand requests in time.
			if fault.KindOf(err) != fault.Unavailable {
				refusedCode(t, "a guess", err)
			}
		}
		tries, _ := d.Tries(draft)
		servicetest.Equal(t, "attempts", tries, share.MostTries)
		_, err := d.Sharer().Approve(d.Ctx, token, "Noura", code, share.From{})
		refusedCode(t, "the right code, too late", err)

		// Asking again within ten minutes sends nothing and does not reset the
		// attempts.
		before := len(d.Letters())
		h.Clock.Advance(share.CodeLife - time.Millisecond)
		asked, err := d.Sharer().AskCode(d.Ctx, token, share.From{})
		d.Must(err)
		servicetest.Equal(t, "asked within the ten minutes", asked.Fresh, false)
		servicetest.Equal(t, "e-mails", len(d.Letters()), before)
		_, err = d.Sharer().Approve(d.Ctx, token, "Noura", code, share.From{})
		refusedCode(t, "the right code, requested again", err)

		h.Clock.Advance(time.Millisecond)
		_, err = d.Sharer().Approve(d.Ctx, token, "Noura", d.Code(token), share.From{})
		d.Must(err)
		servicetest.Equal(t, "approved by the next code", d.Again(draft).State(), share.Approved)
	})
}

// TestK6_OneApprovalOfMany checks that concurrent approvals all return the same
// approval.
func TestK6_OneApprovalOfMany(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		code := d.Code(token)
		given := make([]share.Approval, 50)
		var all sync.WaitGroup
		for n := range given {
			all.Go(func() {
				var err error
				if given[n], err = d.Sharer().Approve(d.Ctx, token, fmt.Sprintf("Noura %d", n), code, share.From{}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		h.Clock.Advance(time.Hour)
		for _, typed := range []string{code, wrongFor(code), "", "never asked for"} {
			again, err := d.Sharer().Approve(d.Ctx, token, "Another Person", typed, share.From{})
			d.Must(err)
			given = append(given, again)
		}
		for _, one := range given {
			servicetest.Equal(t, "approval", one, given[0])
		}
		servicetest.Equal(t, "the trail", d.Events(draft.ID), []string{"draft.created", "draft.shared", "draft.code_sent", "draft.approved"})
		_, err := d.Sharer().AskCode(d.Ctx, token, share.From{})
		wantFault(t, "a code for an approved draft", err, fault.Invalid, "already approved")
	})
}

// TestK6_CodesOfALink checks that a code belongs to one link and one version,
// expires after ten minutes, and that a link has at most twenty codes.
func TestK6_CodesOfALink(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		approve := func(code string) error {
			_, err := d.Sharer().Approve(d.Ctx, token, "Noura", code, share.From{})
			return err
		}
		refusedCode(t, "never asked for", approve("123456"))
		code := d.Code(token)
		for _, typed := range []string{"", "12345", "1234567", "abcdef", code + "0", "-" + code[1:], strings.Repeat("1", 10_000)} {
			refusedCode(t, "no code at all", approve(typed))
		}
		tries, _ := d.Tries(draft)
		servicetest.Equal(t, "attempts with invalid codes", tries, 0)

		_, err := d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("5000.00"), servicetest.Recipient)
		d.Must(err)
		refusedCode(t, "the code of an older version", approve(code))
		other, otherToken := d.Shared()
		otherCode := d.Code(otherToken)
		refusedCode(t, "the code of another draft", approve(otherCode))
		servicetest.Equal(t, "the other draft", d.Again(other).State(), share.Shared)

		code = d.Code(token) // for the new version, immediately
		h.Clock.Advance(share.CodeLife)
		refusedCode(t, "an expired code", approve(code))
		for n := 3; n <= share.MostCodes; n++ {
			code = d.Code(token)
			h.Clock.Advance(2 * time.Hour) // stays below the daily limit of e-mails
		}
		_, made := d.Tries(draft)
		servicetest.Equal(t, "codes made", made, share.MostCodes)
		letters := len(d.Letters())
		_, err = d.Sharer().AskCode(d.Ctx, token, share.From{})
		wantFault(t, "the 21st code", err, fault.Invalid, "Ask the sender")
		servicetest.Equal(t, "e-mails", len(d.Letters()), letters)
		refusedCode(t, "the last one", approve(code))

		// A new link has its own codes, and the old link stops working.
		again, err := d.Sharer().Share(d.Ctx, d.By, draft.ID)
		d.Must(err)
		gone(t, "the old link", approve(code))
		token = d.Token(again)
		d.Must(approve(d.Code(token)))
	})
}

// TestK6_OneLetterHoweverManyAsk checks that a hundred concurrent requests send
// one e-mail.
func TestK6_OneLetterHoweverManyAsk(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		_, token := d.Shared()
		asked := make([]share.Asked, 100)
		var all sync.WaitGroup
		for n := range asked {
			all.Go(func() {
				var err error
				if asked[n], err = d.Sharer().AskCode(d.Ctx, token, share.From{}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		fresh := 0
		for _, one := range asked {
			if one.Fresh {
				fresh++
			}
			servicetest.Equal(t, "asked", one, share.Asked{To: "n***@buyer.example", Expires: h.Clock.Now().Add(share.CodeLife), Fresh: one.Fresh, Version: 1})
		}
		servicetest.Equal(t, "fresh", fresh, 1)
		servicetest.Equal(t, "e-mails", len(d.Letters()), 2) // the invitation and the code
	})
}

// TestDraft_CodesAsTheyAreTyped checks codes with spaces and Arabic digits.
func TestDraft_CodesAsTheyAreTyped(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		arabic := strings.NewReplacer("0", "٠", "1", "١", "2", "٢", "3", "٣", "4", "٤", "5", "٥", "6", "٦", "7", "٧", "8", "٨", "9", "٩")
		for what, typed := range map[string]func(string) string{
			"with spaces":      func(code string) string { return " " + code[:3] + " " + code[3:] + "\n" },
			"in Arabic digits": arabic.Replace,
		} {
			_, token := d.Shared()
			if _, err := d.Sharer().Approve(d.Ctx, token, "نورة", typed(d.Code(token)), share.From{}); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

func TestDraft_NameOfWhoApproves(t *testing.T) {
	t.Parallel()
	d := servicetest.Open(t, nil).DraftSharing()
	draft, token := d.Shared()
	code := d.Code(token)
	for what, name := range map[string]string{
		"empty": "", "spaces": " \t ", "two lines": "Noura\nAdmin", "too long": strings.Repeat("ن", 101), "a URL": "Win: HTTPS://x.example", "a host name": "WWW.x.example", "invalid UTF-8": "\xff", "a direction override": "Noura \u202egnitidua",
	} {
		_, err := d.Sharer().Approve(d.Ctx, token, name, code, share.From{})
		wantFault(t, what, err, fault.Invalid, "1 to 100 characters")
	}
	tries, _ := d.Tries(draft)
	servicetest.Equal(t, "attempts", tries, 0)
	_, err := d.Sharer().Approve(d.Ctx, token, strings.Repeat("ن", 100), code, share.From{})
	d.Must(err)
}

// TestK6_NobodyApprovesWhatTheyHaveNotSeen checks that a caller who saw an
// older version can neither request a code nor approve.
func TestK6_NobodyApprovesWhatTheyHaveNotSeen(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		d := h.DraftSharing()
		draft, token := d.Shared()
		old := share.From{Seen: draft.Shown.Version}
		changed, err := d.Sharer().Change(d.Ctx, d.By, draft.ID, 0, d.Request("9000.00"), servicetest.Recipient)
		d.Must(err)
		letters := len(d.Letters())
		_, err = d.Sharer().AskCode(d.Ctx, token, old)
		wantFault(t, "a code requested on an outdated page", err, fault.Invalid, "Reload it and check it")
		servicetest.Equal(t, "e-mails", len(d.Letters()), letters)

		code := d.Code(token) // requested from the current page
		_, err = d.Sharer().Approve(d.Ctx, token, "Noura", code, old)
		wantFault(t, "an approval on an outdated page", err, fault.Invalid, "Reload it and check it")
		var e *fault.Error
		if !errors.As(err, &e) || e.Code() != fault.DraftChanged {
			t.Errorf("error is %+v, want code draft_changed", e)
		}
		tries, _ := d.Tries(draft)
		servicetest.Equal(t, "attempts", tries, 0)
		servicetest.Equal(t, "the draft", d.Again(draft).State(), share.Shared)

		seen := share.From{Seen: changed.Version}
		asked, err := d.Sharer().AskCode(d.Ctx, token, seen)
		d.Must(err)
		servicetest.Equal(t, "the requested version", asked.Version, changed.Version)
		given, err := d.Sharer().Approve(d.Ctx, token, "Noura", code, seen)
		d.Must(err)
		servicetest.Equal(t, "what was approved", given.Version, changed.Version)
		again, err := d.Sharer().Approve(d.Ctx, token, "Noura", code, old)
		d.Must(err)
		servicetest.Equal(t, "once approved, from any page", again, given)
	})
}
