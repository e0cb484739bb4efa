package service_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"khatm/service/internal/fault"
	"khatm/service/internal/share"
)

// wrongFor is a code that is not this one.
func wrongFor(code string) string { return string('0'+(code[0]-'0'+1)%10) + code[1:] }

// refusedCode demands the one answer to every code that does not approve.
func refusedCode(t testing.TB, what string, err error) {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: %v", what, err)
		return
	}
	got := fault.Error{Kind: e.Kind, Code: e.Code, Message: e.Message, Problems: e.Problems, Fields: e.Fields, Again: e.Again, Cause: e.Cause}
	equal(t, what, got, fault.Error{Kind: fault.Invalid, Fields: map[string]any{"detail": "The code is not valid: it is wrong, over, or was tried too often. Check it; ten minutes after a code was sent a new one can be asked for."}})
}

// tries is how many tries of the last code of a draft were counted.
func (d *desk) tries(one share.Draft) (tries, made int) {
	d.t.Helper()
	stop := errors.New("only looked at")
	_, err := d.service.Store().ChangeDraft(d.ctx, d.by, one.ID, func(f *share.Folder) error {
		tries, made = f.Code.Tries, f.Code.Made
		return stop
	})
	if !errors.Is(err, stop) {
		d.t.Fatal(err)
	}
	return tries, made
}

// TestK6_AThousandGuessesAtOnce: five are compared, then the code is dead, for
// the right one too.
func TestK6_AThousandGuessesAtOnce(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		code := d.code(token)
		const guesses = 1000
		errs := make([]error, guesses)
		var all sync.WaitGroup
		for n := range errs {
			guess := fmt.Sprintf("%06d", n)
			if guess == code {
				guess = wrongFor(code)
			}
			all.Go(func() { _, errs[n] = d.sharer().Approve(d.ctx, token, "Noura", guess, share.From{}) })
		}
		all.Wait()
		for _, err := range errs {
			// A thousand at once may be more than a slow database answers in time.
			if fault.KindOf(err) != fault.Unavailable {
				refusedCode(t, "a guess", err)
			}
		}
		tries, _ := d.tries(draft)
		equal(t, "tries", tries, share.MostTries)
		_, err := d.sharer().Approve(d.ctx, token, "Noura", code, share.From{})
		refusedCode(t, "the right code, too late", err)

		// Asking again within the ten minutes sends nothing and gives no tries back.
		before := len(d.letters())
		h.clock.Advance(share.CodeLife - time.Millisecond)
		asked, err := d.sharer().AskCode(d.ctx, token, share.From{})
		d.must(err)
		equal(t, "asked within the ten minutes", asked.Fresh, false)
		equal(t, "letters", len(d.letters()), before)
		_, err = d.sharer().Approve(d.ctx, token, "Noura", code, share.From{})
		refusedCode(t, "the right code, asked for again", err)

		h.clock.Advance(time.Millisecond)
		_, err = d.sharer().Approve(d.ctx, token, "Noura", d.code(token), share.From{})
		d.must(err)
		equal(t, "approved by the next code", d.again(draft).State(), share.Approved)
	})
}

// TestK6_OneApprovalOfMany: those who approve at once are told one approval.
func TestK6_OneApprovalOfMany(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		code := d.code(token)
		given := make([]share.Approval, 50)
		var all sync.WaitGroup
		for n := range given {
			all.Go(func() {
				var err error
				if given[n], err = d.sharer().Approve(d.ctx, token, fmt.Sprintf("Noura %d", n), code, share.From{}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		h.clock.Advance(time.Hour)
		for _, typed := range []string{code, wrongFor(code), "", "never asked for"} {
			again, err := d.sharer().Approve(d.ctx, token, "Somebody else", typed, share.From{})
			d.must(err)
			given = append(given, again)
		}
		for _, one := range given {
			equal(t, "approval", one, given[0])
		}
		equal(t, "the trail", d.deeds(draft.ID), []string{"draft.created", "draft.shared", "draft.code_sent", "draft.approved"})
		_, err := d.sharer().AskCode(d.ctx, token, share.From{})
		turnedAway(t, "a code for what is approved", err, fault.Invalid, "approved already")
	})
}

// TestK6_CodesOfALink: a code is of one link and one version, lives ten minutes,
// and there are twenty at most.
func TestK6_CodesOfALink(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		approve := func(code string) error {
			_, err := d.sharer().Approve(d.ctx, token, "Noura", code, share.From{})
			return err
		}
		refusedCode(t, "never asked for", approve("123456"))
		code := d.code(token)
		for _, typed := range []string{"", "12345", "1234567", "abcdef", code + "0", "-" + code[1:], strings.Repeat("1", 10_000)} {
			refusedCode(t, "no code at all", approve(typed))
		}
		tries, _ := d.tries(draft)
		equal(t, "tries of what is no code", tries, 0)

		_, err := d.sharer().Change(d.ctx, d.by, draft.ID, 0, d.request("5000.00"), recipient)
		d.must(err)
		refusedCode(t, "the code of an older version", approve(code))
		other, otherToken := d.shared()
		otherCode := d.code(otherToken)
		refusedCode(t, "the code of another draft", approve(otherCode))
		equal(t, "the other draft", d.again(other).State(), share.Shared)

		code = d.code(token) // of the new version, at once
		h.clock.Advance(share.CodeLife)
		refusedCode(t, "a code that is over", approve(code))
		for n := 3; n <= share.MostCodes; n++ {
			code = d.code(token)
			h.clock.Advance(2 * time.Hour) // of the letters of a day there are less
		}
		_, made := d.tries(draft)
		equal(t, "codes made", made, share.MostCodes)
		letters := len(d.letters())
		_, err = d.sharer().AskCode(d.ctx, token, share.From{})
		turnedAway(t, "the 21st code", err, fault.Invalid, "Ask the sender")
		equal(t, "letters", len(d.letters()), letters)
		refusedCode(t, "the last of them", approve(code))

		// A new link begins anew, and the old one leads nowhere.
		again, err := d.sharer().Share(d.ctx, d.by, draft.ID)
		d.must(err)
		gone(t, "the old link", approve(code))
		token = d.token(again)
		d.must(approve(d.code(token)))
	})
}

