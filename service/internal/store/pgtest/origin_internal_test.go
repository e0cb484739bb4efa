package pgtest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
)

// The state of the schema changes with everything that a test can change in its
// database, except rows.
func TestSchemaState(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, statement string
		same            bool
	}{
		{"rows", `INSERT INTO author VALUES (1, 'a name'), (2, 'another'); UPDATE author SET name = ''; DELETE FROM author`, true},
		{"new table", `CREATE TABLE other (n int)`, false},
		{"dropped table", `DROP TABLE book`, false},
		{"truncated table", `TRUNCATE book`, false},
		{"new column", `ALTER TABLE book ADD COLUMN year int`, false},
		{"changed column", `ALTER TABLE book ALTER COLUMN title SET NOT NULL`, false},
		{"dropped default", `ALTER TABLE book ALTER COLUMN id DROP DEFAULT`, false},
		{"dropped constraint", `ALTER TABLE book DROP CONSTRAINT book_author_fkey`, false},
		{"dropped trigger", `DROP TRIGGER book_stays ON book`, false},
		{"disabled trigger", `ALTER TABLE book DISABLE TRIGGER book_stays`, false},
		{"changed function", `CREATE OR REPLACE FUNCTION stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`, false},
		{"new index", `CREATE INDEX book_title ON book (title)`, false},
		{"new schema", `CREATE SCHEMA other`, false},
		{"new type", `CREATE TYPE colour AS ENUM ('red')`, false},
		{"new extension", `CREATE EXTENSION pg_trgm`, false},
		{"privilege", `GRANT SELECT ON book TO PUBLIC`, false},
		{"privilege of later tables", `ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC`, false},
		{"policy", `CREATE POLICY all_books ON book`, false},
		{"rule", `CREATE RULE nothing AS ON INSERT TO author DO INSTEAD NOTHING`, false},
		{"setting", `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET work_mem = %L', current_database(), '1MB'); END $$`, false},
		// These are not undone with their transaction.
		{"moved sequence", `SELECT nextval('number')`, false},
		{"statistics", `ANALYZE author`, false},
	}
	err := onServer(URL(t), func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.PgConn().Exec(ctx, `
			CREATE SEQUENCE number;
			CREATE TABLE author (id int PRIMARY KEY, name text);
			CREATE TABLE book (id int PRIMARY KEY DEFAULT nextval('number'), author int NOT NULL REFERENCES author, title text);
			CREATE FUNCTION stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stays'; END $$;
			CREATE TRIGGER book_stays BEFORE DELETE ON book FOR EACH ROW EXECUTE FUNCTION stays()`).ReadAll()
		if err != nil {
			return err
		}
		for _, c := range cases {
			before, _, _, err := state(ctx, conn)
			if err != nil {
				return err
			}
			if _, err := conn.PgConn().Exec(ctx, `BEGIN;`+c.statement).ReadAll(); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			after, _, _, err := state(ctx, conn)
			if err != nil {
				return err
			}
			if (after == before) != c.same {
				t.Errorf("%s: the state before is %q, after %q, want equality %t", c.name, before, after, c.same)
			}
			if _, err := conn.PgConn().Exec(ctx, `ROLLBACK`).ReadAll(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
