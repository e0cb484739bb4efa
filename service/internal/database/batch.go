package database

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// batch is a number of statements that PostgreSQL is sent as one: each would
// otherwise take a round trip of its own, during which rows are locked. None of
// them may need to see what another has written.
type batch struct {
	parts   []string
	values  []any
	expects []error // what it means if a part changed no row, or nil
}

// BeginBatch begins a batch: Exec and ExecOne keep their statements until
// SendBatch, which sends them to PostgreSQL as one. SQLite is in this process and runs them as they come.
func (t *Tx) BeginBatch() {
	if t.writer == nil {
		t.batch = &batch{}
	}
}

// addToBatch adds a statement. A batch that gets large is sent, and another
// begun: PostgreSQL takes 65,535 values.
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
		n, _ := strconv.Atoi(mark[1:]) // digits
		return "$" + strconv.Itoa(before+n)
	})
	p.parts = append(p.parts, query)
	p.values = append(p.values, values...)
	p.expects = append(p.expects, missing)
}

// SendBatch runs the statements of the batch. Without a batch it does nothing.
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
	// The text differs with the number of rows. Kept on the server, each would
	// take half a megabyte of every connection.
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