// Asking a hundred times at once sends one letter.
func TestK6_OneLetterHoweverManyAsk(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		d := h.desk()
		_, token := d.shared()
		asked := make([]share.Asked, 100)
		var all sync.WaitGroup
		for n := range asked {
			all.Go(func() {
				var err error
				if asked[n], err = d.sharer().AskCode(d.ctx, token, share.From{}); err != nil {
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
			equal(t, "asked", one, share.Asked{To: "n***@buyer.example", Expires: h.clock.Now().Add(share.CodeLife), Fresh: one.Fresh, Version: 1})
		}
		equal(t, "fresh", fresh, 1)
		equal(t, "letters", len(d.letters()), 2) // the invitation, and the code
	})
}

// A code is read as people type it.
func TestDraft_CodesAsTheyAreTyped(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		arabic := strings.NewReplacer("0", "٠", "1", "١", "2", "٢", "3", "٣", "4", "٤", "5", "٥", "6", "٦", "7", "٧", "8", "٨", "9", "٩")
		for what, typed := range map[string]func(string) string{
			"with spaces":      func(code string) string { return " " + code[:3] + " " + code[3:] + "\n" },
			"in Arabic digits": arabic.Replace,
		} {
			_, token := d.shared()
			if _, err := d.sharer().Approve(d.ctx, token, "نورة", typed(d.code(token)), share.From{}); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}

func TestDraft_NameOfWhoApproves(t *testing.T) {
	d := open(t, nil).desk()
	draft, token := d.shared()
	code := d.code(token)
	for what, name := range map[string]string{
		"none": "", "spaces": " \t ", "two lines": "Noura\nAdmin", "too long": strings.Repeat("ن", 101), "an address": "Win: HTTPS://x.example", "another": "WWW.x.example", "no text": "\xff", "turned around": "Noura \u202egnitidua",
	} {
		_, err := d.sharer().Approve(d.ctx, token, name, code, share.From{})
		turnedAway(t, what, err, fault.Invalid, "1 to 100 characters")
	}
	tries, _ := d.tries(draft)
	equal(t, "tries", tries, 0)
	_, err := d.sharer().Approve(d.ctx, token, strings.Repeat("ن", 100), code, share.From{})
	d.must(err)
}

// Whoever looked at one version does not approve another, neither with a code
// that was asked for since nor by asking for one.
func TestK6_NobodyApprovesWhatTheyHaveNotSeen(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		d := h.desk()
		draft, token := d.shared()
		old := share.From{Seen: draft.Shown.Version}
		changed, err := d.sharer().Change(d.ctx, d.by, draft.ID, 0, d.request("9000.00"), recipient)
		d.must(err)
		letters := len(d.letters())
		_, err = d.sharer().AskCode(d.ctx, token, old)
		turnedAway(t, "a code for a page of before", err, fault.Invalid, "Look at it again")
		equal(t, "letters", len(d.letters()), letters)

		code := d.code(token) // from the page as it is
		_, err = d.sharer().Approve(d.ctx, token, "Noura", code, old)
		turnedAway(t, "approved from a page of before", err, fault.Invalid, "Look at it again")
		var e *fault.Error
		if !errors.As(err, &e) || e.Code != share.Changed {
			t.Errorf("the refusal is %+v", e)
		}
		tries, _ := d.tries(draft)
		equal(t, "tries", tries, 0)
		equal(t, "the draft", d.again(draft).State(), share.Shared)

		seen := share.From{Seen: changed.Version}
		asked, err := d.sharer().AskCode(d.ctx, token, seen)
		d.must(err)
		equal(t, "the version that is asked for", asked.Version, changed.Version)
		given, err := d.sharer().Approve(d.ctx, token, "Noura", code, seen)
		d.must(err)
		equal(t, "what was approved", given.Version, changed.Version)
		again, err := d.sharer().Approve(d.ctx, token, "Noura", code, old)
		d.must(err)
		equal(t, "once approved, from any page", again, given)
	})
}
