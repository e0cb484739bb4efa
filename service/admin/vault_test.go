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

// seal stores encrypted secrets as a server does.
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

// opens fails the test if a secret cannot be decrypted.
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
			d.t.Fatalf("secret of %s = %q, %v, want %q", owner, plain, err, owner)
		}
	}
}

func TestRotation(t *testing.T) {
	each(t, func(t *testing.T, d *installation) {
		o := d.organisation("Khatm Trading")
		d.seal(o)
		old := must[[]admin.MasterKey](t)(d.MasterKeys(t.Context()))
		if len(old) != 1 || !old[0].Active || old[0].Seals != secrets {
			t.Fatalf("master keys before the rotation = %+v, want an active one with %d secrets", old, secrets)
		}

		// An interrupted rotation loses nothing and can be continued.
		ctx, stop := context.WithCancel(t.Context())
		_, err := d.Rotate(ctx, true, func(seen int) {
			if seen == 250 {
				stop()
			}
		})
		if err == nil || !strings.Contains(err.Error(), "khatm vault rewrap continues") || !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted Rotate: error %v, want context.Canceled with advice", err)
		}
		d.opens(o)
		half := must[[]admin.MasterKey](t)(d.MasterKeys(t.Context()))
		if len(half) != 2 || half[0].Seals == 0 || half[1].Seals == 0 || half[0].Seals+half[1].Seals != secrets {
			t.Fatalf("master keys after the interruption = %+v, want two with %d secrets in all", half, secrets)
		}
		if err := d.Retire(t.Context(), old[0].ID); err == nil || !strings.Contains(err.Error(), "still need master key") {
			t.Errorf("Retire of a key that secrets need: error %v, want %q", err, "still need master key")
		}
		moved := must[admin.Rewrapped](t)(d.Rewrap(t.Context(), func(int) {}))
		if want := (admin.Rewrapped{Key: half[0].ID, Seen: secrets, Done: half[1].Seals}); moved != want {
			t.Errorf("Rewrap = %+v, want %+v", moved, want)
		}
		if err := d.Retire(t.Context(), half[0].ID); err == nil || !strings.Contains(err.Error(), "active") {
			t.Errorf("Retire of the active key: error %v, want %q", err, "active")
		}
		if err := d.Retire(t.Context(), old[0].ID); err != nil {
			t.Fatal(err)
		}
		d.opens(o)
		d.wantTrail("vault.rotate "+half[0].ID, "vault.rewrap "+half[0].ID, "vault.retire "+old[0].ID)
		after := must[[]admin.MasterKey](t)(d.MasterKeys(t.Context()))
		if len(after) != 1 || after[0].ID == old[0].ID || after[0].Seals != secrets {
			t.Errorf("master keys after the rotation = %+v, want a new one with %d secrets", after, secrets)
		}
	})
}

// Rotate of a PostgreSQL database, which other machines may use, needs alone.
func TestRotationOfSharedDatabase(t *testing.T) {
	each(t, func(t *testing.T, d *installation) {
		_, err := d.Rotate(t.Context(), false, func(int) {})
		if failed := err != nil; failed != (d.config.Database != "") {
			t.Errorf("Rotate without alone: error %v, want one only with PostgreSQL", err)
		}
	})
}

// wantTrail checks the entries about master keys in the audit trail.
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
		d.t.Errorf("entries about master keys in the trail = %q (%v), want %q", got, err, want)
	}
}

// The old key cannot be retired before the secrets were moved to the new one.
func TestRetireDuringUnfinishedRotation(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		old := must[[]admin.MasterKey](t)(d.MasterKeys(t.Context()))[0].ID
		if _, err := d.ring(false).Rotate(); err != nil { // without moving secrets
			t.Fatal(err)
		}
		if err := d.Retire(t.Context(), old); err == nil || !strings.Contains(err.Error(), "khatm vault rewrap") {
			t.Errorf("Retire before Rewrap: error %v, want one about khatm vault rewrap", err)
		}
		must[admin.Rewrapped](t)(d.Rewrap(t.Context(), func(int) {}))
		if err := d.Retire(t.Context(), old); err != nil {
			t.Errorf("Retire after Rewrap: error %v, want nil", err)
		}
	})
}

// A lost master key is not created again, and the key of another installation is
// not accepted.
func TestLostMasterKeyIsNotReplaced(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *installation) {
		o := d.organisation("Khatm Trading") // without secrets
		machine := must[admin.Device](t)(d.CreateDevice(t.Context(), o.ID.String(), newTill()))
		file := filepath.Join(d.config.Data, "master.key")
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		seals := func() error {
			_, err := d.Onboard(t.Context(), machine.ID.String(), admin.Certification{URL: "http://127.0.0.1:1/e-invoicing/developer-portal", OTP: "123456", Saw: func(string) {}})
			return err
		}
		if err := seals(); err == nil || !strings.Contains(err.Error(), "restore it from its copy") {
			t.Errorf("Onboard without the key file: error %v, want advice to restore it", err)
		}
		if _, err := os.Stat(file); err == nil {
			t.Fatal("Onboard created another key file, want none")
		}
		d.ring(true) // the key of another installation
		for name, do := range map[string]func() error{
			"onboard": seals,
			"list":    func() error { _, err := d.MasterKeys(t.Context()); return err },
			"rotate":  func() error { _, err := d.Rotate(t.Context(), true, func(int) {}); return err },
		} {
			if err := do(); err == nil || !strings.Contains(err.Error(), "this database is sealed with master key") {
				t.Errorf("%s with another key: error %v, want %q", name, err, "this database is sealed with master key")
			}
		}
	})
}
