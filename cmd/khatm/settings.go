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

// settings are those that every command on an installation has.
type settings struct {
	Data          string `default:"./khatm-data" env:"KHATM_DATA" placeholder:"DIR" help:"Folder of everything that is kept (${default})."`
	Database      string `env:"KHATM_DATABASE" placeholder:"URL" help:"A PostgreSQL as postgres://user:password@host/name instead of the embedded database. Give a password by KHATM_DATABASE or ~/.pgpass: every user of the machine can read flags."`
	MasterKeyFile string `env:"KHATM_MASTER_KEY_FILE" placeholder:"FILE" help:"The master keys, if not in the data folder. The keys themselves can be given in the environment variable KHATM_MASTER_KEY, which is no flag because every user of the machine can read those."`
}

// masterKeyVariable holds the master keys themselves.
const masterKeyVariable = "KHATM_MASTER_KEY"

// masterKey reads the keys from the environment.
func (s settings) masterKey() (service.Secret, error) {
	text := os.Getenv(masterKeyVariable)
	if text != "" && s.MasterKeyFile != "" {
		return service.Secret{}, errors.New("both --master-key-file and " + masterKeyVariable + " are given: leave one out")
	}
	return service.NewSecret(text), nil
}

// config is how the rooms of the service want the settings.
func (s settings) config() (admin.Config, error) {
	key, err := s.masterKey()
	return admin.Config{
		Data: s.Data, Database: s.Database, MasterKeyFile: s.MasterKeyFile, MasterKey: key,
		Operator: operator(), Now: time.Now, NewID: service.NewIDs(time.Now, rand.Reader), Random: rand.Reader,
	}, err
}

// with opens the installation for one deed. A signal ends the deed.
func (s settings) with(do func(context.Context, *admin.Admin) error) error {
	config, err := s.config()
	if err != nil {
		return err
	}
	return open(config, do)
}

// withNew is with, and makes the installation if it is not there.
func (s settings) withNew(do func(context.Context, *admin.Admin) error) error {
	config, err := s.config()
	if err != nil {
		return err
	}
	config.Create = true
	return open(config, do)
}

func open(config admin.Config, do func(context.Context, *admin.Admin) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a, err := admin.Open(ctx, config)
	if err != nil {
		return err
	}
	defer a.Close()
	return do(ctx, a)
}

// operator is who the audit trail will name.
func operator() string {
	if me, err := user.Current(); err == nil && me.Username != "" {
		return me.Username
	}
	return "uid " + strconv.Itoa(os.Getuid())
}

// listing is a command that shows something.
type listing struct {
	settings
	JSON bool `help:"Print JSON: one object a line."`
}

// ofOrganisation is a command on what belongs to an organisation.
type ofOrganisation struct {
	Org string `required:"" placeholder:"ID" help:"The organisation; khatm org list shows them."`
}
