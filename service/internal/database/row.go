package database

import (
	"database/sql"
	"fmt"
	"reflect"

	"github.com/jackc/pgx/v5"
)

// pgxRow is a row of pgx that is scanned as database/sql does it, so that the same
// code reads rows of both engines.
type pgxRow struct{ rows pgx.Rows }

// Scan implements [Scanner].
func (r pgxRow) Scan(into ...any) error {
	fields, raw, types := r.rows.FieldDescriptions(), r.rows.RawValues(), r.rows.Conn().TypeMap()
	if len(into) != len(fields) {
		return fmt.Errorf("scan a row of %d columns into %d values", len(fields), len(into))
	}
	for i, field := range fields {
		known, is := types.TypeForOID(field.DataTypeOID)
		if !is {
			return fmt.Errorf("column %s has an unknown type", field.Name)
		}
		value, err := known.Codec.DecodeDatabaseSQLValue(types, field.DataTypeOID, field.Format, raw[i])
		if err == nil {
			err = assign(into[i], value)
		}
		if err != nil {
			return fmt.Errorf("scan column %s: %w", field.Name, err)
		}
	}
	return nil
}

// assign sets the variable that into points to. It converts the types that queries
// of [Tx.ReadAll] use and returns an error for others.
func assign(into, value any) error {
	if scanner, is := into.(sql.Scanner); is {
		return scanner.Scan(value)
	}
	to := reflect.ValueOf(into).Elem()
	if to.Kind() == reflect.Interface && to.NumMethod() == 0 && value != nil {
		to.Set(reflect.ValueOf(value))
		return nil
	}
	switch from := value.(type) {
	case nil:
		if kind := to.Kind(); kind == reflect.Slice || kind == reflect.Interface {
			to.SetZero()
			return nil
		}
	case string:
		if to.Kind() == reflect.String {
			to.SetString(from)
			return nil
		}
	case []byte:
		if to.Kind() == reflect.Slice && to.Type().Elem().Kind() == reflect.Uint8 {
			to.SetBytes(from)
			return nil
		}
	case bool:
		if to.Kind() == reflect.Bool {
			to.SetBool(from)
			return nil
		}
	case int64:
		switch {
		case to.CanInt() && !to.OverflowInt(from):
			to.SetInt(from)
			return nil
		case to.Kind() == reflect.Bool && (from == 0 || from == 1):
			to.SetBool(from == 1)
			return nil
		}
	}
	return fmt.Errorf("a value of type %T does not fit into %T", value, into)
}
