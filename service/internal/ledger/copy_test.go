package ledger_test

import (
	"slices"
	"testing"

	"khatm/service/internal/ledger"
)

// TestCopyStates checks every combination of state and event of a copy request.
func TestCopyStates(t *testing.T) {
	const waiting, sending, stopped, arrived = ledger.CopyWaiting, ledger.CopySending, ledger.CopyStopped, ledger.CopyArrived
	want := map[ledger.CopyState]map[ledger.Event]ledger.CopyState{
		waiting: {ledger.Claim: sending, ledger.Stop: stopped, ledger.Arrive: arrived},
		sending: {
			ledger.Lapse: waiting, "accepted": waiting, "duplicate": waiting, "reporting": waiting, "unauthorised": waiting, "throttled": waiting,
			"too large": waiting, "unknown": waiting, "rejected": stopped, ledger.Arrive: arrived,
		},
		stopped: {ledger.Arrive: arrived},
		arrived: {},
	}
	for state, moves := range want {
		for _, event := range append(events(), ledger.Arrive) {
			to, moved := state.After(event)
			next, known := moves[event]
			if !known {
				next = state
			}
			if moved != known || to != next {
				t.Errorf("state %s, event %s: %s, %v; want %s, %v", state, event, to, moved, next, known)
			}
		}
	}
}

// CurrentInfos reports the missing copy while it is missing, whatever an
// earlier version stored.
func TestInfosSayWhetherTheCopyIsMissing(t *testing.T) {
	const before = "The copy with the authority's stamp did not come or could not be verified. The document shown is the one that was sent; ask the authority for the stamped copy."
	passed := ledger.Message{Code: "XSD_ZATCA_VALID", Message: "Complied"}
	duplicate := ledger.Message{Code: ledger.DuplicateCode, Message: "Accepted before."}
	said := func(m ledger.Message, text string) ledger.Message { m.Message += " " + text; return m }
	missing := func(text string) ledger.Message {
		return ledger.Message{Type: "INFO", Code: "NO_STAMPED_DOCUMENT", Category: "SUBMISSION", Status: "PASS", Message: text}
	}
	for _, c := range []struct {
		name   string
		stored []ledger.Message
		flag   ledger.Flag
		want   []ledger.Message
	}{
		{"with its copy", []ledger.Message{passed}, ledger.Plain, []ledger.Message{passed}},
		{"a duplicate with its copy", []ledger.Message{duplicate}, ledger.Plain, []ledger.Message{duplicate}},
		{"without a copy", []ledger.Message{passed}, ledger.NoDocument, []ledger.Message{passed, missing(ledger.Unstamped)}},
		{"nothing stored, a copy that does not verify", nil, ledger.BadDocument, []ledger.Message{missing(ledger.Unstamped)}},
		{"a duplicate without a copy", []ledger.Message{duplicate}, ledger.NoDocument, []ledger.Message{said(duplicate, ledger.Unstamped)}},
		{"stored before, still missing", []ledger.Message{said(duplicate, before)}, ledger.NoDocument, []ledger.Message{said(duplicate, ledger.Unstamped)}},
		{"stored before, arrived", []ledger.Message{said(duplicate, before)}, ledger.Plain, []ledger.Message{duplicate}},
		{"stored before beside others, arrived", []ledger.Message{passed, missing(before)}, ledger.Plain, []ledger.Message{passed}},
	} {
		kept := slices.Clone(c.stored)
		got := ledger.Answer{Infos: c.stored, Flag: c.flag}.CurrentInfos()
		if !slices.Equal(got, c.want) || !slices.Equal(c.stored, kept) {
			t.Errorf("%s: CurrentInfos = %+v, want %+v", c.name, got, c.want)
		}
	}
}
