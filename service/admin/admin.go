// Package admin is what the operator's commands call: one method a deed, on
// organisations, people, keys, plans, master keys and the audit trail. It works
// beside a running server. It knows no flag and prints nothing.
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

// Config says which installation, who commands, and brings clock and dice.
type Config struct {
	Data          string // folder of everything that is kept
	Database      string // address of a PostgreSQL; empty: embedded, in Data
	MasterKeyFile string // empty: in Data
	MasterKey     vault.Secret
	Marks         string // folder of the marks, for Restore; empty: there are none
	Operator      string // who is written into the audit trail
	Create        bool   // make an embedded database where there is none

	Now    func() time.Time
	NewID  func() uuid.UUID // time-ordered, as the server makes them
	Random io.Reader
}

// Admin is an installation, open for an operator.
type Admin struct {
	config   Config
	store    *store.Store
	accounts *account.Accounts
}

// Open opens an installation. Whatever it returns must be closed.
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

// Close closes it.
func (a *Admin) Close() { a.store.Close() }

// Upgrade is what Migrate did.
type Upgrade = database.Upgraded

// Precaution says how an SQLite database is copied before its tables change.
type Precaution = database.Precaution

// Migrate brings the tables to the version of this program. An SQLite database
// is copied first.
func Migrate(ctx context.Context, c Config, p Precaution) (Upgrade, error) {
	return store.Upgrade(ctx, c.store(), p)
}

func (c Config) store() store.Config {
	return store.Config{Dir: c.Data, URL: c.Database, Now: c.Now, NewID: c.NewID, Log: slog.New(slog.DiscardHandler)}
}

// embedded is the database in the data folder, which is looked for and never
// opened here.
const embedded = "khatm.db"

// installed refuses a folder without a database. A command that made one there
// would answer a wrong --data with an empty list.
func (c Config) installed() error {
	if c.Database != "" {
		return nil
	}
	_, err := os.Stat(filepath.Join(c.Data, embedded))
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("there is no database in %s: name another folder with --data or KHATM_DATA; khatm org create and khatm serve make a new one", full(c.Data))
}

// full is a path as it stands from everywhere.
func full(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// by is the actor of a deed on an organisation, or on none.
func (a *Admin) by(t org.Tenant) org.Actor { return org.Operator(t, a.config.Operator) }

// Problem is one thing that is wrong with what the operator gave.
type Problem struct {
	Field   string // by its name in JSON; empty: all of it
	Message string
}

// Problems are what is wrong with the input, if that is why a deed was refused.
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
