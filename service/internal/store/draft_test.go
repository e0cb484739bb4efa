package store_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/issue"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/share"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// folder changes a draft and returns it as stored.
func (s *fixture) folder(d share.Draft, change func(*share.Folder)) share.Draft {
	s.t.Helper()
	_, err := s.ChangeDraft(s.ctx, s.by, d.ID, func(f *share.Folder) error { change(f); return nil })
	ok(s.t, err)
	kept, err := s.Draft(s.ctx, s.by.Tenant, d.ID)
	ok(s.t, err)
	return kept
}

func (s *fixture) newDraft() share.Draft {
	s.t.Helper()
	d := sampleDraft(s.config.NewID())
	ok(s.t, s.AddDraft(s.ctx, s.by, d))
	return d
}

func TestDraftIsReadAsItWasWritten(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		filled(t, sampleRequest())
		d := s.newDraft()
		same(t, d)(s.Draft(s.ctx, s.by.Tenant, d.ID))
		_, err := s.Draft(s.ctx, s.other.Tenant, d.ID)
		refused(t, err, fault.NotFound, "Draft not found")

		want := share.Folder{Draft: d}
		fillFolder(&want, s.by.Tenant, s.config.NewID)
		changed, err := s.ChangeDraft(s.ctx, s.by, d.ID, func(f *share.Folder) error {
			same(t, share.Folder{Draft: d})(*f, nil)
			*f = want
			return nil
		})
		same(t, want.Draft)(changed, err)
		same(t, want.Draft)(s.Draft(s.ctx, s.by.Tenant, d.ID))
		stop := errors.New("no")
		_, err = s.ChangeDraft(s.ctx, s.by, d.ID, func(f *share.Folder) error {
			same(t, share.Folder{Draft: want.Draft, Code: want.Code})(*f, nil)
			return stop
		})
		if !errors.Is(err, stop) {
			t.Errorf("error of a failing change = %v, want %v", err, stop)
		}
		list, err := s.Letters(s.ctx, s.by.Tenant, org.Page{Size: 9, Number: 1})
		ok(t, err)
		same(t, want.Letters[1])(list.Rows[0], nil)
		same(t, want.Letters[0])(s.Letter(s.ctx, s.by.Tenant, want.Letters[0].ID))
		_, err = s.ChangeDraft(s.ctx, s.other, d.ID, func(*share.Folder) error { return nil })
		refused(t, err, fault.NotFound, "Draft not found")
	})
}

// A change that is refused leaves no code, e-mail or entry in the audit trail.
func TestRefusedDraftChangeIsRolledBack(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		d := s.newDraft()
		before := s.contents()
		for name, spoil := range map[string]func(*share.Folder){
			"version 0":                  func(f *share.Folder) { f.Version = 0 },
			"link that is not sealed":    func(f *share.Folder) { f.Share.Sealed = nil },
			"too many codes":             func(f *share.Folder) { f.Code.Made = share.MostCodes + 1 },
			"too many tries":             func(f *share.Folder) { f.Code.Tries = share.MostTries + 1 },
			"e-mail without a recipient": func(f *share.Folder) { f.Letters[1].To = "" },
			"e-mail with a used id":      func(f *share.Folder) { f.Letters[1].ID = f.Letters[0].ID },
			"approval without a preview": func(f *share.Folder) { f.Shown = nil },
			"unknown invoice":            func(f *share.Folder) { f.Invoice = &d.ID },
			"details that are not JSON":  func(f *share.Folder) { f.Details = map[string]any{"x": make(chan int)} },
		} {
			_, err := s.ChangeDraft(s.ctx, s.by, d.ID, func(f *share.Folder) error {
				fillFolder(f, s.by.Tenant, s.config.NewID)
				spoil(f)
				return nil
			})
			if err == nil {
				t.Errorf("change with %s succeeded, want an error", name)
			}
		}
		same(t, before)(s.contents(), nil)
	})
}

