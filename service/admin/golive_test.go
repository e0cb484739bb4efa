package admin_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"khatm/internal/testtool"
	"khatm/money"
	"khatm/service/admin"
	"khatm/service/internal/account"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/trade"
)

// The members of the source and the password of all of them.
const (
	memberPassword = "correct horse battery"
	factored       = "noura@example.sa" // has a second factor
	plain          = "ali@example.sa"
	disabled       = "omar@example.sa"
)

// tryOut fills an installation as after a trial, and returns the organisation and
// what the second factor of a member needs.
func tryOut(t *testing.T, d *installation) (o admin.Organisation, secret string, recovery []string) {
	t.Helper()
	ctx, start := t.Context(), d.clock.Now()
	o = d.organisation("Khatm Trading")
	by := org.Operator(of(o), "layla")
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	must[admin.Organisation](t)(d.SetLogo(ctx, o.ID.String(), logo(t, picture.Bytes())))
	file := func(path string) string {
		key := "org/" + o.ID.String() + "/" + path
		at := filepath.Join(d.config.Data, "files", key)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, []byte("picture "+path), 0o600)); err != nil {
			t.Fatal(err)
		}
		return key
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(d.store.AddBranch(ctx, by, org.Branch{ID: d.config.NewID(), Name: "Jeddah", Identification: org.Identification{Type: "CRN", Value: "4030000000"}, Address: org.Address{City: "Jeddah", CountryCode: "SA"}, Active: true, CreatedAt: start}))
	days := 45
	check(d.store.AddReason(ctx, by, trade.Reason{ID: d.config.NewID(), Description: "Net 45", Active: true, DueDays: &days, CreatedAt: start}))
	check(d.store.AddReason(ctx, by, trade.Reason{ID: d.config.NewID(), Description: "Old", CreatedAt: start}))
	for n := range 450 {
		c := trade.Client{ID: d.config.NewID(), Name: fmt.Sprint("Client ", n), Address: org.Address{City: "Riyadh", CountryCode: "SA"}, CreatedAt: start}
		if n == 7 {
			c.Logo = file("logo/7")
		}
		check(d.store.AddClient(ctx, by, c))
	}
	stock := money.MustParse("12.5")
	for n := range 210 {
		i := trade.Item{ID: d.config.NewID(), Name: fmt.Sprint("Item ", n), Price: money.FromInt(5), Unit: "PCE", Category: "S", Rate: money.FromInt(15), Active: n%2 == 0, CreatedAt: start, SKU: fmt.Sprint("S", n)}
		if n == 3 {
			i.Stock, i.Images = &stock, []trade.Image{{Key: file("item/3"), Type: "image/png"}, {Key: "org/" + o.ID.String() + "/item/lost", Type: "image/png"}}
		}
		check(d.store.AddItem(ctx, by, i))
	}
	for email, role := range map[string]string{factored: "Admin", plain: "Accountant", disabled: "ViewInvoice"} {
		_, _, err := d.CreatePerson(ctx, o.ID.String(), admin.Person{Email: email, Name: "Member", Role: role}, memberPassword)
		check(err)
	}
	check(d.SetDisabled(ctx, disabled, true))
	accounts := d.accounts(d.ring(false))
	p, _, err := d.store.PersonByEmail(ctx, factored)
	check(err)
	secret, _, _, err = accounts.StartFactor(ctx, p, memberPassword)
	check(err)
	recovery, _, err = accounts.ActivateFactor(ctx, by, p.ID, servicetest.OneTimeCode(t, secret, d.clock.Now()), uncounted)
	check(err)
	_, _, err = accounts.IssueKey(ctx, by, account.NewKey{Title: "Till", Role: org.CreateInvoice})
	check(err)
	return o, secret, recovery
}

func uncounted(context.Context, uuid.UUID) (func(), error) { return func() {}, nil }

// accounts returns the accounts of an installation as a server has them.
func (d *installation) accounts(vault account.Vault) *account.Accounts {
	return account.New(account.Config{Keeper: d.store, Now: d.clock.Now, NewID: d.config.NewID, Random: rand.Reader, Vault: vault})
}

// target returns the configuration of an installation that does not exist yet.
func (d *installation) target(c store.Config) admin.Config {
	config := d.config
	config.Data, config.Database = filepath.Join(d.t.TempDir(), "new"), c.URL
	return config
}

// opened returns an installation that GoLive has created.
func opened(t *testing.T, d *installation, c admin.Config) *installation {
	t.Helper()
	s := storetest.Open(t, store.Config{Dir: c.Data, URL: c.Database, Now: c.Now, NewID: c.NewID, Log: servicetest.Quiet()})
	return &installation{t: t, config: c, clock: d.clock, store: s}
}

