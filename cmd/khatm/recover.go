package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"

	"khatm/service/admin"
)

// marksSetting is the flag for the folder in which servers record what they have
// issued.
type marksSetting struct {
	Marks string `env:"KHATM_MARKS" placeholder:"DIR" help:"Folder outside the data folder in which the server records what it has issued, to detect a restored database (default: khatm/marks in the user's state directory)."`
}

// folder returns the folder of the marks and whether it is the default. The
// folder is empty if the user has no home directory.
func (m marksSetting) folder() (dir string, byDefault bool) {
	if m.Marks != "" {
		return m.Marks, false
	}
	state := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", true
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "khatm", "marks"), true
}

// recoverChains resumes issuing after a restored database was detected.
type recoverChains struct {
	settings
	Marks           []string `env:"KHATM_MARKS" placeholder:"DIR" help:"Marks folder of a server (see khatm serve --marks); with several servers, repeat it with a copy of each server's folder (default: khatm/marks in the user's state directory)."`
	Last            []string `placeholder:"FILE" sep:"none" help:"PDF or XML of the last document of a device; repeat for each device. Use DEVICE=FILE for a cleared document, whose stamp is the authority's and not the device's."`
	Number          []string `placeholder:"NUMBER" help:"Last issued number of a document type, such as INV-2026-000123; use ORGANISATION=NUMBER if there are several organisations."`
	Unchanged       []string `placeholder:"DEVICE" help:"Device that issued nothing after the backup; can be repeated."`
	Abandon         []string `placeholder:"DEVICE" help:"Device whose last document cannot be found: retire it, end its chain and create a new device; the organisation gets new number prefixes."`
	ConfirmComplete bool     `help:"Confirm that nothing is missing, as after a planned move of the database."`
	OTP             string   `name:"otp" env:"KHATM_OTP" placeholder:"CODE" help:"With --abandon: one-time password from the authority's portal for the new device."`
	AuthorityURL    string   `name:"authority-url" env:"KHATM_AUTHORITY_URL" placeholder:"URL" help:"With --abandon: URL of the authority (default: its published address, or the simulator of a running server)."`
	Archive         string   `env:"KHATM_ARCHIVE" placeholder:"LOCATION" help:"Enter the missing documents from the archive (see khatm serve --archive). Stop all servers first."`
	TakeOver        bool     `help:"With --archive: do so even if another server was active in the last five minutes. It cannot issue any more."`
	JSON            bool     `help:"Print JSON."`
}

func (c recoverChains) Run(t *console) error {
	if len(c.Marks) == 0 {
		if dir, _ := (marksSetting{}).folder(); dir != "" {
			c.Marks = []string{dir}
		}
	}
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		if c.Archive != "" {
			return c.enter(ctx, t, a)
		}
		if len(c.Last)+len(c.Number)+len(c.Unchanged)+len(c.Abandon) == 0 && !c.ConfirmComplete {
			return c.show(ctx, t, a)
		}
		return c.recover(ctx, t, a)
	})
}

// show prints what is missing and what to do.
func (c recoverChains) show(ctx context.Context, t *console, a *admin.Admin) error {
	seen, err := a.ShowContinuity(ctx, c.Marks)
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(t.out, seen)
	}
	switch {
	case seen.Stopped:
		fmt.Fprintf(t.out, "Issuing has been stopped since %s: %s\n", seen.Since.Format("2006-01-02 15:04:05"), seen.Reason)
	case seen.Problem != "":
		fmt.Fprintf(t.out, "The server will stop issuing when it starts: %s\n", seen.Problem)
	default:
		fmt.Fprintln(t.out, "Issuing is not stopped, and no document is known to be missing.")
		return nil
	}
	if !seen.Marks {
		fmt.Fprintf(t.out, "No marks of this installation were found in %s.\n", strings.Join(c.Marks, ", "))
	}
	for _, missing := range seen.Missing {
		fmt.Fprintf(t.out, "  %s\n", missing)
	}
	if seen.Trail != "" {
		fmt.Fprintf(t.out, "  %s\n", seen.Trail)
	}
	fmt.Fprintln(t.out)
	err = printTable(t.out, false, seen.Devices, "device, name, organisation, in the database, in the marks", func(d admin.DeviceChain) []any {
		marks := "unknown"
		if d.Marks > 0 {
			marks = fmt.Sprint(d.Marks)
		}
		return []any{d.Device, d.Name, d.OrganisationName, d.Database, marks}
	})
	if err != nil {
		return err
	}
	fmt.Fprint(t.out, `
If there is a newer backup, restore that instead. Otherwise find the last document
of each device (the customer, the ERP or the till has the PDF or XML) and run
  khatm recover --last FILE --last FILE …
  khatm recover --unchanged DEVICE …     for devices that issued nothing after the backup
  khatm recover --abandon DEVICE …       for devices whose last document cannot be found
  khatm recover --confirm-complete       if nothing is missing, as after a planned move
`)
	return nil
}