// A draft has one link. An expired or revoked link is not returned, and neither
// is its preview, unless the draft was approved.
func TestDraftHasOneLink(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, c store.Config) {
		clock := storetest.NewClock()
		c.Now = clock.Now
		s := open(t, c)
		d := s.newDraft()
		first, second := sampleLink(1, 1), sampleLink(2, 2)
		shares := func(link ledger.Share) func(*share.Folder) {
			return func(f *share.Folder) { f.Share, f.Shown = &link, sampleShown(f.Version) }
		}
		same(t, &first)(s.folder(d, shares(first)).Share, nil)
		same(t, &second)(s.folder(d, shares(second)).Share, nil)
		l, err := s.Link(s.ctx, first.Digest)
		ok(t, err)
		same(t, share.Link{Digest: first.Digest, Of: s.by.Tenant, Draft: d.ID, Expires: first.Expires, Revoked: true})(l, nil)
		l, err = s.Link(s.ctx, second.Digest)
		ok(t, err)
		same(t, share.Link{Digest: second.Digest, Of: s.by.Tenant, Draft: d.ID, Expires: second.Expires})(l, nil)

		clock.Advance(second.Expires.Sub(storetest.Start) - time.Millisecond)
		kept, err := s.Draft(s.ctx, s.by.Tenant, d.ID)
		same(t, share.Shared)(kept.State(), err)
		clock.Advance(time.Millisecond)
		kept, err = s.Draft(s.ctx, s.by.Tenant, d.ID)
		same(t, share.Open)(kept.State(), err)
		if kept.Share != nil || kept.Shown != nil {
			t.Errorf("draft with an expired link has link %v and preview %v, want none", kept.Share, kept.Shown)
		}

		third := sampleLink(3, 99)
		kept = s.folder(d, func(f *share.Folder) {
			shares(third)(f)
			f.Approval = &share.Approval{Name: "x", At: instantOf(1), Version: f.Version}
		})
		same(t, share.Approved)(kept.State(), nil)
		kept = s.folder(d, func(f *share.Folder) { f.Share = nil })
		if kept.Share != nil || kept.Shown == nil {
			t.Errorf("approved draft without its link has link %v and preview %v, want only the preview", kept.Share, kept.Shown)
		}
	})
}

func TestDraftsAreListed(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		var all []share.Draft
		for range 5 {
			all = append([]share.Draft{s.newDraft()}, all...)
		}
		ok(t, s.AddDraft(s.ctx, s.other, sampleDraft(s.config.NewID())))
		shared := sampleLink(1, 720)
		all[1] = s.folder(all[1], func(f *share.Folder) { f.Share, f.Shown = &shared, sampleShown(3) })
		for n := range all {
			all[n].Request, all[n].Shown = issue.Request{}, nil // not part of a list
		}
		_, err := s.ChangeDraft(s.ctx, s.by, all[3].ID, func(f *share.Folder) error { f.Removed = true; return nil })
		ok(t, err)
		_, err = s.Draft(s.ctx, s.by.Tenant, all[3].ID)
		refused(t, err, fault.NotFound, "Draft not found")

		page, err := s.Drafts(s.ctx, s.by.Tenant, share.Filter{}, org.Page{Size: 2, Number: 1})
		same(t, org.List[share.Draft]{Rows: all[:2], Total: 4, Next: all[1].ID})(page, err)
		page, err = s.Drafts(s.ctx, s.by.Tenant, share.Filter{}, org.Page{Size: 2, After: all[1].ID})
		same(t, org.List[share.Draft]{Rows: []share.Draft{all[2], all[4]}, Total: 4})(page, err)
		page, err = s.Drafts(s.ctx, s.by.Tenant, share.Filter{}, org.Page{Size: 2, Number: 2})
		same(t, org.List[share.Draft]{Rows: []share.Draft{all[2], all[4]}, Total: 4})(page, err)
	})
}

// An approved draft that an older program has written is not rewritten.
func TestApprovedDraftIsNotRewritten(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		d := s.newDraft()
		const older = `UPDATE draft SET request = '{"Currency": "SAR"}', shown = '{"Version": 3}', xml = $1, approval = '{"name": "x"}'`
		s.execute(older, []byte("<Invoice/>"))
		kept := s.folder(d, func(f *share.Folder) { f.ChangedAt = instantOf(9) })
		same(t, "SAR")(kept.Request.Currency, nil)
		same(t, []string{`{"Currency": "SAR"}`})(s.texts(`SELECT request FROM draft`), nil)
	})
}

