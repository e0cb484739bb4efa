package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// origin is the state of a template.
type origin struct {
	schema string            // from schemaState
	rows   map[string][]byte // contents of each table that is not empty, as COPY writes them
}

// errNotRestorable is returned for a database whose rows cannot be replaced by
// those of its template, because it differs in other ways.
var errNotRestorable = errors.New("the database must be created again")

// mostLeft limits the size of the tables of a database that is used again.
// Deleted rows stay in the files, and more of them would slow down the next test
// and change the plans of its queries.
const mostLeft = 2 << 20

// schemaState is a query for one text that changes with any change of the
// database but those of rows. It has the number and the newest transaction of
// the rows of the system tables, for objects that initdb did not create, and the
// positions of the sequences. The sums of pg_class change with VACUUM and
// ANALYZE, which may change plans.
const schemaState = `
	SELECT string_agg(concat_ws(' ', part, rows, newest), ', ' ORDER BY part)
	FROM (
		SELECT 'attribute' AS part, count(*) AS rows, max(xmin::text::bigint) AS newest FROM pg_attribute WHERE attrelid >= 16384
		UNION ALL SELECT 'class', count(*), max(xmin::text::bigint) FROM pg_class WHERE oid >= 16384
		UNION ALL SELECT 'constraint', count(*), max(xmin::text::bigint) FROM pg_constraint WHERE oid >= 16384
		UNION ALL SELECT 'default', count(*), max(xmin::text::bigint) FROM pg_attrdef
		UNION ALL SELECT 'default acl', count(*), max(xmin::text::bigint) FROM pg_default_acl
		UNION ALL SELECT 'extension', count(*), max(xmin::text::bigint) FROM pg_extension
		UNION ALL SELECT 'index', count(*), max(xmin::text::bigint) FROM pg_index WHERE indexrelid >= 16384
		UNION ALL SELECT 'namespace', count(*), max(xmin::text::bigint) FROM pg_namespace
		UNION ALL SELECT 'policy', count(*), max(xmin::text::bigint) FROM pg_policy
		UNION ALL SELECT 'procedure', count(*), max(xmin::text::bigint) FROM pg_proc WHERE oid >= 16384
		UNION ALL SELECT 'rule', count(*), max(xmin::text::bigint) FROM pg_rewrite WHERE oid >= 16384
		UNION ALL SELECT 'sequence', count(*), sum(pg_sequence_last_value(seqrelid))::bigint FROM pg_sequence
		UNION ALL SELECT 'setting', count(*), 0 FROM pg_db_role_setting WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
		UNION ALL SELECT 'size', sum(relpages), sum(reltuples)::bigint FROM pg_class WHERE oid >= 16384
		UNION ALL SELECT 'trigger', count(*), max(xmin::text::bigint) FROM pg_trigger WHERE oid >= 16384
		UNION ALL SELECT 'type', count(*), max(xmin::text::bigint) FROM pg_type WHERE oid >= 16384
	) AS parts`

// tableSizes is a query for the tables that contain or contained rows, with
// their sizes. A table of relkind t contains long values of another table.
const tableSizes = `
	SELECT oid::regclass::text, relkind::text, pg_relation_size(oid)
	FROM pg_class
	WHERE oid >= 16384 AND relkind IN ('r', 't') AND pg_relation_size(oid) > 0`

// readOrigin reads the state of a template.
func readOrigin(url string) (*origin, error) {
	o := &origin{rows: map[string][]byte{}}
	err := onServer(url, func(ctx context.Context, conn *pgx.Conn) error {
		schema, tables, _, err := state(ctx, conn)
		o.schema = schema
		for _, table := range tables {
			var rows bytes.Buffer
			if err == nil {
				_, err = conn.PgConn().CopyTo(ctx, &rows, `COPY `+table+` TO STDOUT`)
			}
			o.rows[table] = rows.Bytes()
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the template: %w", err)
	}
	return o, nil
}

// state returns the state of the schema, the tables that contain or contained
// rows, and the size of all tables.
func state(ctx context.Context, conn *pgx.Conn) (schema string, tables []string, size int64, err error) {
	if err := conn.QueryRow(ctx, schemaState).Scan(&schema); err != nil {
		return "", nil, 0, err
	}
	rows, err := conn.Query(ctx, tableSizes)
	if err != nil {
		return "", nil, 0, err
	}
	var table, kind string
	var bytes int64
	_, err = pgx.ForEachRow(rows, []any{&table, &kind, &bytes}, func() error {
		size += bytes
		if kind == "r" {
			tables = append(tables, table)
		}
		return nil
	})
	return schema, tables, size, err
}

// restore replaces the rows of a database by those of the template, after other
// connections to it have ended. Its own connection stays open, because most of
// the cost is that of a new connection, whose caches are empty.
func (o *origin) restore(ctx context.Context, d *pooled, url string) error {
	if d.inside != nil {
		if err := o.restoreOn(ctx, d.inside); err == nil || errors.Is(err, errNotRestorable) {
			return err
		}
		// A test may have ended the connection.
		_ = d.inside.Close(ctx)
	}
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return err
	}
	// Neither triggers nor foreign keys must prevent the deletion of rows.
	config.RuntimeParams["session_replication_role"] = "replica"
	d.inside, err = pgx.ConnectConfig(ctx, config)
	if errors.As(err, new(*pgconn.PgError)) { // for example because it does not exist any more
		return fmt.Errorf("%w: %w", errNotRestorable, err)
	}
	if err != nil {
		return fmt.Errorf("connect to the PostgreSQL of the tests: %w", err)
	}
	return o.restoreOn(ctx, d.inside)
}

// endOthers is a query that ends the connections of the last test and waits
// until they have ended.
const endOthers = `
	SELECT pg_terminate_backend(pid, 60000)
	FROM pg_stat_activity
	WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`

func (o *origin) restoreOn(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, endOthers); err != nil {
		return fmt.Errorf("end the connections of the last test: %w", err)
	}
	schema, tables, size, err := state(ctx, conn)
	if err != nil {
		return fmt.Errorf("compare the database with its template: %w", err)
	}
	if schema != o.schema || size > mostLeft {
		return errNotRestorable
	}
	var statements strings.Builder
	for _, table := range tables {
		statements.WriteString(`DELETE FROM ` + table + `;`)
	}
	if _, err := conn.PgConn().Exec(ctx, statements.String()).ReadAll(); err != nil {
		return fmt.Errorf("empty the database: %w", err)
	}
	for table, rows := range o.rows {
		if _, err := conn.PgConn().CopyFrom(ctx, bytes.NewReader(rows), `COPY `+table+` FROM STDIN`); err != nil {
			return fmt.Errorf("restore %s: %w", table, err)
		}
	}
	return nil
}

// mayReplaceRows reports whether the role of the tests may turn off triggers.
var mayReplaceRows = sync.OnceValues(func() (allowed bool, err error) {
	server, err := shared()
	if err != nil {
		return false, err
	}
	err = onShared(server.url, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `SELECT has_parameter_privilege('session_replication_role', 'SET')`).Scan(&allowed)
	})
	if errors.As(err, new(*pgconn.PgError)) { // before PostgreSQL 15
		return false, nil
	}
	return allowed, err
})
