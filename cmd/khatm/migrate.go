package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"khatm/service/admin"
)

// migrate brings the tables to this version of the program.
type migrate struct{ settings }

func (c migrate) Run(t *console) error {
	config, err := c.config()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	from, to, err := admin.Migrate(ctx, config)
	switch {
	case err != nil:
		return err
	case from == to:
		t.say("the tables are of version %d already", to)
	default:
		t.say("the tables went from version %d to %d", from, to)
	}
	return digestDocuments(ctx, t, config)
}

// digestDocuments verifies the documents from before documents had digests.
func digestDocuments(ctx context.Context, t *console, config admin.Config) error {
	show, end := t.bar()
	found, err := admin.DigestDocuments(ctx, config, func(done, total int) { show(int64(done), int64(total)) })
	end()
	if err != nil {
		return fmt.Errorf("verify the stored documents: %w", err)
	}
	if found.Documents > 0 {
		t.say("%d stored documents were verified, %d of them are damaged", found.Documents, len(found.Damaged))
	}
	if len(found.Damaged) == 0 {
		return nil
	}
	for _, d := range found.Damaged {
		fmt.Fprintln(t.out, d)
	}
	t.say("the server neither shows nor sends the damaged documents; restore them from a backup, then run khatm migrate again")
	return someFailed
}
