// Package admin implements the operator commands of Khatm: it manages
// organisations, users, devices, API keys, plans and master keys, and backs up,
// restores, audits, exports and recovers an installation. It can be used while a server is
// running. It reads no flags and prints nothing.
package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/account"
	"khatm/service/internal/database"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/vault"
)

// Config describes an installation and the operator who works on it.
type Config struct {
	Data          string       // data folder
	Database      string       // URL of a PostgreSQL database; empty for SQLite in Data
	MasterKeyFile string       // empty for master.key in Data
	MasterKey     vault.Secret // the master keys themselves, instead of MasterKeyFile
	Blob          string       // location of uploaded files; empty for Data
	Marks         string       // folder of the marks, for Restore; empty for none
	Operator      string       // name of the operator in the audit trail
	Create        bool         // create the SQLite database if it does not exist

	Now    func() time.Time
	NewID  func() uuid.UUID // returns time-ordered UUIDs
	Random io.Reader
}

// Admin is an open installation.
type Admin struct {
	config   Config
	store    *store.Store
	accounts *account.Accounts
}

// Open opens an installation. The caller must close the returned Admin.
func Open(ctx context.Context, c Config) (*Admin, error) {
	if !c.Create {
		if err := c.installed(); err != nil {
			return nil, err
		}
	}
	kept, err := store.Command(ctx, c.store())
	if err != nil {
		return nil, err
	}
	accounts := account.New(account.Config{Keeper: kept, Now: c.Now, NewID: c.NewID, Random: c.Random})
	return &Admin{config: c, store: kept, accounts: accounts}, nil
}

// Close closes the database.
func (a *Admin) Close() { a.store.Close() }

// Upgrade is the result of Migrate.
type Upgrade = database.Upgraded

// Precaution configures the copy of an SQLite database that is made before its
// tables change.
type Precaution = database.Precaution

// Migrate upgrades the tables of the database to the version of this program. It
// copies an SQLite database first.
func Migrate(ctx context.Context, c Config, p Precaution) (Upgrade, error) {
	return store.Upgrade(ctx, c.store(), p)
}

func (c Config) store() store.Config {
	return store.Config{Dir: c.Data, URL: c.Database, Now: c.Now, NewID: c.NewID, Log: slog.New(slog.DiscardHandler)}
}

// embedded is the file of the SQLite database in the data folder. This package
// only checks that it exists; store opens it.
const embedded = "khatm.db"

// installed returns an error if the data folder has no SQLite database. If
// commands created one, a wrong --data would show an empty list instead of an
// error.
func (c Config) installed() error {
	if c.Database != "" {
		return nil
	}
	_, err := os.Stat(filepath.Join(c.Data, embedded))
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("there is no database in %s: choose another folder with --data or KHATM_DATA, or create an installation with khatm org create or khatm serve", full(c.Data))
}

// full returns the absolute path, or the path itself if that fails.
func full(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// by returns the operator as the actor on an organisation. The zero Tenant means
// no organisation.
func (a *Admin) by(t org.Tenant) org.Actor { return org.Operator(t, a.config.Operator) }

// Problem is a problem with the operator's input.
type Problem struct {
	Field   string // JSON name; empty for the whole input
	Message string
}

// Problems returns the problems of the operator's input that err reports, or nil
// if err is not about the input.
func Problems(err error) []Problem {
	var refusal *fault.Error
	if !errors.As(err, &refusal) {
		return nil
	}
	var list []Problem
	for _, p := range refusal.Problems {
		list = append(list, Problem{p.Path, p.Message})
	}
	return list
}
