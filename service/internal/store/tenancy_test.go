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
	"khatm/service/internal/share"
	"khatm/service/internal/store"
	"khatm/service/internal/trade"
)

// installationWide lists the methods that take neither a tenant nor an actor,
// with the reason.
var installationWide = map[string]string{
	"Close":             "the database",
	"Ping":              "the database",
	"Pools":             "the database",
	"Engine":            "the database",
	"Clock":             "the database",
	"Environment":       "property of the installation",
	"Stamp":             "property of the installation",
	"Plans":             "property of the installation",
	"KeptStatements":    "the database, for tests",
	"SpotsQuery":        "a query, for tests",
	"ReadersInUse":      "the database, for tests",
	"Windows":           "counts calls, not rows of an organisation",
	"Files":             "the key of a file contains its organisation",
	"HasFiles":          "for the operator",
	"Organisations":     "for operator commands, which see all",
	"AccessLink":        "a link is looked up by its digest",
	"AddReset":          "requests for new passwords belong to no organisation",
	"Resets":            "requests for new passwords belong to no organisation",
	"EndReset":          "requests for new passwords belong to no organisation",
	"KeyHolder":         "it finds the organisation of a key",
	"PersonByEmail":     "a user can belong to several organisations",
	"AddSession":        "a user can belong to several organisations",
	"Factor":            "a user can belong to several organisations",
	"AddFactor":         "a user can belong to several organisations",
	"KnowsNetwork":      "a user can belong to several organisations",
	"EndSession":        "a user can belong to several organisations",
	"EndSessions":       "a user can belong to several organisations",
	"Visitor":           "it finds the user and the organisations",
	"MasterKey":         "property of the installation",
	"TieMasterKey":      "property of the installation",
	"RewrapSecrets":     "the master key seals secrets of all organisations",
	"SealTrail":         "there is one audit trail",
	"SweepGuards":       "guards expire for all organisations",
	"WalkTrail":         "there is one audit trail",
	"Snapshot":          "the audit covers all organisations",
	"Claim":             "documents of all organisations are sent together",
	"Link":              "it finds the organisation of a link",
	"DueLetters":        "e-mails of all organisations are sent together",
	"LetterSent":        "e-mails of all organisations are sent together",
	"LetterFailed":      "e-mails of all organisations are sent together",
	"ExpireLetters":     "e-mails expire for all organisations",
	"SweepLetters":      "old e-mails of all organisations are deleted",
	"CountLetters":      "metrics for the operator",
	"AllLetters":        "for the operator",
	"AnyLetter":         "for the operator",
	"Promote":           "due for all organisations",
	"Lapse":             "leases end for all organisations",
	"StopInDoubt":       "by time, for all organisations",
	"HoldParked":        "parked devices of all organisations",
	"FreeHeld":          "devices of all organisations that are not parked",
	"Probe":             "parked devices of all organisations",
	"Backlog":           "metrics for the operator",
	"ClaimImport":       "imports of all organisations take turns",
	"ImportsWaiting":    "imports of all organisations take turns",
	"StepImport":        "the import names its organisation",
	"ReleaseImport":     "the import names its organisation",
	"FailImport":        "the import names its organisation",
	"UnusedImportFiles": "files of all organisations are removed",
	"Damages":           "for the operator",
	"KeepDamage":        "damage found by this process",
	"RefusedReads":      "a count of this process",
	"CountDocuments":    "for the operator",
	"Scrub":             "the regular check reads all documents",
	"LastScrub":         "the regular check reads all documents",
	"TakeScrub":         "the regular check reads all documents",
	"LeaveScrub":        "the regular check reads all documents",
	"ReleaseWhole":      "damaged documents of all organisations",
	"Repair":            "damaged documents of all organisations",
	"PostgresVersion":   "the database",
	"Identity":          "the database",
	"Reconnections":     "the database",
	"Installation":      "property of the installation",
	"Continuity":        "property of the installation",
	"RewrapTrailHead":   "property of the installation",
	"RecordIdentity":    "property of the installation",
	"Replication":       "property of the installation",
	"RecordReplication": "property of the installation",
	"StopIssuing":       "property of the installation",
	"DoubtUnanswered":   "property of the installation",
	"Books":             "marks cover all organisations",
	"TrailEnd":          "there is one audit trail",
	"CheckTrail":        "there is one audit trail",
	"ClaimCopies":       "documents of all organisations are sent together",
	"LapseCopies":       "leases end for all organisations",
	"StopCopies":        "requests expire for all organisations",
	"Unstamped":         "for the operator",
	"ArchiveBacklog":    "the archive contains all organisations",
	"ArchiveBehind":     "the archive contains all organisations",
	"ArchiveNote":       "property of the installation",
	"AwaitDocuments":    "the archive contains all organisations",
	"ArchivedThrough":   "the archive contains all organisations",
	"AnnounceUnawaited": "the archive contains all organisations",
	"EndAwaiting":       "the archive contains all organisations",
	"ArchiveReached":    "property of the installation",
	"RecordReached":     "the archive contains all organisations",
	"ExceedsArchive":    "the archive contains all organisations",
	"RecordBegin":       "the archive contains all organisations",
	"ArchiveBegin":      "property of the installation",
	"KeepUnawaited":     "the archive contains all organisations",
	"CheckArchive":      "property of the installation",
	"ArchiveUse":        "property of the installation",
	"Reenter":           "the archive contains all organisations",
	"RecordArchive":     "the archive contains all organisations",
	"CompareArchive":    "the archive contains all organisations",
	"TakeCompaction":    "the archive contains all organisations",
	"LeaveCompaction":   "the archive contains all organisations",
	"SetArchiveAddress": "the archive contains all organisations",
	"LacksArchived":     "the archive contains all organisations",
	"NextHeartbeat":     "the archive contains all organisations",
	"Heartbeats":        "the archive contains all organisations",
	"StartArchive":      "the archive contains all organisations",
	"TryWrite":          "tests whether writing works",
	"AcceptedClock":     "the clock is the same for all organisations",
	"DatedAhead":        "for operator commands, which see all",
	"AllDatedAhead":     "whether any device can issue, for the operator",
}