// Stored drafts outlive the program that wrote them, so the field names of a
// request must not change.
func TestDraftFieldNames(t *testing.T) {
	text, err := json.Marshal(sampleRequest())
	ok(t, err)
	same(t, `{"Device":"ffffffff-ffff-ffff-ffff-ffffffffffff","Seller":"ffffffff-ffff-ffff-ffff-ffffffffffff","Buyer":"ffffffff-ffff-ffff-ffff-ffffffffffff",`+
		`"Kind":388,"Transaction":"0100000","SupplyDate":"2026-11-15","SupplyEndDate":"2026-11-16","Currency":"SAR","ExchangeRate":"1.5","PaymentMeans":"30",`+
		`"Notes":[{"Language":"ar","Text":"شكرًا"}],`+
		`"FormLines":[{"Name":"Dates \u0026 تمر","Price":"4200","Quantity":"2","Unit":"PCE","Category":"E","Rate":"0","ReasonCode":"VATEX-SA-29",`+
		`"ReasonText":"Financial services","Original":"ffffffff-ffff-ffff-ffff-ffffffffffff"}],`+
		`"Lines":[{"Item":"ffffffff-ffff-ffff-ffff-ffffffffffff","Quantity":"1","Original":"ffffffff-ffff-ffff-ffff-ffffffffffff"}],`+
		`"Allowances":[{"Amount":"1.5","ReasonCode":"95","Reason":"Discount","Category":"S","Rate":"15"}],"AddPrepaid":true,`+
		`"Prepaid":["ffffffff-ffff-ffff-ffff-ffffffffffff"],`+
		`"PrepaidAmounts":[{"Advance":"ffffffff-ffff-ffff-ffff-ffffffffffff","Category":"S","Rate":"15","Amount":"7.5"}],"Reason":"ffffffff-ffff-ffff-ffff-ffffffffffff","Originals":["ffffffff-ffff-ffff-ffff-ffffffffffff"],`+
		`"ExpectedPayable":"123.45","PaidOnIssue":true,"IdempotencyKey":"kept as given","Digest":[1,2,3`+strings.Repeat(",0", 29)+`]}`)(string(text), nil)
}

// The contents of a removed draft are deleted, even if it was approved.
func TestRemovedDraftIsEmpty(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		open, approved := s.newDraft(), s.newDraft()
		s.folder(approved, func(f *share.Folder) { fillFolder(f, s.by.Tenant, s.config.NewID) })
		for _, half := range []string{ // deleted only completely and together with the removal
			`request = '{}', recipient = '{}', shown = NULL, xml = NULL, approval = NULL`,
			`removed = 1, request = '{}'`,
			`removed = 1, shown = NULL, xml = NULL, approval = NULL`,
			`removed = 1, request = '{}', recipient = '{}', shown = '{}'`,
			`removed = 1, request = '{"a":1}', recipient = '{}', shown = NULL, xml = NULL, approval = NULL`,
			`removed = 1, request = '{}', recipient = '{"a":1}', shown = NULL, xml = NULL, approval = NULL`,
		} {
			if _, err := s.raw.Exec(`UPDATE draft SET ` + half + ` WHERE approval IS NOT NULL`); !refusedWith(err, draftStays) {
				t.Errorf("update of an approved draft with %s: %v, want a refusal", half, err)
			}
		}
		for _, d := range []share.Draft{open, approved} {
			_, err := s.ChangeDraft(s.ctx, s.by, d.ID, func(f *share.Folder) error { f.Removed, f.Share = true, nil; return nil })
			ok(t, err)
		}
		const empty = `
			SELECT count(*) FROM draft
			WHERE removed = 1 AND request = '{}' AND recipient = '{}' AND shown IS NULL AND xml IS NULL AND approval IS NULL AND issuing IS NULL
				AND summary IS NULL AND folded IS NULL`
		same(t, 2)(s.count(empty), nil)
		same(t, 0)(s.count(`SELECT count(*) FROM draft_link WHERE revoked = 0`), nil)
	})
}

// draftFor changes the client in the summary of a draft.
func draftFor(d share.Draft, name, arabic string) share.Draft {
	sum := *d.Summary
	sum.Buyer, sum.BuyerArabic = name, arabic
	d.Summary = &sum
	return d
}

