package store_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/device"
	"khatm/service/internal/issue"
	"khatm/service/internal/org"
	"khatm/service/internal/payment"
	"khatm/service/internal/share"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/trade"
)

// auditedWrite is a write that adds one entry to the audit trail.
type auditedWrite struct {
	verb    string
	action  string
	subject string
	details string // JSON
	do      func() error
}

// auditedWrites returns all writes with an actor. Each depends on the previous
// ones.
func auditedWrites(s *fixture) []auditedWrite {
	by, ctx, id := s.by, s.ctx, s.config.NewID
	organisation := sampleOrganisation(id())
	person, key, client, item := samplePerson(id()), sampleKey(id()), sampleClient(id()), sampleItem(id())
	branch, reason, machine := sampleBranch(id()), sampleReason(id()), sampleDevice(id(), nil)
	issued, earlier, remark := id(), sampleEarlier(id()), sampleRemark(id())
	draft, gone := sampleDraft(id()), sampleDraft(id())
	view, oldView, viewer := sampleView(id()), sampleView(id()), by
	oldView.Name, viewer.ID = "old", person.ID
	job := sampleImport(id())
	receipt := sampleReceipt(id(), client.ID)
	user, invited := samplePerson(id()), id()
	user.Disabled = false
	own := by.Tenant.ID().String()
	spare := sampleDevice(id(), nil)
	spare.Retired = false
	plan := org.Plan{Slug: "free", Name: "Free", NameArabic: "مجانية", Invoices: 1, Writes: 2, API: true}
	return []auditedWrite{
		{"AddOrganisation", "organisation.create", organisation.ID.String(), `{"name":"Khatm & Sons","vat_number":"300000000000003","plan":"starter"}`, func() error { return s.AddOrganisation(ctx, by, organisation) }},
		{"ChangeOrganisation", "organisation.change", own, `{"name":"Khatm & Sons","vat_number":"300000000000003"}`, func() error {
			_, err := s.ChangeOrganisation(ctx, by, func(o *org.Organisation) error { *o = organisation; return nil })
			return err
		}},
		{"ChangeCompany", "organisation.change", own, `{"name":"Khatm Company","vat_number":"311111111100003"}`, func() error {
			_, err := s.ChangeCompany(ctx, by, func(o *org.Organisation) error {
				o.Name, o.VATNumber = "Khatm Company", "311111111100003"
				return nil
			})
			return err
		}},
		{"SetStatus", "organisation.active", own, `{}`, func() error { return s.SetStatus(ctx, by, org.Active) }},
		{"Subscribe", "organisation.plan", own, `{"plan":"business"}`, func() error { return s.Subscribe(ctx, by, "business") }},
		{"ChangePlan", "plan.set", "free", `{"invoices":1,"writes":2,"api":true}`, func() error {
			_, err := s.ChangePlan(ctx, by, "free", func(p *org.Plan) error { *p = plan; return nil })
			return err
		}},
		{"ChooseEnvironment", "environment.choose", "simulator", `{}`, func() error { return s.ChooseEnvironment(ctx, by, device.Simulator) }},
		{"ChangeMasterKey", "vault.rewrap", "0123456789abcdef", `{}`, func() error { return s.ChangeMasterKey(ctx, by, "0123456789abcdef") }},
		{"Note", "backup.make", "a file", `{}`, func() error { return s.Note(ctx, by, "backup.make", "a file") }},
		{"AddBranch", "branch.create", branch.ID.String(), `{"name":"فرع جدة"}`, func() error { return s.AddBranch(ctx, by, branch) }},
		{"ChangeBranch", "branch.change", branch.ID.String(), `{"name":"Jeddah","active":false}`, func() error {
			_, err := s.ChangeBranch(ctx, by, branch.ID, func(b *org.Branch) error { b.Name, b.Active = "Jeddah", false; return nil })
			return err
		}},
		{"AddPerson", "person.create", person.ID.String(), `{}`, func() error { return s.AddPerson(ctx, by, person, "secret hash") }},
		{"SetPassword", "person.password", person.ID.String(), `{}`, func() error { return s.SetPassword(ctx, by, person.ID, "another hash") }},
		{"AddPerson", "person.create", user.ID.String(), `{}`, func() error { return s.AddPerson(ctx, by, user, "first hash") }},
		{"ReplacePassword", "person.password", user.ID.String(), `{}`, func() error { return s.ReplacePassword(ctx, by, user.ID, "first hash", "second hash") }},
		{"RenamePerson", "person.rename", user.ID.String(), `{}`, func() error { _, err := s.RenamePerson(ctx, by, user.ID, "Sara"); return err }},
		{"AddPasswordLink", "password.link", user.ID.String(), `{}`, func() error {
			link, letter := samplePasswordLink(s, user, 0xe1)
			return s.AddPasswordLink(ctx, by, link, letter)
		}},
		{"ResetPassword", "person.password", user.ID.String(), `{}`, func() error { return s.ResetPassword(ctx, by, digestOf(0xe1), "fourth hash", s.config.Now()) }},
		{"AddSignInLink", "sign_in.link", user.ID.String(), `{}`, func() error { return s.AddSignInLink(ctx, by, sampleSignInLink(s, user, 0xe3)) }},
		{"UseSignInLink", "sign_in.used", user.ID.String(), `{}`, func() error {
			return s.UseSignInLink(ctx, by, digestOf(0xe3), account.Opening{Person: user.ID, Digest: digestOf(0xe4), From: s.config.Now(), Until: s.config.Now().Add(time.Hour)})
		}},
		{"DisablePerson", "person.disable", person.ID.String(), `{"disabled":true}`, func() error { return s.DisablePerson(ctx, by, person.ID, true) }},
		{"AddMembership", "member.add", person.ID.String(), `{"role":"Admin"}`, func() error { return s.AddMembership(ctx, by, person.ID, org.Admin) }},
		{"AddMembership", "member.add", user.ID.String(), `{"role":"Admin"}`, func() error { return s.AddMembership(ctx, by, user.ID, org.Admin) }},
		{"ChangeRole", "member.role", person.ID.String(), `{"role":"Accountant"}`, func() error { _, err := s.ChangeRole(ctx, by, person.ID, org.Accountant); return err }},
		{"RemoveMember", "member.remove", person.ID.String(), `{"email":"` + person.Email + `","keys":"keep"}`, func() error {
			_, err := s.RemoveMember(ctx, by, person.ID, account.KeepKeys, s.config.Now())
			return err
		}},
		{"AddInvitation", "invitation.create", invited.String(), `{"email":"` + person.Email + `","role":"Accountant"}`, func() error {
			link, letter := sampleInvitation(s, by.Tenant, person.Email, 0xe2)
			link.ID = invited
			return s.AddInvitation(ctx, by, link, letter)
		}},
		{"RevokeInvitation", "invitation.revoke", invited.String(), `{}`, func() error { return s.RevokeInvitation(ctx, by, invited, s.config.Now()) }},
		{"AddKey", "key.create", key.Name, `{"title":"till 3 – صندوق","role":"CreateInvoice","scopes":["invoice.create","invoice.get"]}`, func() error { return s.AddKey(ctx, by, key, digestOf(9)) }},
		{"RevokeKey", "key.revoke", key.Name, `{}`, func() error { return s.RevokeKey(ctx, by, key.Name, instantOf(0)) }},
		{"AddClient", "client.create", client.ID.String(), `{"name":"Buyer – مشترٍ","vat_number":"311111111111113"}`, func() error { return s.AddClient(ctx, by, client) }},
		{"ChangeClient", "client.change", client.ID.String(), `{"name":"new","vat_number":"311111111111113"}`, func() error {
			_, err := s.ChangeClient(ctx, by, client.ID, func(c *trade.Client) error { c.Name = "new"; return nil })
			return err
		}},
		{"AddItem", "item.create", item.ID.String(), `{"name":"Dates, تمر","price":"999999999.99"}`, func() error { return s.AddItem(ctx, by, item) }},
		{"ChangeItem", "item.change", item.ID.String(), `{"name":"Dates, تمر","price":"999999999.99","active":false}`, func() error {
			_, err := s.ChangeItem(ctx, by, item.ID, func(i *trade.Item) error { i.Active = false; return nil })
			return err
		}},
		{"AddReason", "reason.create", reason.ID.String(), `{"description":"خلال 30 يومًا","due_days":45}`, func() error { return s.AddReason(ctx, by, reason) }},
		{"SetReason", "reason.set", reason.ID.String(), `{"active":false}`, func() error { return s.SetReason(ctx, by, reason.ID, false) }},
		{"ChangeReason", "reason.change", reason.ID.String(), `{"description":"Net 30","active":false,"due_days":45}`, func() error {
			_, err := s.ChangeReason(ctx, by, reason.ID, func(r *trade.Reason) error { r.Description = "Net 30"; return nil })
			return err
		}},
		{"AddDevice", "device.create", machine.ID.String(), `{"serial_number":"` + machine.SerialNumber + `","environment":"simulator"}`, func() error { return s.AddDevice(ctx, by, machine) }},
		{"Append", "invoice.create", issued.String(), `{"ref_num":"INV-2026-000001","counter":1099511627777,"hash":"` + fmt.Sprintf("%044d", 1<<40+1) + `","payable":"123.45"}`, func() error {
			_, err := (&seller{s, by, machine.ID}).append(func(e *issue.Entry) { e.Invoice.ID, e.Invoice.Record.Buyer.ID = issued, client.ID })
			return err
		}},
		{"AddRemark", "invoice.remark", issued.String(), `{"remark":"` + remark.ID.String() + `"}`, func() error { return s.AddRemark(ctx, by, issued, remark) }},
		{"AddReceipt", "receipt.create", receipt.ID.String(), `{"number":"RCT-2026-000001","currency":"EUR","amount":"100.00"}`, func() error {
			_, err := s.AddReceipt(ctx, by, receipt, []payment.Wish{{Document: issued, Amount: decimalOf("60")}}, sampleKeyed)
			return err
		}},
		{"Allocate", "receipt.allocate", receipt.ID.String(), `{"number":"RCT-2026-000001","unused":"30.00"}`, func() error {
			_, err := s.Allocate(ctx, by, receipt.ID, []payment.Wish{{Document: issued, Amount: decimalOf("10")}})
			return err
		}},
		{"ReverseReceipt", "receipt.reverse", receipt.ID.String(), `{"number":"RCT-2026-000001","reversal":"RCT-2026-000002"}`, func() error {
			_, err := s.ReverseReceipt(ctx, by, receipt.ID, "typed twice")
			return err
		}},
		{"Ask", "invoice.resend", issued.String(), `{}`, func() error { return s.Ask(ctx, by, issued) }},
		{"RenewShare", "share.renewed", issued.String(), `{"expires":"` + instantOf(720).Format(time.RFC3339Nano) + `"}`, func() error {
			return s.RenewShare(ctx, by, issued, sampleLink(0xa1, 720))
		}},
		{"RevokeShares", "share.revoked", issued.String(), `{}`, func() error { return s.RevokeShares(ctx, by, issued) }},
		{"AddDraft", "draft.created", draft.ID.String(), `{}`, func() error { return s.AddDraft(ctx, by, draft) }},
		{"ChangeDraft", "draft.approved", draft.ID.String(), `{"name":"نورة"}`, func() error {
			_, err := s.ChangeDraft(ctx, by, draft.ID, func(f *share.Folder) error { fillFolder(f, by.Tenant, id); f.Invoice = &issued; return nil })
			return err
		}},
		{"AddDraft", "draft.created", gone.ID.String(), `{}`, func() error { return s.AddDraft(ctx, by, gone) }},
		{"ChangeDraft", "draft.shared", gone.ID.String(), `{}`, func() error {
			_, err := s.ChangeDraft(ctx, by, gone.ID, func(f *share.Folder) error {
				f.Share, f.Action = new(sampleLink(0xd2, 720)), "draft.shared"
				return nil
			})
			return err
		}},
		{"ChangeDraft", "draft.removed", gone.ID.String(), `{}`, func() error {
			_, err := s.ChangeDraft(ctx, by, gone.ID, func(f *share.Folder) error { f.Removed, f.Share, f.Action = true, nil, "draft.removed"; return nil })
			return err
		}},
		{"AddImport", "import.create", job.ID.String(), `{"kind":"clients","rows":2}`, func() error { return s.AddImport(ctx, viewer, job) }},
		{"RunImport", "import.run", job.ID.String(), `{"kind":"clients","rows":2}`, func() error {
			s.execute(`UPDATE import_job SET state = 'checked' WHERE state = 'checking'`)
			_, err := s.RunImport(ctx, viewer, job.ID)
			return err
		}},
		{"CancelImport", "import.cancel", job.ID.String(), `{"state":"running","done":0}`, func() error {
			_, err := s.CancelImport(ctx, viewer, job.ID)
			return err
		}},
		{"AddView", "view.create", view.ID.String(), `{"list":"invoices","name":"Rejected"}`, func() error { return s.AddView(ctx, viewer, view) }},
		{"AddView", "view.create", oldView.ID.String(), `{"list":"invoices","name":"old"}`, func() error { return s.AddView(ctx, viewer, oldView) }},
		{"ChangeView", "view.change", view.ID.String(), `{"list":"invoices","name":"Rejected"}`, func() error {
			_, err := s.ChangeView(ctx, viewer, view.ID, func(v *org.View) error { v.Query = ""; return nil })
			return err
		}},
		{"RemoveView", "view.delete", oldView.ID.String(), `{}`, func() error { return s.RemoveView(ctx, viewer, oldView.ID) }},
		{"AddEarlier", "earlier.create", earlier.ID.String(), `{"number":"OLD-7"}`, func() error { return s.AddEarlier(ctx, by, earlier) }},
		{"TakeEnrolment", "device.onboard", machine.ID.String(), `{"turn":1,"status":"pcsid_generated"}`, func() error {
			_, err := s.TakeEnrolment(ctx, by, machine.ID, false)
			return err
		}},
		{"AcceptClock", "clock.accept", "2026-11-15T09:00:00Z", `{}`, func() error { return s.AcceptClock(ctx, by, s.config.Now()) }},
		{"ReleaseClock", "clock.release", machine.ID.String(), `{"last_issued_at":"2026-11-16T06:00:00Z"}`, func() error {
			_, err := s.ReleaseClock(ctx, by, machine.ID, s.config.Now())
			return err
		}},
		{"ProbeDevice", "device.resume", machine.ID.String(), `{}`, func() error {
			s.execute(`UPDATE device SET parked = 1, parked_why = 'test', probe_at = 0 WHERE id = $1`, machine.ID)
			return s.ProbeDevice(ctx, by, machine.ID, s.config.Now())
		}},
		{"AddDevice", "device.create", spare.ID.String(), `{"serial_number":"` + spare.SerialNumber + `","environment":"simulator"}`, func() error { return s.AddDevice(ctx, by, spare) }},
		{"RetireDevice", "device.retire", spare.ID.String(), `{}`, func() error { return s.RetireDevice(ctx, by, spare.ID, s.config.Now()) }},
		{"PutSecret", "secret.put", "the owner", `{"purpose":"device-key"}`, func() error { return s.PutSecret(ctx, by, "device-key", "the owner", sealedSample(1)) }},
	}
}

