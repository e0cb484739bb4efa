package admin_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"khatm/service/admin"
	"khatm/service/internal/org"
)

const secrets = 450 // more than two chunks of the store

// seal puts secrets where a server would.
func (d *installation) seal(o admin.Organisation) {
	d.t.Helper()
	ring := d.ring(false)
	for i := range secrets {
		owner := fmt.Sprintf("device-%03d", i)
		sealed, err := ring.Seal("device-key", owner, []byte(owner))
		if err == nil {
			err = d.store.PutSecret(context.Background(), org.Operator(of(o), "server"), "device-key", owner, sealed)
		}
		if err != nil {
			d.t.Fatal(err)
		}
	}
}

// opens fails the test if a secret does not open.
func (d *installation) opens(o admin.Organisation) {
	d.t.Helper()
	ring := d.ring(false)
	for i := range secrets {
		owner := fmt.Sprintf("device-%03d", i)
		sealed, err := d.store.Secret(context.Background(), of(o), "device-key", owner)
		if err != nil {
			d.t.Fatal(err)
		}
		if plain, err := ring.Open("device-key", owner, sealed); err != nil || string(plain) != owner {
			d.t.Fatalf("%s: %q, %v", owner, plain, err)
		}
	}
}

func TestRotation(t *testing.T) {
	each(t, func(t *testing.T, d *installation) {
		o := d.organisation("Khatm Trading")
		d.seal(o)
		old := must[[]admin.MasterKey](t)(d.MasterKeys(t.Context()))
		if len(old) != 1 || !old[0].Active || old[0].Seals != secrets {
			t.Fatalf("before: %+v", old)
		}

		// A rotation that is stopped half-way has lost nothing, and goes on.
		ctx, stop := context.WithCancel(t.Context())
		_, err := d.Rotate(ctx, true, func(seen int) {
			if seen == 250 {
				stop()
			}
		})
		if err == nil || !strings.Contains(err.Error(), "khatm vault rewrap goes on") || !errors.Is(err, context.Canceled) {
			t.Fatalf("a rotation that was stopped said %v", err)
		}
		d.opens(o)
		half := must[[]admin.MasterKey](t)(d.MasterKeys(t.Context()))
		if len(half) != 2 || half[0].Seals == 0 || half[1].Seals == 0 || half[0].Seals+half[1].Seals != secrets {
			t.Fatalf("half-way: %+v", half)
		}
		if err := d.Retire(t.Context(), old[0].ID); err == nil || !strings.Contains(err.Error(), "still need master key") {
			t.Errorf("a key that is needed: %v", err)
		}
		moved := must[admin.Rewrapped](t)(d.Rewrap(t.Context(), func(int) {}))
		if want := (admin.Rewrapped{Key: half[0].ID, Seen: secrets, Done: half[1].Seals}); moved != want {
			t.Errorf("got %+v, want %+v", moved, want)
		}
		if err := d.Retire(t.Context(), half[0].ID); err == nil || !strings.Contains(err.Error(), "active") {
			t.Errorf("the active key: %v", err)
		}
		if err := d.Retire(t.Context(), old[0].ID); err != nil {
			t.Fatal(err)
		}
		d.opens(o)
		d.wantTrail("vault.rotate "+half[0].ID, "vault.rewrap "+half[0].ID, "vault.retire "+old[0].ID)
		after := must[[]admin.MasterKey](t)(d.MasterKeys(t.Context()))
		if len(after) != 1 || after[0].ID == old[0].ID || after[0].Seals != secrets {
			t.Errorf("after: %+v", after)
		}
	})
}

func TestRotationAmongSeveralMachinesIsAskedFor(t *testing.T) {
	each(t, func(t *testing.T, d *installation) {
		_, err := d.Rotate(t.Context(), false, func(int) {})
		if refused := err != nil; refused != (d.config.Database != "") {
			t.Errorf("got %v", err)
		}
	})
}

// wantTrail holds the deeds on master keys in the audit trail against a list.
func (d *installation) wantTrail(want ...string) {
	d.t.Helper()
	if _, _, err := d.store.SealTrail(d.t.Context(), org.Link{}, 1<<20); err != nil {
		d.t.Fatal(err)
	}
	var got []string
	err := d.store.WalkTrail(d.t.Context(), func(e org.Event, _ org.Link) error {
		if strings.HasPrefix(e.Action, "vault.") && e.Actor == "layla" {
			got = append(got, e.Action+" "+e.Subject)
		}
		return nil
	})
	if err != nil || !slices.Equal(got, want) {
		d.t.Errorf("the trail has %q, want %q, %v", got, want, err)
	}
}

// A key that was moved to in part only is still the one that is needed.
func TestKeyOfAnUnfinishedRotationIsNotRetired(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		old := must[[]admin.MasterKey](t)(d.MasterKeys(t.Context()))[0].ID
		if _, err := d.ring(false).Rotate(); err != nil { // and nothing was moved
			t.Fatal(err)
		}
		if err := d.Retire(t.Context(), old); err == nil || !strings.Contains(err.Error(), "khatm vault rewrap") {
			t.Errorf("got %v", err)
		}
		must[admin.Rewrapped](t)(d.Rewrap(t.Context(), func(int) {}))
		if err := d.Retire(t.Context(), old); err != nil {
			t.Error(err)
		}
	})
}

// A lost master key is not made anew, and another's is not taken.
func TestLostMasterKeyIsNotReplaced(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		o := d.organisation("Khatm Trading") // nothing of it is sealed
		machine := must[admin.Device](t)(d.CreateDevice(t.Context(), o.ID.String(), newTill()))
		file := filepath.Join(d.config.Data, "master.key")
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		seals := func() error {
			_, err := d.Onboard(t.Context(), machine.ID.String(), admin.Certification{URL: "http://127.0.0.1:1", OTP: "123456", Saw: func(string) {}})
			return err
		}
		if err := seals(); err == nil || !strings.Contains(err.Error(), "restore it from its copy") {
			t.Errorf("without the key: %v", err)
		}
		if _, err := os.Stat(file); err == nil {
			t.Fatal("another key was made")
		}
		d.ring(true) // another installation's
		for name, deed := range map[string]func() error{
			"seal":   seals,
			"look":   func() error { _, err := d.MasterKeys(t.Context()); return err },
			"rotate": func() error { _, err := d.Rotate(t.Context(), true, func(int) {}); return err },
		} {
			if err := deed(); err == nil || !strings.Contains(err.Error(), "this database is sealed with master key") {
				t.Errorf("%s with another key: %v", name, err)
			}
		}
	})
}
