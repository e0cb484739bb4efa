package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// Export makes the snapshot available to pg_dump and returns its name. The name
// is valid while the snapshot is open.
func (p *Snapshot) Export(ctx context.Context) (name string, err error) {
	if err := p.sql.QueryRowContext(ctx, `SELECT pg_export_snapshot()`).Scan(&name); err != nil {
		return "", fmt.Errorf("export the snapshot: %w", err)
	}
	return name, nil
}

// PostgresVersion returns the major version of the server.
func (db *DB) PostgresVersion(ctx context.Context) (int, error) {
	return postgresVersion(ctx, db.readers)
}

func postgresVersion(ctx context.Context, db *sql.DB) (int, error) {
	var number int
	if err := db.QueryRowContext(ctx, `SELECT CAST(current_setting('server_version_num') AS integer)`).Scan(&number); err != nil {
		return 0, fmt.Errorf("read the version of PostgreSQL: %w", err)
	}
	return number / 10000, nil
}

// EmptyPostgres returns an error if the database contains anything but
// extensions. Otherwise it returns the major version of the server.
func EmptyPostgres(ctx context.Context, address string) (version int, err error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return 0, errPostgresAddress
	}
	var server serverWatch
	db := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(server.connected), stdlib.OptionResetSession(server.reused))
	defer func() { err = errors.Join(err, db.Close()) }()
	if err = server.requireSession(ctx, db); err == nil {
		err = checkPostgres(ctx, db)
	}
	if err != nil {
		return 0, fmt.Errorf("PostgreSQL at %s: %w", config.Host, err)
	}
	const relations = `
		SELECT count(*)
		FROM pg_class c
		JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname <> 'information_schema'
			AND n.nspname NOT LIKE 'pg\_%'
			AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`
	var found int
	if err := db.QueryRowContext(ctx, relations).Scan(&found); err != nil {
		return 0, fmt.Errorf("list the tables of database %s: %w", config.Database, err)
	}
	if found > 0 {
		return 0, fmt.Errorf("database %s on %s is not empty (%d tables and indexes): use an empty database, for example a new one", config.Database, config.Host, found)
	}
	return postgresVersion(ctx, db)
}

// errPostgresAddress replaces the driver's error, which contains the password.
var errPostgresAddress = errors.New("invalid PostgreSQL address, want the form postgres://user:password@host:5432/database")

// libpqVariables maps connection parameters that the driver does not return to
// the environment variables of PostgreSQL's programs.
var libpqVariables = map[string]string{
	"sslmode":              "PGSSLMODE",
	"sslrootcert":          "PGSSLROOTCERT",
	"sslcert":              "PGSSLCERT",
	"sslkey":               "PGSSLKEY",
	"sslsni":               "PGSSLSNI",
	"sslnegotiation":       "PGSSLNEGOTIATION",
	"channel_binding":      "PGCHANNELBINDING",
	"krbsrvname":           "PGKRBSRVNAME",
	"target_session_attrs": "PGTARGETSESSIONATTRS",
	"connect_timeout":      "PGCONNECT_TIMEOUT",
}

// PostgresEnvironment returns the environment for PostgreSQL's own programs to
// connect to a database. It contains the password, because every user of the
// machine can read the arguments of a program.
func PostgresEnvironment(address string) ([]string, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, errPostgresAddress
	}
	hosts, ports := []string{config.Host}, []string{strconv.Itoa(int(config.Port))}
	for _, f := range config.Fallbacks {
		port := strconv.Itoa(int(f.Port))
		if hosts[len(hosts)-1] != f.Host || ports[len(ports)-1] != port {
			hosts, ports = append(hosts, f.Host), append(ports, port)
		}
	}
	environment := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		// The programs do not need KHATM_DATABASE and KHATM_MASTER_KEY.
		// PGSERVICE and PGHOSTADDR would override PGHOST.
		return strings.HasPrefix(entry, "KHATM_") || strings.HasPrefix(entry, "PGSERVICE") || strings.HasPrefix(entry, "PGHOSTADDR=")
	})
	environment = append(environment,
		"PGHOST="+strings.Join(hosts, ","), "PGPORT="+strings.Join(ports, ","), "PGDATABASE="+config.Database,
		"PGUSER="+config.User, "PGAPPNAME=khatm backup")
	if config.Password != "" {
		environment = append(environment, "PGPASSWORD="+config.Password)
	}
	if path := config.RuntimeParams["search_path"]; path != "" {
		environment = append(environment, "PGOPTIONS=-c search_path="+strings.ReplaceAll(path, " ", `\ `))
	}
	for name, value := range connectionParameters(address) {
		if variable := libpqVariables[name]; variable != "" {
			environment = append(environment, variable+"="+value)
		}
	}
	return environment, nil
}

// connectionParameters returns the parameters of an address in URL or keyword
// form.
func connectionParameters(address string) map[string]string {
	found := map[string]string{}
	if at, err := url.Parse(address); err == nil && at.Scheme != "" {
		for name, values := range at.Query() {
			found[name] = values[len(values)-1]
		}
		return found
	}
	for _, field := range strings.Fields(address) {
		if name, value, is := strings.Cut(field, "="); is {
			found[name] = strings.Trim(value, "'")
		}
	}
	return found
}
