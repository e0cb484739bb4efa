package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/money"
)

// Both engines store times as milliseconds, booleans as 0 or 1, and decimals
// and lists as text, so that the same SQL works on both.

func millis(t time.Time) int64 { return t.UnixMilli() }

func millisOrNull(t *time.Time) any {
	if t == nil {
		return nil
	}
	return t.UnixMilli()
}

// instant scans milliseconds into a time.
type instant struct{ into *time.Time }

// Scan implements [sql.Scanner].
func (i instant) Scan(value any) error {
	ms, ok := value.(int64)
	if !ok {
		return fmt.Errorf("time has type %T in the database, want int64", value)
	}
	*i.into = timeOf(ms)
	return nil
}

func timeOf(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func timeOrNil(ms sql.NullInt64) *time.Time {
	if !ms.Valid {
		return nil
	}
	t := timeOf(ms.Int64)
	return &t
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// exactID scans an id that must have its canonical spelling. Another spelling
// counts as damage, because queries would not find it.
type exactID struct{ into *uuid.UUID }

// Scan implements [sql.Scanner].
func (e exactID) Scan(value any) error {
	if err := e.into.Scan(value); err != nil {
		return err
	}
	if text, is := value.(string); is && text != e.into.String() {
		return fmt.Errorf("id %q is not in canonical form", text)
	}
	return nil
}

// decimal scans the text of a decimal.
type decimal struct{ into *money.Decimal }

// Scan implements [sql.Scanner].
func (d decimal) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("decimal has type %T in the database, want string", value)
	}
	parsed, err := money.Parse(text)
	if err != nil {
		return fmt.Errorf("parse a decimal: %w", err)
	}
	*d.into = parsed
	return nil
}

// document scans a JSON text into a value.
type document struct{ into any }

// Scan implements [sql.Scanner].
func (d document) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("JSON has type %T in the database, want string", value)
	}
	return json.Unmarshal([]byte(text), d.into)
}

func documentOf(value any) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}

// hundredths scans an amount that is stored as a number of hundredths, so that
// the database can add amounts exactly.
type hundredths struct{ into *money.Decimal }

// Scan implements [sql.Scanner].
func (h hundredths) Scan(value any) error {
	n, ok := value.(int64)
	if !ok {
		return fmt.Errorf("amount has type %T in the database, want int64", value)
	}
	*h.into = ofHundredths(n)
	return nil
}

func ofHundredths(n int64) money.Decimal { return money.FromInt(n).Mul(oneHundredth) }

var oneHundredth = money.MustParse("0.01")

// inHundredths returns an amount with two decimal places as it is stored.
func inHundredths(amount money.Decimal) (int64, error) {
	return strconv.ParseInt(strings.Replace(amount.Fixed2(), ".", "", 1), 10, 64)
}
