package database

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// batch collects statements that are sent to PostgreSQL as one, because each
// separate statement costs a round trip during which rows stay locked. No
// statement may depend on rows that another one of the batch has written.
type batch struct {
	parts   []string
	values  []any
	expects []error // error if the part does not change exactly one row; nil if any number is allowed
}

// BeginBatch starts a batch: Exec and ExecOne queue their statements until
// SendBatch sends them to PostgreSQL as one. On SQLite, which runs in this
// process, it does nothing and statements run at once.
func (t *Tx) BeginBatch() {
	if t.writer == nil {
		t.batch = &batch{}
	}
}

// addToBatch adds a statement. A large batch is sent and a new one started,
// because PostgreSQL accepts at most 65,535 values in a statement.
func (t *Tx) addToBatch(query string, values []any, missing error) error {
	t.batch.add(query, values, missing)
	if len(t.batch.values) < 20_000 {
		return nil
	}
	err := t.SendBatch()
	t.BeginBatch()
	return err
}

var valueMark = regexp.MustCompile(`\$\d+`)

func (p *batch) add(query string, values []any, missing error) {
	before := len(p.values)
	query = valueMark.ReplaceAllStringFunc(query, func(mark string) string {
		n, _ := strconv.Atoi(mark[1:]) // the pattern matches digits only
		return "$" + strconv.Itoa(before+n)
	})
	p.parts = append(p.parts, query)
	p.values = append(p.values, values...)
	p.expects = append(p.expects, missing)
}

// SendBatch runs the statements of the batch. It does nothing if there is no
// batch.
func (t *Tx) SendBatch() error {
	p := t.batch
	t.batch = nil
	if p == nil || len(p.parts) == 0 {
		return nil
	}
	t.wrote = true
	var with, counts []string
	var found []int
	var into []any
	var missing []error
	for i, part := range p.parts {
		if p.expects[i] != nil {
			part += " RETURNING 1"
			counts = append(counts, fmt.Sprintf("(SELECT count(*) FROM part%d)", i))
			missing = append(missing, p.expects[i])
		}
		with = append(with, fmt.Sprintf("part%d AS (%s)", i, part))
	}
	found = make([]int, len(counts))
	for i := range found {
		into = append(into, &found[i])
	}
	if len(counts) == 0 {
		counts, into = []string{"1"}, []any{new(int)}
	}
	// The text depends on the number of rows. Prepared statements of such texts
	// would use half a megabyte of the server's memory for each connection.
	args := append([]any{pgx.QueryExecModeCacheDescribe}, p.values...)
	if err := t.QueryRow("WITH "+strings.Join(with, ",\n")+"\nSELECT "+strings.Join(counts, ", "), args...).Scan(into...); err != nil {
		return err
	}
	for i, n := range found {
		if n != 1 {
			return missing[i]
		}
	}
	return nil
}
