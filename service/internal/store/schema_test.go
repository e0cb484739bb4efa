package store_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/store/storetest"
)

// column holds the properties of a column that must be equal on both engines.
type column struct {
	Table, Name string
	Type        string // name of the type in SQLite
	Nullable    bool
}

// Intended differences between the engines: only PostgreSQL has a table in which
// several processes count calls, and tables of uploaded files; PostgreSQL searches with an index where SQLite
// has a virtual table of the same name; goose_db_version belongs to the
// migration library.
var (
	onlyPostgres = []string{"rate_window", "stored_file", "stored_file_part"}
	searchTables = []string{"buyer_text_search", "client_search", "item_search"}
	notOurs      = []string{"goose_db_version"}
)

// otherwiseKeyed lists the tables with rows of an organisation whose primary
// key does not start with the organisation, with the reason.
var otherwiseKeyed = map[string]string{
	"access_link": "a link is looked up by its digest before its organisation is known",
	"buyer_text":  "its place begins with the organisation's number",
	"client":      "its place begins with the organisation's number",
	"item":        "its place begins with the organisation's number",
	"invoice":     "its place begins with the organisation's number",
	"share":       "a link is looked up by its digest before its organisation is known",
	"draft_link":  "a link is looked up by its digest before its organisation is known",
	"draft_code":  "a code belongs to a link, which is looked up by its digest",
	"letter":      "e-mails of all organisations are sent together",
	"api_key":     "a key is looked up by its name before its organisation is known",
	"event":       "entries are ordered by time and some belong to the installation",
	"unarchived":  "rows of all organisations are archived together, in the order of their changes",
}

// columnsOf returns the columns of all tables, except those in onlyPostgres and
// notOurs.
func columnsOf(t *testing.T, s *fixture) []column {
	t.Helper()
	query := `
		SELECT m.name, c.name, c.type, (c."notnull" = 0 AND c.pk = 0)
		FROM pragma_table_list m
		JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.schema = 'main' AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\'`
	if s.config.URL != "" {
		query = `
			SELECT c.table_name, c.column_name, c.data_type, c.is_nullable = 'YES'
			FROM information_schema.columns c
			JOIN information_schema.tables t USING (table_schema, table_name)
			WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'`
	}
	rows, err := s.raw.Query(query)
	ok(t, err)
	defer func() { _ = rows.Close() }()
	var found []column
	for rows.Next() {
		var c column
		ok(t, rows.Scan(&c.Table, &c.Name, &c.Type, &c.Nullable))
		if !slices.Contains(onlyPostgres, c.Table) && !slices.Contains(notOurs, c.Table) {
			c.Type = inWordsOfSQLite(c.Type)
			found = append(found, c)
		}
	}
	ok(t, rows.Err())
	slices.SortFunc(found, func(a, b column) int { return strings.Compare(a.Table+"."+a.Name, b.Table+"."+b.Name) })
	return found
}

func inWordsOfSQLite(kind string) string {
	switch kind {
	case "uuid", "text":
		return "TEXT"
	case "bigint":
		return "INTEGER"
	case "bytea":
		return "BLOB"
	}
	return kind
}

// tables returns the names of all tables, except those in notOurs.
func tables(t testing.TB, s *fixture) []string {
	t.Helper()
	query := `SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name`
	if s.config.URL != "" {
		query = `SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename`
	}
	return slices.DeleteFunc(s.texts(query), func(name string) bool { return slices.Contains(notOurs, name) })
}

// texts returns the result of a query with one column.
func (s *fixture) texts(query string, args ...any) (found []string) {
	s.t.Helper()
	rows, err := s.raw.Query(query, args...)
	ok(s.t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text string
		ok(s.t, rows.Scan(&text))
		found = append(found, text)
	}
	ok(s.t, rows.Err())
	return found
}

// idsOf returns the ids in a table.
func (s *fixture) idsOf(table string) (found []uuid.UUID) {
	s.t.Helper()
	for _, id := range s.texts(`SELECT CAST(id AS TEXT) FROM ` + table + ` ORDER BY id`) {
		found = append(found, uuid.MustParse(id))
	}
	return found
}

func TestSchemaIsTheSameOnBothEngines(t *testing.T) {
	t.Parallel()
	lite, postgres := open(t, storetest.SQLite(t)), open(t, storetest.Postgres(t))
	same(t, columnsOf(t, lite))(columnsOf(t, postgres), nil)
	if n := len(columnsOf(t, lite)); n < 100 {
		t.Errorf("found only %d columns, want at least 100", n)
	}
	got := slices.DeleteFunc(tables(t, postgres), func(name string) bool { return slices.Contains(onlyPostgres, name) })
	same(t, tables(t, lite))(got, nil)

	const liteIndexes = `SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name`
	const postgresIndexes = `
		SELECT indexname FROM pg_indexes
		WHERE schemaname = current_schema() AND tablename <> 'rate_window'
			AND indexname NOT LIKE '%\_pkey' AND indexname NOT LIKE '%\_key'
		ORDER BY indexname`
	indexes := slices.Sorted(slices.Values(slices.Concat(lite.texts(liteIndexes), searchTables)))
	same(t, indexes)(postgres.texts(postgresIndexes), nil)
	same(t, searchTables)(lite.texts(`SELECT name FROM pragma_table_list WHERE type = 'virtual' ORDER BY name`), nil)

	const liteTriggers = `SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name`
	const postgresTriggers = `SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgname <> 'never_truncated' ORDER BY tgname` // SQLite has no TRUNCATE
	same(t, lite.texts(liteTriggers))(postgres.texts(postgresTriggers), nil)
}

func TestSchemaKeysLeadWithTheOrganisation(t *testing.T) {
	const lite = `
		SELECT m.name || '.' || c.name
		FROM sqlite_master m
		JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND c.pk = 1`
	const postgres = `
		SELECT c.relname || '.' || a.attname
		FROM pg_index i
		JOIN pg_class c ON c.oid = i.indrelid
		JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = current_schema()
		JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
		WHERE i.indisprimary`
	each(t, func(t *testing.T, s *fixture) {
		query := lite
		if s.config.URL != "" {
			query = postgres
		}
		first := s.texts(query)
		owned := 0
		for _, c := range columnsOf(t, s) {
			if c.Name != "org_id" {
				continue
			}
			owned++
			leads := slices.Contains(first, c.Table+".org_id")
			if reason, excused := otherwiseKeyed[c.Table]; leads == excused {
				t.Errorf("table %s: primary key starts with the organisation: %v, otherwiseKeyed says %q", c.Table, leads, reason)
			}
		}
		if owned < 10 {
			t.Errorf("found only %d tables with rows of an organisation, want at least 10", owned)
		}
	})
}

func TestSchemaOfSQLiteIsStrict(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.SQLite(t))
	const loose = `
		SELECT name FROM pragma_table_list
		WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
		ORDER BY name`
	same(t, notOurs)(s.texts(loose), nil)
}

// Only the call counts of several processes may be lost in a crash of
// PostgreSQL.
func TestSchemaOfPostgresIsLogged(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	const unlogged = `SELECT relname FROM pg_class WHERE relpersistence = 'u' AND relkind = 'r' ORDER BY relname`
	same(t, []string{"rate_window"})(s.texts(unlogged), nil)
}
