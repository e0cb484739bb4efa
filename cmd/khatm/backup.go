package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode"

	"khatm/audit"
	"khatm/service/admin"
)

// backup writes the installation into one file.
type backup struct {
	settings
	File string `arg:"" help:"File to write. It must not exist."`
}

// Run makes the backup.
func (c backup) Run(t *console) error {
	return c.withConfig(func(ctx context.Context, config admin.Config) error {
		show, end := t.bytesDone()
		m, err := admin.Backup(ctx, config, c.File, version, show)
		end()
		if err != nil {
			return err
		}
		fmt.Fprintf(t.out, "%s: %d documents of %d organisations and %d files as of %s; written and verified\n",
			c.File, m.Counts.Documents, m.Counts.Organisations, m.Counts.Files, day(m.CreatedAt.Local()))
		if strings.HasPrefix(c.Blob, "s3:") {
			fmt.Fprintln(t.out, "Pictures and other uploaded files are in S3 and not in the backup.")
		}
		if m.MasterKey != "" {
			fmt.Fprintf(t.out, "The master key %s is not in the backup, and without it no invoice can be issued after a restore. It is in %s: keep a copy of it, apart from the backup.\n",
				m.MasterKey, config.KeyPlace())
		}
		return nil
	})
}

// bytesDone returns a function that shows progress in MiB on a terminal, and a
// function that clears it.
func (c *console) bytesDone() (show admin.BackupProgress, end func()) {
	line := &progressLine{}
	if isTerminal(c.err) {
		line.out = c.err
	}
	last := ""
	return func(step string, done, total int64) {
		if line.out == nil {
			return
		}
		text := fmt.Sprintf("%s: %d MiB", step, done>>20)
		if total > 0 {
			text = fmt.Sprintf("%s: %d of %d MiB, %d %%", step, min(done, total)>>20, total>>20, min(100, done*100/total))
		}
		if text == last {
			return
		}
		last = text
		fmt.Fprintf(line.out, "\r\x1b[K%s ", text)
		line.shown = true
	}, line.clear
}

// restore restores a backup into an empty data folder or database.
type restore struct {
	settings
	marksSetting
	File string `arg:"" help:"Backup file to restore."`
}

// Run restores the backup and audits the result.
func (c restore) Run(t *console) error {
	return c.withConfig(func(ctx context.Context, config admin.Config) error {
		config.Marks, _ = c.folder()
		show, end := t.bytesDone()
		bar := audit.NewBar(io.Discard)
		if isTerminal(t.err) {
			bar = audit.NewBar(t.err)
		}
		proof := admin.Proof{Progress: func(done, total int64) {
			end()
			bar.Show(done, total)
		}}
		r, err := admin.Restore(ctx, config, c.File, show, proof)
		end()
		bar.End()
		if err != nil {
			return err
		}
		return c.explain(t, config, r)
	})
}

// explain prints what was restored and what to do next.
func (c restore) explain(t *console, config admin.Config, r admin.Restored) error {
	where, m := full(c.Data), r.Manifest
	if c.Database != "" {
		where = "the database, and " + where
	}
	fmt.Fprintf(t.out, "restored into %s: %d documents of %d organisations and %d files as of %s, installation %s\n",
		where, m.Counts.Documents, m.Counts.Organisations, m.Counts.Files, day(m.CreatedAt.Local()), m.Installation)
	if r.Upgrade.From != r.Upgrade.To {
		fmt.Fprintf(t.out, "database upgraded from version %d to %d\n", r.Upgrade.From, r.Upgrade.To)
	}
	t.sayVerified(r.Checked)
	if err := r.Report.Print(t.out); err != nil {
		return err
	}
	for _, note := range r.Notes {
		fmt.Fprintln(t.out, note)
	}
	if r.KeyError != nil {
		fmt.Fprintf(t.out, "The master key is missing: %v\nA backup does not contain it. Put your copy of master key %s into %s (mode 0600) before you start the server, then run khatm audit: without the key the end of the audit trail was not checked.\n",
			r.KeyError, m.MasterKey, config.KeyPlace())
	} else if m.MasterKey != "" {
		fmt.Fprintf(t.out, "The master key is in %s: keep a copy of it, apart from the backups.\n", config.KeyPlace())
	}
	if !r.Report.Sound() {
		fmt.Fprintln(t.out, "The audit found problems: find out why before you start the server.")
		return someFailed
	}
	next := "khatm serve --data " + quoted(c.Data)
	if r.Archive != "" {
		next += " --archive " + quoted(r.Archive)
	}
	if r.Wait {
		next += " --archive-wait"
	}
	if strings.HasPrefix(r.Blob, "s3:") {
		fmt.Fprintln(t.out, "If the original server still runs, use a copy of the bucket in --blob: this server would remove files of the original.")
	}
	if r.Blob != "" {
		next += " --blob " + quoted(r.Blob)
	}
	if m.Environment != "" {
		next += " --authority " + m.Environment
	}
	fmt.Fprintln(t.out, "Next: "+next)
	if c.Database != "" {
		fmt.Fprintln(t.out, "Set KHATM_DATABASE to the same address before you run it.")
	}
	return nil
}

// quoted returns an argument quoted for a shell, if it needs quotes.
func quoted(argument string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/._-", r)
	}
	if argument != "" && strings.TrimFunc(argument, plain) == "" {
		return argument
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}

// full returns the absolute path, or the path itself if that fails.
func full(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}
