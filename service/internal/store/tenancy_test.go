package store_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/trade"
)

// installationWide are the verbs that take neither a tenant nor an actor, and
// why.
var installationWide = map[string]string{
	"Close":           "the database",
	"Ping":            "the database",
	"Engine":          "the database",
	"Clock":           "the database",
	"Environment":     "of the whole installation",
	"Stamp":           "of the whole installation",
	"Plans":           "of the whole installation",
	"KeptStatements":  "the database, for tests",
	"Windows":         "counts subjects, not rows of anybody",
	"Organisations":   "for operator commands, which see all",
	"KeyHolder":       "it finds out whose key it is",
	"PersonByEmail":   "people are members of many organisations",
	"AddSession":      "people are members of many organisations",
	"EndSession":      "people are members of many organisations",
	"EndSessions":     "people are members of many organisations",
	"Visitor":         "it finds out who it is, and of which organisations",
	"MasterKey":       "of the whole installation",
	"TieMasterKey":    "of the whole installation",
	"RewrapSecrets":   "a master key seals for all",
	"SealTrail":       "there is one trail",
	"SweepGuards":     "time alone ends a guard",
	"WalkTrail":       "there is one trail",
	"Snapshot":        "the audit proves everybody's",
	"Claim":           "whoever sends, sends for all by turns",
	"Link":            "it finds out whose link it is",
	"DueLetters":      "whoever sends letters sends for all",
	"LetterSent":      "whoever sends letters sends for all",
	"LetterFailed":    "whoever sends letters sends for all",
	"ExpireLetters":   "time alone ends a letter",
	"SweepLetters":    "time alone ends what is kept of a letter",
	"CountLetters":    "how sending stands, for whoever runs the service",
	"AllLetters":      "for the operator",
	"AnyLetter":       "for the operator",
	"Promote":         "time alone makes a try due",
	"Lapse":           "time alone ends a turn",
	"StopInDoubt":     "time alone makes it doubtful",
	"HoldParked":      "parked devices of all",
	"FreeHeld":        "devices of all that are not parked",
	"Probe":           "parked devices of all",
	"Backlog":         "how sending stands, for whoever runs the service",
	"Damages":         "for whoever runs the service",
	"KeepDamage":      "what this process has found, of everybody",
	"RefusedReads":    "a count of this process",
	"CountDocuments":  "for whoever runs the service",
	"Scrub":           "the regular check reads everybody's documents",
	"LastScrub":       "the regular check reads everybody's documents",
	"TakeScrub":       "the regular check reads everybody's documents",
	"LeaveScrub":      "the regular check reads everybody's documents",
	"ReleaseWhole":    "what is held as damaged is everybody's",
	"PostgresVersion": "the database",
	"Identity":        "the database",
	"Reconnections":   "the database",
	"Installation":    "of the whole installation",
	"Continuity":      "of the whole installation",
	"RewrapTrailHead": "of the whole installation",
	"RecordIdentity":  "of the whole installation",
	"StopIssuing":     "of the whole installation",
	"DoubtUnanswered": "of the whole installation",
	"Books":           "marks are kept for all",
	"TrailEnd":        "there is one trail",
	"CheckTrail":      "there is one trail",
	"ClaimCopies":     "whoever sends, sends for all",
	"LapseCopies":     "time alone ends a lease",
	"StopCopies":      "time alone ends a request",
	"Unstamped":       "for whoever runs the service",
	"TryWrite":        "whether writing works, for whoever runs the service",
	"AcceptedClock":   "servers have one clock for all",
	"DatedAhead":      "for operator commands, which see all",
	"AllDatedAhead":   "whether anybody can issue, for whoever runs the service",
}

func TestEveryVerbSaysWhoseDataItIs(t *testing.T) {
	t.Parallel()
	verbs := reflect.TypeFor[*store.Store]()
	tenant, actor := reflect.TypeFor[org.Tenant](), reflect.TypeFor[org.Actor]()
	met := map[string]bool{}
	for i := range verbs.NumMethod() {
		verb := verbs.Method(i)
		met[verb.Name] = true
		says := false
		for n := range verb.Type.NumIn() {
			says = says || verb.Type.In(n) == tenant || verb.Type.In(n) == actor
		}
		if _, listed := installationWide[verb.Name]; says == listed {
			t.Errorf("%s says whose data it is: %v; on the list of verbs that need not: %v", verb.Name, says, listed)
		}
	}
	for name := range installationWide {
		if !met[name] {
			t.Errorf("%s is on the list and is no verb", name)
		}
	}
}

