package store

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"khatm/money"
)

// Both engines keep times as milliseconds, truth as 0 or 1, decimals and lists
// as text, so that one SQL text means the same to both.

func millis(t time.Time) int64 { return t.UnixMilli() }

func millisOrNull(t *time.Time) any {
	if t == nil {
		return nil
	}
	return t.UnixMilli()
}

// instant reads milliseconds into a time.
type instant struct{ into *time.Time }

// Scan implements [sql.Scanner].
func (i instant) Scan(value any) error {
	ms, ok := value.(int64)
	if !ok {
		return fmt.Errorf("a time is kept as %T", value)
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

// exactID reads an id that is written as ids are written: another spelling of
// the same id is not found by it, and is damage.
type exactID struct{ into *uuid.UUID }

// Scan implements [sql.Scanner].
func (e exactID) Scan(value any) error {
	if err := e.into.Scan(value); err != nil {
		return err
	}
	if text, is := value.(string); is && text != e.into.String() {
		return fmt.Errorf("id %q is not spelt as ids are", text)
	}
	return nil
}

// decimal reads the text of a decimal.
type decimal struct{ into *money.Decimal }

// Scan implements [sql.Scanner].
func (d decimal) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("a decimal is kept as %T", value)
	}
	parsed, err := money.Parse(text)
	if err != nil {
		return fmt.Errorf("read a decimal: %w", err)
	}
	*d.into = parsed
	return nil
}

// document reads a JSON text into a value.
type document struct{ into any }

// Scan implements [sql.Scanner].
func (d document) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("a list is kept as %T", value)
	}
	return json.Unmarshal([]byte(text), d.into)
}

func documentOf(value any) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}