func (c recoverChains) recover(ctx context.Context, t *console, a *admin.Admin) error {
	r := admin.Recovery{Marks: c.Marks, Complete: c.ConfirmComplete, Numbers: c.Number, Unchanged: c.Unchanged, Retired: c.Abandon}
	if c.ConfirmComplete && len(c.Last)+len(c.Number)+len(c.Unchanged)+len(c.Abandon) > 0 {
		return errors.New("--confirm-complete cannot be combined with --last, --number, --unchanged or --abandon")
	}
	for _, text := range c.Last {
		one, err := lastDocument(text)
		if err != nil {
			return err
		}
		r.Last = append(r.Last, one)
	}
	done, err := a.Recover(ctx, r)
	if err != nil {
		return err
	}
	if c.JSON {
		err = printJSON(t.out, done)
	}
	t.say("issuing can resume; a running server resumes within a second")
	for _, list := range [][]string{done.Gaps, done.Numbers} {
		for _, text := range list {
			t.say("  recorded as missing: %s", text)
		}
	}
	for _, text := range done.Prefixes {
		t.say("  %s", text)
	}
	for _, id := range c.Abandon {
		err = errors.Join(err, c.replace(ctx, t, a, id))
	}
	return err
}

// enter enters the missing documents from the archive.
func (c recoverChains) enter(ctx context.Context, t *console, a *admin.Admin) error {
	if len(c.Last)+len(c.Number)+len(c.Unchanged)+len(c.Abandon) > 0 || c.ConfirmComplete {
		return errors.New("--archive cannot be combined with --last, --number, --unchanged, --abandon or --confirm-complete")
	}
	done, err := a.RecoverFromArchive(ctx, admin.ArchiveRecovery{Location: c.Archive, TakeOver: c.TakeOver, Marks: c.Marks, Log: warnings(t.err)})
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(t.out, done)
	}
	t.say("entered %d documents and %d other changes in %.1f s; start the server with the same archive", done.Documents, done.Rows, done.Seconds)
	if done.Stopped != "" {
		t.say("issuing is still stopped: %s", done.Stopped)
		t.say("the archive does not prove that it has every document, because not all have waited for it: see khatm recover")
	}
	if done.ReplacedBy != "" {
		t.say("%s has replaced this archive and has later documents: recover from it as well", done.ReplacedBy)
	}
	return nil
}

// lastDocument reads the document that the argument FILE or DEVICE=FILE names.
func lastDocument(text string) (admin.LastDocument, error) {
	one := admin.LastDocument{Name: text}
	if device, path, named := strings.Cut(text, "="); named {
		if _, err := uuid.Parse(device); err == nil {
			one.Device, one.Name = device, path
		}
	}
	var err error
	if one.Data, err = os.ReadFile(one.Name); errors.Is(err, fs.ErrNotExist) {
		return one, fmt.Errorf("--last %s: no such file", one.Name)
	}
	return one, err
}

// replace creates a device in place of a retired one and onboards it.
func (c recoverChains) replace(ctx context.Context, t *console, a *admin.Admin, retired string) error {
	made, err := a.ReplaceDevice(ctx, retired, version)
	if err != nil {
		return fmt.Errorf("create a device in place of %s: %w", retired, err)
	}
	next := certification{settings: c.settings, ID: made.ID.String(), OTP: c.OTP, AuthorityURL: c.AuthorityURL}
	url, otp, err := next.findAuthority(ctx, t, a, c.OTP)
	if err == nil {
		_, err = a.Onboard(ctx, next.ID, admin.Certification{URL: url, OTP: otp, Saw: func(string) {}})
	}
	if err != nil {
		t.say("the new device has no certificate yet: %v", err)
		t.say("  to get one: khatm device onboard %s --otp CODE", made.ID)
	}
	fmt.Fprintf(t.out, "%s replaces %s\n", made.ID, retired)
	return nil
}