func TestEveryMethodTakesATenant(t *testing.T) {
	t.Parallel()
	verbs := reflect.TypeFor[*store.Store]()
	tenant, actor := reflect.TypeFor[org.Tenant](), reflect.TypeFor[org.Actor]()
	met := map[string]bool{}
	for i := range verbs.NumMethod() {
		verb := verbs.Method(i)
		met[verb.Name] = true
		takes := false
		for n := range verb.Type.NumIn() {
			takes = takes || verb.Type.In(n) == tenant || verb.Type.In(n) == actor
		}
		if _, listed := installationWide[verb.Name]; takes == listed {
			t.Errorf("method %s takes a tenant or an actor: %v; listed in installationWide: %v", verb.Name, takes, listed)
		}
	}
	for name := range installationWide {
		if !met[name] {
			t.Errorf("installationWide lists %s, which is not a method", name)
		}
	}
}

// Reads with the zero tenant return no rows.
func TestZeroTenantFindsNothing(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		fillTables(t, s)
		zero, page := org.Tenant{}, org.Page{Size: 9, Number: 1}
		for name, find := range map[string]func() (int, error){
			"branches":    func() (int, error) { l, err := s.Branches(s.ctx, zero); return len(l), err },
			"branch page": func() (int, error) { l, err := s.BranchPage(s.ctx, zero, page); return len(l.Rows) + l.Total, err },
			"members":     func() (int, error) { l, err := s.Members(s.ctx, zero); return len(l), err },
			"keys":        func() (int, error) { l, err := s.Keys(s.ctx, zero); return len(l), err },
			"key page":    func() (int, error) { l, err := s.KeyPage(s.ctx, zero, page); return len(l.Rows) + l.Total, err },
			"reasons":     func() (int, error) { l, err := s.Reasons(s.ctx, zero); return len(l), err },
			"reason page": func() (int, error) { l, err := s.ReasonPage(s.ctx, zero, page); return len(l.Rows) + l.Total, err },
			"events":      func() (int, error) { l, err := s.Events(s.ctx, zero, 9); return len(l), err },
			"clients":     func() (int, error) { l, err := s.Clients(s.ctx, zero, "", page); return len(l.Rows) + l.Total, err },
			"items":       func() (int, error) { l, err := s.Items(s.ctx, zero, "", page); return len(l.Rows) + l.Total, err },
			"devices":     func() (int, error) { l, err := s.Devices(s.ctx, zero, page); return len(l.Rows) + l.Total, err },
			"invoices": func() (int, error) {
				l, err := s.Invoices(s.ctx, zero, ledger.Filter{}, page)
				return len(l.Rows) + l.Total, err
			},
			"invoices by a filter": func() (int, error) {
				l, err := s.Invoices(s.ctx, zero, ledger.Filter{Kind: invoice.TaxInvoice, Statuses: []ledger.Status{ledger.Cleared, ledger.Unanswered}}, page)
				return len(l.Rows) + l.Total, err
			},
			"items by id": func() (int, error) { l, err := s.ItemsByID(s.ctx, zero, s.idsOf("item")); return len(l), err },
			"earlier": func() (int, error) {
				l, err := s.Earlier(s.ctx, zero, slices.Concat(s.idsOf("invoice"), s.idsOf("earlier_invoice")))
				return len(l), err
			},
			"corrections": func() (int, error) {
				c, err := s.Correction(s.ctx, zero, s.idsOf("invoice")[0])
				return countSet(c.Draft, c.ReplacedBy, c.Replaces), err
			},
			"drafts found": func() (int, error) {
				l, err := s.Drafts(s.ctx, zero, share.Filter{States: []share.State{share.Open}, Search: "nora"}, page)
				return len(l.Rows) + l.Total, err
			},
			"drafts": func() (int, error) {
				l, err := s.Drafts(s.ctx, zero, share.Filter{}, page)
				return len(l.Rows) + l.Total, err
			},
			"state": func() (int, error) { d, err := s.Look(s.ctx, zero, s.wantsAll()); return sizeOf(d), err },
			"earlier page": func() (int, error) {
				l, err := s.EarlierPage(s.ctx, zero, "", page)
				return len(l.Rows) + l.Total, err
			},
			"buyers among": func() (int, error) {
				c, err := s.Client(s.ctx, s.by.Tenant, s.idsOf("client")[0])
				ok(t, err)
				l, err := s.BuyersAmong(s.ctx, zero, s.idsOf("client"), []string{c.VATNumber}, []string{c.Name, c.NameArabic})
				return len(l), err
			},
			"views": func() (int, error) {
				l, err := s.Views(s.ctx, zero, s.idsOf("person")[0], "")
				return len(l), err
			},
			"notices": func() (int, error) {
				l, err := s.NoticesRead(s.ctx, zero, s.idsOf("person")[0])
				return len(l), err
			},
			"imports": func() (int, error) { l, err := s.Imports(s.ctx, zero, page); return len(l.Rows) + l.Total, err },
			"import rows": func() (int, error) {
				l, err := s.ImportRows(s.ctx, zero, s.idsOf("import_job")[0], "", 0, 9)
				return len(l), err
			},
			"writes": func() (int, error) { return s.Writes(s.ctx, zero, thisMonth) },
			"certified": func() (int, error) {
				if certified, err := s.Certified(s.ctx, zero); certified || err != nil {
					return 1, err
				}
				return 0, nil
			},
			"counts": func() (int, error) { a, c, p, err := s.CountDevices(s.ctx, zero, noon()); return a + c + p, err },
		} {
			if n, err := find(); n != 0 || err != nil {
				t.Errorf("%s of the zero tenant: %d, %v, want 0", name, n, err)
			}
		}
		for name, find := range map[string]func(id uuid.UUID) error{
			"Organisation": func(uuid.UUID) error { _, err := s.Organisation(s.ctx, zero); return err },
			"Buyer":        func(id uuid.UUID) error { _, err := s.Client(s.ctx, zero, id); return err },
			"Item":         func(id uuid.UUID) error { _, err := s.Item(s.ctx, zero, id); return err },
			"Device":       func(id uuid.UUID) error { _, err := s.Device(s.ctx, zero, id); return err },
			"Draft":        func(id uuid.UUID) error { _, err := s.Draft(s.ctx, zero, id); return err },
			"Branch":       func(id uuid.UUID) error { _, err := s.Branch(s.ctx, zero, id); return err },
			"Reason":       func(id uuid.UUID) error { _, err := s.Reason(s.ctx, zero, id); return err },
			"Invoice": func(id uuid.UUID) error {
				_, one := s.Invoice(s.ctx, zero, id)
				_, xml := s.SignedXML(s.ctx, zero, id)
				_, remarks := s.Remarks(s.ctx, zero, id)
				refused(t, xml, fault.NotFound, "Invoice not found")
				refused(t, remarks, fault.NotFound, "Invoice not found")
				return one
			},
			"Secret": func(uuid.UUID) error { _, err := s.Secret(s.ctx, zero, "device-key", "the owner"); return err },
		} {
			for _, table := range []string{"client", "item", "device", "branch", "reason", "invoice", "draft"} {
				refused(t, find(s.idsOf(table)[0]), fault.NotFound, name+" not found")
			}
		}
	})
}