// The zero tenant is nobody: it finds nothing.
func TestNobodyFindsNothing(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		furnish(t, s)
		nobody, page := org.Tenant{}, org.Page{Size: 9, Number: 1}
		for name, find := range map[string]func() (int, error){
			"branches": func() (int, error) { l, err := s.Branches(s.ctx, nobody); return len(l), err },
			"members":  func() (int, error) { l, err := s.Members(s.ctx, nobody); return len(l), err },
			"keys":     func() (int, error) { l, err := s.Keys(s.ctx, nobody); return len(l), err },
			"reasons":  func() (int, error) { l, err := s.Reasons(s.ctx, nobody); return len(l), err },
			"events":   func() (int, error) { l, err := s.Events(s.ctx, nobody, 9); return len(l), err },
			"clients":  func() (int, error) { l, err := s.Clients(s.ctx, nobody, "", page); return len(l.Rows) + l.Total, err },
			"items":    func() (int, error) { l, err := s.Items(s.ctx, nobody, "", page); return len(l.Rows) + l.Total, err },
			"devices":  func() (int, error) { l, err := s.Devices(s.ctx, nobody, page); return len(l.Rows) + l.Total, err },
			"invoices": func() (int, error) {
				l, err := s.Invoices(s.ctx, nobody, ledger.Filter{}, page)
				return len(l.Rows) + l.Total, err
			},
			"invoices by a filter": func() (int, error) {
				l, err := s.Invoices(s.ctx, nobody, ledger.Filter{Kind: invoice.TaxInvoice, Statuses: []ledger.Status{ledger.Cleared, ledger.Unanswered}}, page)
				return len(l.Rows) + l.Total, err
			},
			"items by id": func() (int, error) { l, err := s.ItemsByID(s.ctx, nobody, s.idsOf("item")); return len(l), err },
			"earlier": func() (int, error) {
				l, err := s.Earlier(s.ctx, nobody, slices.Concat(s.idsOf("invoice"), s.idsOf("earlier_invoice")))
				return len(l), err
			},
			"drafts": func() (int, error) { l, err := s.Drafts(s.ctx, nobody, page); return len(l.Rows) + l.Total, err },
			"state":  func() (int, error) { d, err := s.Look(s.ctx, nobody, s.wantsAll()); return sizeOf(d), err },
			"writes": func() (int, error) { return s.Writes(s.ctx, nobody, thisMonth) },
			"counts": func() (int, error) { a, c, p, err := s.CountDevices(s.ctx, nobody, noon()); return a + c + p, err },
		} {
			if n, err := find(); n != 0 || err != nil {
				t.Errorf("%s: %d, %v", name, n, err)
			}
		}
		for name, find := range map[string]func(id uuid.UUID) error{
			"Organisation": func(uuid.UUID) error { _, err := s.Organisation(s.ctx, nobody); return err },
			"Buyer":        func(id uuid.UUID) error { _, err := s.Client(s.ctx, nobody, id); return err },
			"Item":         func(id uuid.UUID) error { _, err := s.Item(s.ctx, nobody, id); return err },
			"Device":       func(id uuid.UUID) error { _, err := s.Device(s.ctx, nobody, id); return err },
			"Draft":        func(id uuid.UUID) error { _, err := s.Draft(s.ctx, nobody, id); return err },
			"Branch":       func(id uuid.UUID) error { _, err := s.Branch(s.ctx, nobody, id); return err },
			"Reason":       func(id uuid.UUID) error { _, err := s.Reason(s.ctx, nobody, id); return err },
			"Invoice": func(id uuid.UUID) error {
				_, one := s.Invoice(s.ctx, nobody, id)
				_, xml := s.SignedXML(s.ctx, nobody, id)
				_, remarks := s.Remarks(s.ctx, nobody, id)
				refused(t, xml, fault.NotFound, "Invoice not found")
				refused(t, remarks, fault.NotFound, "Invoice not found")
				return one
			},
			"Secret": func(uuid.UUID) error { _, err := s.Secret(s.ctx, nobody, "device-key", "the owner"); return err },
		} {
			for _, table := range []string{"client", "item", "device", "branch", "reason", "invoice", "draft"} {
				refused(t, find(s.idsOf(table)[0]), fault.NotFound, name+" not found")
			}
		}
	})
}

// The zero tenant writes nothing: every deed on an organisation's data is
// refused.
func TestNobodyWritesNothing(t *testing.T) {
	each(t, func(t *testing.T, s *shop) {
		furnish(t, s)
		client, item, issued := s.idsOf("client")[0], s.idsOf("item")[0], s.idsOf("invoice")
		nobody := s.by
		nobody.Tenant = org.Tenant{}
		before := s.contents()
		s.by = nobody
		// Deeds on the installation, on people and on plans are the operator's.
		ofTheInstallation := []string{"organisation.create", "plan.set", "vault.rewrap", "backup.make", "clock.accept", "person.create", "person.password", "person.disable"}
		for _, d := range deeds(s) {
			if slices.Contains(ofTheInstallation, d.action) {
				continue
			}
			if err := d.do(); err == nil {
				t.Errorf("nobody did %s", d.action)
			}
		}
		stop := errors.New("it was found")
		_, changedClient := s.ChangeClient(s.ctx, nobody, client, func(*trade.Client) error { return stop })
		_, changedItem := s.ChangeItem(s.ctx, nobody, item, func(*trade.Item) error { return stop })
		_, taken := s.TakeWrite(s.ctx, nobody.Tenant, thisMonth, 9)
		refused(t, changedClient, fault.NotFound, "Buyer not found")
		refused(t, changedItem, fault.NotFound, "Item not found")
		refused(t, s.Answer(s.ctx, nobody.Tenant, issued[0], ledger.Reported, noon()), fault.NotFound, "Invoice not found")
		if there, err := s.Issued(s.ctx, nobody.Tenant, issued); len(there) != 0 || err == nil {
			t.Errorf("nobody has issued %v, %v", there, err)
		}
		if taken == nil {
			t.Error("nobody took a write")
		}
		ok(t, s.GiveWriteBack(s.ctx, nobody.Tenant, thisMonth))
		same(t, before)(s.contents(), nil)
	})
}