// testedElsewhere lists the methods with an actor that other tests cover.
var testedElsewhere = []string{"KeepStep", "AddMember", "Recover", "AddSetUpLink", "Found", "AddRefund", "ReverseRefund", "ActivateFactor", "ReplaceRecovery", "RemoveFactor", "AcceptInvitation", "TakeClients", "TakeItems", "TakeMember", "AddSignUpLink", "FoundAnother"}

func TestEveryMethodWithAnActorIsTested(t *testing.T) {
	t.Parallel()
	tried := slices.Clone(testedElsewhere)
	for _, d := range auditedWrites(open(t, storetest.SQLite(t))) {
		tried = append(tried, d.verb)
	}
	verbs := reflect.TypeFor[*store.Store]()
	for i := range verbs.NumMethod() {
		verb := verbs.Method(i)
		for n := range verb.Type.NumIn() {
			if verb.Type.In(n) == reflect.TypeFor[org.Actor]() && !slices.Contains(tried, verb.Name) {
				t.Errorf("method %s has an actor, but no test checks its entry in the audit trail", verb.Name)
			}
		}
	}
}

func TestEveryWriteAddsOneEntryToTheTrail(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		seen := map[uuid.UUID]bool{}
		for _, d := range auditedWrites(s) {
			before := s.count(`SELECT count(*) FROM event`)
			ok(t, d.do())
			if got := s.count(`SELECT count(*) FROM event`) - before; got != 1 {
				t.Errorf("%s added %d entries to the audit trail, want 1", d.action, got)
			}
			of := s.by.Tenant
			if d.action == "organisation.create" {
				of = org.TenantOf(uuid.MustParse(d.subject)) // the first entry of the new organisation
			}
			events, err := s.Events(s.ctx, of, 1)
			if err != nil || len(events) != 1 {
				t.Fatalf("last entry after %s = %v, %v, want one", d.action, events, err)
			}
			got := events[0]
			if seen[got.ID] || got.ID == uuid.Nil {
				t.Errorf("entry of %s has the id %s, want a new one", d.action, got.ID)
			}
			seen[got.ID] = true
			want := org.Event{
				ID: got.ID, Tenant: of, At: s.config.Now(), Kind: s.by.Kind, Actor: s.by.Name, Address: s.by.Address, Request: s.by.Request,
				Action: d.action, Subject: d.subject, Details: got.Details,
			}
			same(t, want)(got, nil)
			same(t, jsonOf(t, d.details))(jsonOf(t, got.Details), nil)
		}
	})
}