// records returns what GoLive copies, as it is stored.
func records(t *testing.T, d *installation, o admin.Organisation) map[string]any {
	t.Helper()
	ctx, tenant := t.Context(), of(o)
	whole := must[org.Organisation](t)(d.store.Organisation(ctx, tenant))
	members := must[[]account.Transfer](t)(d.store.Transfers(ctx, tenant))
	for n := range members {
		members[n].Factor.Sealed = nil
	}
	items := must[[]trade.Item](t)(d.store.ItemsAfter(ctx, tenant, uuid.Nil, 1000))
	for n := range items {
		items[n].Images = slices.DeleteFunc(items[n].Images, func(i trade.Image) bool { return strings.HasSuffix(i.Key, "/lost") })
	}
	return map[string]any{
		"organisation": whole,
		"branches":     must[[]org.Branch](t)(d.store.Branches(ctx, tenant)),
		"reasons":      must[[]trade.Reason](t)(d.store.Reasons(ctx, tenant)),
		"clients":      must[[]trade.Client](t)(d.store.ClientsAfter(ctx, tenant, uuid.Nil, 1000)),
		"newest":       must[org.List[trade.Client]](t)(d.store.Clients(ctx, tenant, "client", org.Page{Size: 100, Number: 1})),
		"items":        items,
		"members":      members,
		"files":        contents(t, d),
	}
}

// contents returns the files of an installation by their keys.
func contents(t *testing.T, d *installation) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, path := range kept(t, d) {
		key := must[string](t)(filepath.Rel(d.config.Data, path))
		all[key] = string(must[[]byte](t)(os.ReadFile(path)))
	}
	return all
}

func TestGoLiveCopiesAnOrganisation(t *testing.T) {
	t.Parallel()
	// The ids of the test databases are equal, unless another one was drawn before.
	own := func(t testing.TB) store.Config {
		c := storetest.Empty(t)
		c.NewID()
		return c
	}
	engines := map[string][2]func(testing.TB) store.Config{
		"SQLite":               {storetest.SQLite, storetest.Empty},
		"SQLite to PostgreSQL": {own, storetest.Postgres},
		"PostgreSQL to SQLite": {storetest.Postgres, storetest.Empty},
	}
	if !testtool.All() { // the others read and write both engines
		delete(engines, "SQLite")
	}
	for name, pair := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := install(t, pair[0](t))
			o, secret, recovery := tryOut(t, d)
			d.clock.Advance(time.Hour)
			other := d.organisation("Other Trading")
			before := records(t, d, o)
			to := d.target(pair[1](t))
			var progress []int
			move := admin.Move{Organisation: o.ID.String(), Environment: "production", Progress: func(n int) { progress = append(progress, n) }}
			moved := must[admin.Moved](t)(d.GoLive(t.Context(), to, move))
			want := []admin.MovedKind{{"organisations", 1, 0}, {"branches", 1, 0}, {"reasons", 2, 0}, {"clients", 450, 0}, {"items", 210, 0}, {"members", 3, 0}}
			if d := cmp.Diff(want, moved.Records); d != "" || moved.MissingFiles != 1 {
				t.Errorf("records (-want +got):\n%s\n%d missing files, want 1", d, moved.MissingFiles)
			}
			if !slices.IsSorted(progress) || progress[len(progress)-1] != 667 {
				t.Errorf("progress = %v, want increasing numbers up to 667", progress)
			}
			live := opened(t, d, to)
			if diff := cmp.Diff(before, records(t, live, o), cmp.AllowUnexported(money.Decimal{})); diff != "" {
				t.Errorf("records in the new installation (-want +got):\n%s", diff)
			}
			if _, err := live.store.Organisation(t.Context(), of(other)); fault.KindOf(err) != fault.NotFound {
				t.Errorf("another organisation in the new installation: %v, want a not-found error", err)
			}
			if keys := must[[]org.Key](t)(live.store.Keys(t.Context(), of(o))); len(keys) != 0 {
				t.Errorf("keys in the new installation = %v, want none", keys)
			}
			membersSignIn(t, live, secret, recovery)

			// A second run changes nothing.
			after := records(t, live, o)
			again := must[admin.Moved](t)(d.GoLive(t.Context(), to, move))
			for n, k := range again.Records {
				if k.Copied != 0 || k.Present != moved.Records[n].Copied {
					t.Errorf("second run: %+v, want none copied", k)
				}
			}
			if diff := cmp.Diff(after, records(t, live, o), cmp.AllowUnexported(money.Decimal{})); diff != "" {
				t.Errorf("records after a second run (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, records(t, d, o), cmp.AllowUnexported(money.Decimal{})); diff != "" {
				t.Errorf("records in the old installation (-want +got):\n%s", diff)
			}
		})
	}
}

