package main

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/signal"
	"os/user"
	"strconv"
	"syscall"
	"time"

	"khatm/service"
	"khatm/service/admin"
)

// settings holds the flags of every command on an installation.
type settings struct {
	Data          string `default:"./khatm-data" env:"KHATM_DATA" placeholder:"DIR" help:"Data folder (default ${default})."`
	Database      string `env:"KHATM_DATABASE" placeholder:"URL" help:"PostgreSQL database, as postgres://user:password@host/name (default: an SQLite database in the data folder). Set a password in KHATM_DATABASE or ~/.pgpass, because every user of the machine can read flags."`
	Blob          string `env:"KHATM_BLOB" placeholder:"LOCATION" help:"Where pictures and other uploaded files are: postgres for the PostgreSQL database, or an S3 bucket: s3://BUCKET/PREFIX?endpoint=URL&region=REGION (default: the data folder). Use the same value for all servers and commands. See docs/operating.md."`
	MasterKeyFile string `env:"KHATM_MASTER_KEY_FILE" placeholder:"FILE" help:"File with the master keys (default: master.key in the data folder). KHATM_MASTER_KEY can hold the keys themselves; there is no flag for them, because every user of the machine can read flags."`
}

// masterKeyVariable is the environment variable for the master keys themselves.
const masterKeyVariable = "KHATM_MASTER_KEY"

// masterKey reads the master keys from the environment.
func (s settings) masterKey() (service.Secret, error) {
	text := os.Getenv(masterKeyVariable)
	if text != "" && s.MasterKeyFile != "" {
		return service.Secret{}, errors.New("both --master-key-file and " + masterKeyVariable + " are set: use only one")
	}
	return service.NewSecret(text), nil
}

// config returns the settings as the configuration of [admin.Open].
func (s settings) config() (admin.Config, error) {
	key, err := s.masterKey()
	return admin.Config{
		Data: s.Data, Database: s.Database, Blob: s.Blob, MasterKeyFile: s.MasterKeyFile, MasterKey: key,
		Operator: operator(), Now: time.Now, NewID: service.NewIDs(time.Now, rand.Reader), Random: rand.Reader,
	}, err
}

// with opens the installation and calls do. A signal cancels the context.
func (s settings) with(do func(context.Context, *admin.Admin) error) error {
	return s.withConfig(func(ctx context.Context, config admin.Config) error {
		return open(ctx, config, do)
	})
}

// withNew is like with, but creates the installation if it does not exist.
func (s settings) withNew(do func(context.Context, *admin.Admin) error) error {
	return s.withConfig(func(ctx context.Context, config admin.Config) error {
		config.Create = true
		return open(ctx, config, do)
	})
}

// withConfig calls do with the settings of the installation, which it does not
// open. A signal cancels the context.
func (s settings) withConfig(do func(context.Context, admin.Config) error) error {
	config, err := s.config()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return do(ctx, config)
}

func open(ctx context.Context, config admin.Config, do func(context.Context, *admin.Admin) error) error {
	a, err := admin.Open(ctx, config)
	if err != nil {
		return err
	}
	defer a.Close()
	return do(ctx, a)
}

// operator returns the name of the user, for the audit trail.
func operator() string {
	if me, err := user.Current(); err == nil && me.Username != "" {
		return me.Username
	}
	return "uid " + strconv.Itoa(os.Getuid())
}

// listing holds the flags of commands that print a list or a record.
type listing struct {
	settings
	JSON bool `help:"Print JSON, one object per line."`
}

// printList prints the rows that list returns as a table, or as JSON.
func printList[T any](t *console, c listing, list func(*admin.Admin, context.Context) ([]T, error), header string, cells func(T) []any) error {
	return c.with(func(ctx context.Context, a *admin.Admin) error {
		rows, err := list(a, ctx)
		if err != nil {
			return err
		}
		return printTable(t.out, c.JSON, rows, header, cells)
	})
}

// orgListing holds the flags of commands that list data of an organisation.
type orgListing struct {
	listing
	ofOrganisation
}

// printOrgList is like printList for data of an organisation.
func printOrgList[T any](t *console, c orgListing, list func(*admin.Admin, context.Context, string) ([]T, error), header string, cells func(T) []any) error {
	inOrg := func(a *admin.Admin, ctx context.Context) ([]T, error) { return list(a, ctx, c.Org) }
	return printList(t, c.listing, inOrg, header, cells)
}

// ofOrganisation holds the flag of commands on data of an organisation.
type ofOrganisation struct {
	Org string `required:"" placeholder:"ID" help:"Organisation ID; see khatm org list."`
}