// A refused write adds no entry and changes nothing.
func TestRefusedWritesChangeNothing(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		first := auditedWrites(s)
		for _, d := range first {
			ok(t, d.do())
		}
		unknown := s.config.NewID()
		no := errors.New("no")
		kept := sampleClient(s.config.NewID())
		ok(t, s.AddClient(s.ctx, s.by, kept))
		before := s.contents()
		refusals := map[string]error{
			"invalid master key id":           s.ChangeMasterKey(s.ctx, s.by, "short"),
			"existing member":                 s.AddMember(s.ctx, s.by, samplePerson(uuid.MustParse(s.texts(`SELECT CAST(id AS TEXT) FROM person`)[0])), "", org.Admin),
			"new member with an unknown role": s.AddMember(s.ctx, s.by, samplePerson(unknown), "", "King"),
			"unknown status":                  s.SetStatus(s.ctx, s.by, "asleep"),
			"reason of another organisation":  s.SetReason(s.ctx, s.other, unknown, true),
			"unknown user as a member":        s.AddMembership(s.ctx, s.by, unknown, org.Admin),
			"unknown role":                    s.AddMembership(s.ctx, s.by, unknown, "King"),
			"client without a name":           s.AddClient(s.ctx, s.by, trade.Client{ID: unknown, Address: sampleAddress("SA")}),
			"actor without a kind":            s.AddClient(s.ctx, org.Actor{Tenant: s.by.Tenant}, sampleClient(unknown)),
			"unknown key":                     s.RevokeKey(s.ctx, s.by, "svc_nobody1_", instantOf(0)),
			"digest with another length":      s.AddKey(s.ctx, s.by, sampleKey(unknown), []byte("short")),
			"password of an unknown user":     s.SetPassword(s.ctx, s.by, unknown, "x"),
			"replaced password of no user":    s.ReplacePassword(s.ctx, s.by, unknown, "x", "y"),
			"used link":                       s.ResetPassword(s.ctx, s.by, digestOf(0xe1), "x", s.config.Now()),
			"secret that is not sealed":       s.PutSecret(s.ctx, s.by, "device-key", "x", []byte("plain")),
			"session of an unknown user":      s.AddSession(s.ctx, account.Opening{Person: unknown, Digest: digestOf(3), From: instantOf(0), Until: instantOf(1)}),
			"organisation without a plan":     s.AddOrganisation(s.ctx, s.by, org.Organisation{ID: unknown, Name: "x", VATNumber: "300000000000003", Address: sampleAddress("SA"), Status: org.Active}),
		}
		_, refusals["unknown plan"] = s.ChangePlan(s.ctx, s.by, "gold", func(*org.Plan) error { return nil })
		_, refusals["plan with an invalid limit"] = s.ChangePlan(s.ctx, s.by, "free", func(p *org.Plan) error { p.Invoices = -2; return nil })
		_, refusals["organisation without a name"] = s.ChangeOrganisation(s.ctx, s.by, func(o *org.Organisation) error { o.Name = ""; return nil })
		_, refusals["failing change"] = s.ChangeClient(s.ctx, s.by, kept.ID, func(*trade.Client) error { return no })
		_, refusals["change to an invalid client"] = s.ChangeClient(s.ctx, s.by, kept.ID, func(c *trade.Client) error { c.VATNumber = "3"; return nil })
		for _, d := range first {
			switch d.action { // the others can be repeated
			case "organisation.create", "branch.create", "person.create", "key.create", "client.create", "item.create", "reason.create", "device.create",
				"invoice.create", "invoice.remark", "invoice.resend", "earlier.create":
				refusals[d.action+" repeated"] = d.do()
			}
		}
		for name, err := range refusals {
			if err == nil {
				t.Errorf("write with %s succeeded, want a refusal", name)
			}
		}
		same(t, before)(s.contents(), nil)
	})
}