// membersSignIn checks that members sign in as before, with a second factor if
// they have one, which the master key of the new installation has sealed.
func membersSignIn(t *testing.T, d *installation, secret string, recovery []string) {
	t.Helper()
	accounts := d.accounts(d.ring(false))
	signIn := func(email, code string) error {
		_, _, err := accounts.SignIn(t.Context(), account.Credentials{Email: email, Password: memberPassword, Code: code, CountCode: uncounted})
		return err
	}
	for _, c := range []struct {
		what, email, code string
		want              fault.Code
	}{
		{"a member", plain, "", ""},
		{"a disabled member", disabled, "", fault.WrongPassword},
		{"a member without the second factor", factored, "", fault.SecondFactorRequired},
		{"a member with a wrong code", factored, "000000", fault.WrongSecondFactor},
		{"a member with a code", factored, servicetest.OneTimeCode(t, secret, d.clock.Now()), ""},
		{"a member with a recovery code", factored, recovery[0], ""},
		{"a member with a used recovery code", factored, recovery[0], fault.WrongSecondFactor},
	} {
		err := signIn(c.email, c.code)
		if got := fault.CodeOf(err); got != c.want || c.want == "" && err != nil {
			t.Errorf("%s signs in: %v, want code %q", c.what, err, c.want)
		}
	}
}

func TestGoLiveRefuses(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		o, ctx := d.organisation("Khatm Trading"), t.Context()
		move := admin.Move{Organisation: o.ID.String(), Environment: "production"}
		fresh := func() admin.Config { return d.target(store.Config{}) }
		live := fresh()
		must[admin.Moved](t)(d.GoLive(ctx, live, move))
		wants := func(name, words string, to admin.Config, m admin.Move) {
			t.Helper()
			if _, err := d.GoLive(ctx, to, m); err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("%s: error = %v, want one that contains %q", name, err, words)
			}
		}
		wants("the same installation", "must be another one", d.config, move)
		linked := fresh()
		if err := os.Symlink(d.config.Data, linked.Data); err != nil {
			t.Fatal(err)
		}
		wants("a link to the same installation", "must be another one", linked, move)
		backup, copied := filepath.Join(t.TempDir(), "backup"), fresh()
		if _, err := admin.Backup(ctx, d.config, backup, "test", nil); err != nil {
			t.Fatal(err)
		}
		if _, err := admin.Restore(ctx, copied, backup, nil, admin.Proof{}); err != nil {
			t.Fatal(err)
		}
		wants("a copy of the installation", "must be another one", copied, move)
		wants("the same environment", "already belongs to the authority's sandbox", fresh(), admin.Move{Organisation: move.Organisation, Environment: "sandbox"})
		wants("another environment of the new installation", "production environment, which cannot be changed", live, admin.Move{Organisation: move.Organisation, Environment: "simulation"})
		wants("an unknown environment", "not an environment", fresh(), admin.Move{Organisation: move.Organisation, Environment: "moon"})
		wants("an unknown organisation", "no organisation", fresh(), admin.Move{Organisation: uuid.NewString(), Environment: "production"})
		d.organisation("Other Trading")
		wants("no organisation", "--org", fresh(), admin.Move{Environment: "production"})
		shared, to := d.config, fresh()
		shared.Blob, to.Blob = "s3://bucket/prefix?region=me-south-1", "s3://bucket/prefix?region=me-south-1&encryption=AES256"
		inBucket := must[*admin.Admin](t)(admin.Open(ctx, shared))
		defer inBucket.Close()
		if _, err := inBucket.GoLive(ctx, to, move); err == nil || !strings.Contains(err.Error(), "choose another bucket or prefix") {
			t.Errorf("the same bucket and prefix: error = %v, want one that says to choose another", err)
		}
		db := must[*sql.DB](t)(sql.Open("sqlite", filepath.Join(live.Data, "khatm.db")))
		defer db.Close() //nolint:errcheck // the statement is committed
		must[sql.Result](t)(db.Exec(`INSERT INTO book (org_id, documents) VALUES ($1, 3) ON CONFLICT (org_id) DO UPDATE SET documents = 3`, o.ID.String()))
		wants("documents", "has issued 3 documents", live, move)
	})
}

// A run that was interrupted continues.
func TestGoLiveContinues(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		o, _, _ := tryOut(t, d)
		to := d.target(store.Config{})
		ctx, stop := context.WithCancel(t.Context())
		_, err := d.GoLive(ctx, to, admin.Move{Environment: "simulation", Progress: func(n int) {
			if n > 400 {
				stop()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("error of the interrupted run = %v, want %v", err, context.Canceled)
		}
		moved := must[admin.Moved](t)(d.GoLive(t.Context(), to, admin.Move{Environment: "simulation"}))
		clients := moved.Records[3]
		if clients.Copied == 0 || clients.Present == 0 || clients.Copied+clients.Present != 450 {
			t.Errorf("clients of the second run = %+v, want 450 of which some are present", clients)
		}
		if diff := cmp.Diff(records(t, d, o), records(t, opened(t, d, to), o), cmp.AllowUnexported(money.Decimal{})); diff != "" {
			t.Errorf("records in the new installation (-want +got):\n%s", diff)
		}
	})
}