func TestDraftsAreFiltered(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		ids := map[uuid.UUID]string{}
		add := func(name, buyer, arabic string, change func(*share.Folder)) share.Draft {
			d := draftFor(sampleDraft(s.config.NewID()), buyer, arabic)
			ok(t, s.AddDraft(s.ctx, s.by, d))
			ids[d.ID] = name
			if change != nil {
				s.folder(d, change)
			}
			return d
		}
		mark := byte(0)
		link := func(f *share.Folder) {
			mark++
			l := sampleLink(mark, 720)
			f.Share, f.Shown = &l, sampleShown(f.Version)
		}
		issued := s.seller(s.by).issue(func(*issue.Entry) {}).ID
		add("issued", "Riyadh Foods", "", func(f *share.Folder) { f.Invoice = &issued })
		add("open", "Al Noor Trading", "شركة النُّور للتجارة", nil)
		add("shared", "Al Noor Trading", "", link)
		add("declined", "Riyadh Foods", "", func(f *share.Folder) {
			link(f)
			f.Decline = &share.Decline{Name: "x", At: instantOf(1), Version: f.Version}
		})
		add("approved", "", "", func(f *share.Folder) {
			link(f)
			f.Approval = &share.Approval{Name: "x", At: instantOf(1), Version: f.Version}
		})
		older := add("older", "Al Noor Trading", "", nil)
		s.execute(`UPDATE draft SET summary = NULL, folded = NULL WHERE id = $1`, older.ID.String())
		removed := add("removed", "Al Noor Trading", "", nil)
		_, err := s.ChangeDraft(s.ctx, s.by, removed.ID, func(f *share.Folder) error { f.Removed = true; return nil })
		ok(t, err)
		ok(t, s.AddDraft(s.ctx, s.other, draftFor(sampleDraft(s.config.NewID()), "Al Noor Trading", "")))

		for _, c := range []struct {
			states []share.State
			search string
			want   string
		}{
			{[]share.State{share.Open}, "", "older open"},
			{[]share.State{share.Shared}, "", "shared"},
			{[]share.State{share.Declined, share.Approved}, "", "approved declined"},
			{[]share.State{share.Issued}, "", "issued"},
			{[]share.State{share.Issued, share.Open}, "", "older open issued"},
			{nil, "noor", "shared open"},
			{nil, "trad noo", "shared open"},
			{nil, "نور", "open"},
			{nil, "al", "shared open"},
			{nil, "oo", ""}, // fewer than three letters match at the start of a word
			{nil, "noor foods", ""},
			{[]share.State{share.Shared, share.Declined}, "noor", "shared"},
			{[]share.State{share.Issued}, "noor", ""},
			{[]share.State{share.Declined}, "%", ""},
		} {
			f := share.Filter{States: c.states, Search: c.search}
			all, err := s.Drafts(s.ctx, s.by.Tenant, f, org.Page{Size: 9, Number: 1})
			ok(t, err)
			var got []string
			for _, d := range all.Rows {
				got = append(got, ids[d.ID])
			}
			same(t, c.want)(strings.Join(got, " "), nil)
			same(t, len(got))(all.Total, nil)
			if len(got) < 2 {
				continue
			}
			first, err := s.Drafts(s.ctx, s.by.Tenant, f, org.Page{Size: 1, Number: 1})
			same(t, org.List[share.Draft]{Rows: all.Rows[:1], Total: all.Total, Next: all.Rows[0].ID})(first, err)
			rest, err := s.Drafts(s.ctx, s.by.Tenant, f, org.Page{Size: 9, After: first.Next})
			same(t, org.List[share.Draft]{Rows: all.Rows[1:], Total: all.Total})(rest, err)
			second, err := s.Drafts(s.ctx, s.by.Tenant, f, org.Page{Size: 1, Number: 2})
			same(t, all.Rows[1:2])(second.Rows, err)
		}
	})
}

func TestClientNames(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		c := sampleClient(s.config.NewID())
		ok(t, s.AddClient(s.ctx, s.by, c))
		name, arabic, err := s.ClientNames(s.ctx, s.by.Tenant, c.ID)
		same(t, [2]string{c.Name, c.NameArabic})([2]string{name, arabic}, err)
		_, _, err = s.ClientNames(s.ctx, s.other.Tenant, c.ID)
		refused(t, err, fault.NotFound, "Buyer not found")
	})
}