func TestEventsAreTheNewestOfOneOrganisation(t *testing.T) {
	mostlySQLite(t, func(t *testing.T, s *fixture) {
		for range 5 {
			ok(t, s.AddReason(s.ctx, s.by, sampleReason(s.config.NewID())))
			ok(t, s.AddReason(s.ctx, s.other, sampleReason(s.config.NewID())))
		}
		ok(t, s.AddPerson(s.ctx, org.Operator(org.Tenant{}, "me"), samplePerson(s.config.NewID()), "")) // an entry of the installation
		events, err := s.Events(s.ctx, s.by.Tenant, 3)
		ok(t, err)
		if len(events) != 3 {
			t.Errorf("got %d entries of the audit trail, want 3", len(events))
		}
		for i, e := range events {
			if e.Tenant != s.by.Tenant || i > 0 && bytes.Compare(e.ID[:], events[i-1].ID[:]) >= 0 {
				t.Errorf("entry %d = %+v, want an older one of the organisation", i, e)
			}
		}
		if all, err := s.Events(s.ctx, s.by.Tenant, 99); err != nil || len(all) != 6 { // including its creation
			t.Errorf("got %d entries of the audit trail, %v, want all 6", len(all), err)
		}
	})
}

// contents returns all rows of each table as text.
func (s *fixture) contents() map[string][]string {
	s.t.Helper()
	found := map[string][]string{}
	for _, table := range tables(s.t, s) {
		for _, r := range s.records(`SELECT * FROM ` + table) {
			found[table] = append(found[table], fmt.Sprint(r))
		}
		slices.Sort(found[table])
	}
	return found
}

func jsonOf(t testing.TB, text string) (value map[string]any) {
	t.Helper()
	ok(t, json.Unmarshal([]byte(text), &value))
	return value
}
