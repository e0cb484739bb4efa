package main

import (
	"context"
	"crypto/rand"
	"time"

	"khatm/service/admin"
)

// vaultCommands are the commands on the master keys.
type vaultCommands struct {
	Create vaultCreate `cmd:"" help:"Create a key file with a new master key, such as for a credential of systemd. Without it, the server creates master.key in the data folder."`
	Keys   vaultKeys   `cmd:"" help:"List the master keys, and how many secrets depend on each."`
	Rotate vaultRotate `cmd:"" help:"Create a new master key and move every secret to it."`
	Rewrap vaultRewrap `cmd:"" help:"Move every secret to the active master key, such as after an interrupted rotation."`
	Retire vaultRetire `cmd:"" help:"Remove an old master key that no secret needs."`
}

type vaultCreate struct {
	File string `arg:"" help:"File to write. It must not exist."`
}

func (c vaultCreate) Run(t *console) error {
	id, err := admin.CreateMasterKey(c.File, time.Now, rand.Reader)
	if err != nil {
		return err
	}
	t.say("%s contains master key %s; keep a copy of the file apart from the database and its backups", c.File, id)
	return nil
}

type vaultKeys struct{ listing }

func (c vaultKeys) Run(t *console) error {
	return printList(t, c.listing, (*admin.Admin).MasterKeys, "id, made, state, secrets", func(k admin.MasterKey) []any {
		state := "old"
		if k.Active {
			state = "active"
		}
		return []any{k.ID, k.Created, state, k.Seals}
	})
}

type vaultRotate struct {
	listing
	Alone bool `help:"Confirm that no other machine uses this PostgreSQL database."`
}

func (c vaultRotate) Run(t *console) error {
	return c.move(t, func(ctx context.Context, a *admin.Admin, progress func(int)) (admin.Rewrapped, error) {
		return a.Rotate(ctx, c.Alone, progress)
	})
}

type vaultRewrap struct{ listing }

func (c vaultRewrap) Run(t *console) error {
	return c.move(t, func(ctx context.Context, a *admin.Admin, progress func(int)) (admin.Rewrapped, error) {
		return a.Rewrap(ctx, progress)
	})
}

func (l listing) move(t *console, do func(context.Context, *admin.Admin, func(int)) (admin.Rewrapped, error)) error {
	return l.with(func(ctx context.Context, a *admin.Admin) error {
		show, end := t.progress("secrets checked")
		moved, err := do(ctx, a, func(seen int) { show(int64(seen)) })
		end()
		if err != nil {
			return err
		}
		t.say("master key %s is active; %d of %d secrets were moved to it", moved.Key, moved.Done, moved.Seen)
		t.say("keep a copy of the key file, apart from the database; khatm vault keys shows which old keys are no longer needed")
		if l.JSON {
			return printJSON(t.out, moved)
		}
		return nil
	})
}

type vaultRetire struct {
	settings
	ID string `arg:"" help:"Master key ID; see khatm vault keys."`
}

func (c vaultRetire) Run(t *console) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		err := a.Retire(ctx, c.ID)
		if err == nil {
			t.say("master key %s is retired; keep a copy of it, because the secrets in earlier backups need it", c.ID)
		}
		return err
	})
}