// The zero tenant writes nothing: every write to an organisation's data is
// refused.
func TestZeroTenantWritesNothing(t *testing.T) {
	each(t, func(t *testing.T, s *fixture) {
		fillTables(t, s)
		client, item, issued := s.idsOf("client")[0], s.idsOf("item")[0], s.idsOf("invoice")
		zero := s.by
		zero.Tenant = org.Tenant{}
		before := s.contents()
		s.by = zero
		// The operator changes the installation, users and plans without a
		// tenant.
		ofTheInstallation := []string{"organisation.create", "plan.set", "vault.rewrap", "backup.make", "clock.accept", "environment.choose", "person.create", "person.password", "person.disable", "person.rename", "password.link", "sign_in.link", "sign_in.used"}
		for _, d := range auditedWrites(s) {
			if slices.Contains(ofTheInstallation, d.action) {
				continue
			}
			if err := d.do(); err == nil {
				t.Errorf("write %s of the zero tenant succeeded, want a refusal", d.action)
			}
		}
		stop := errors.New("change was called")
		_, changedClient := s.ChangeClient(s.ctx, zero, client, func(*trade.Client) error { return stop })
		_, changedItem := s.ChangeItem(s.ctx, zero, item, func(*trade.Item) error { return stop })
		_, taken := s.TakeWrite(s.ctx, zero.Tenant, thisMonth, 9)
		refused(t, changedClient, fault.NotFound, "Buyer not found")
		refused(t, changedItem, fault.NotFound, "Item not found")
		refused(t, s.Answer(s.ctx, zero.Tenant, issued[0], ledger.Reported, noon()), fault.NotFound, "Invoice not found")
		if there, err := s.Issued(s.ctx, zero.Tenant, issued); len(there) != 0 || err == nil {
			t.Errorf("documents issued by the zero tenant = %v, %v, want an error", there, err)
		}
		if taken == nil {
			t.Error("TakeWrite of the zero tenant succeeded, want an error")
		}
		ok(t, s.GiveWriteBack(s.ctx, zero.Tenant, thisMonth))
		same(t, before)(s.contents(), nil)
	})
}
