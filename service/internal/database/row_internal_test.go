package database

import (
	"database/sql"
	"reflect"
	"testing"
)

// TestAssign checks which values of PostgreSQL fit into which variables. The others
// are errors, never other values.
func TestAssign(t *testing.T) {
	t.Parallel()
	const no = "does not fit"
	for _, c := range []struct {
		value any
		into  any // pointer to a variable
		want  any // value of the variable, or no
	}{
		{"text", new(string), "text"},
		{"text", new(int64), no},
		{"text", new([]byte), no},
		{"text", new(any), any("text")},
		{"text", new(sql.NullString), sql.NullString{String: "text", Valid: true}},
		{[]byte{1, 2}, new([]byte), []byte{1, 2}},
		{[]byte{1, 2}, new(string), no},
		{true, new(bool), true},
		{true, new(int64), no},
		{int64(7), new(int64), int64(7)},
		{int64(7), new(int), 7},
		{int64(7), new(int8), int8(7)},
		{int64(700), new(int8), no},
		{int64(7), new(string), no},
		{int64(1), new(bool), true},
		{int64(0), new(bool), false},
		{int64(7), new(bool), no},
		{1.5, new(int64), no},
		{1.5, new(string), no},
		{nil, &[]byte{1}, []byte(nil)},
		{nil, func() *any { one := any(1); return &one }(), any(nil)},
		{nil, &sql.NullInt64{Int64: 7, Valid: true}, sql.NullInt64{}},
		{nil, new(string), no},
		{nil, new(int64), no},
		{nil, new(bool), no},
	} {
		before := reflect.ValueOf(c.into).Elem().Interface()
		err := assign(c.into, c.value)
		got := reflect.ValueOf(c.into).Elem().Interface()
		switch {
		case c.want == any(no) && (err == nil || !reflect.DeepEqual(got, before)):
			t.Errorf("%T %v into %T: got %v, error %v, want an error", c.value, c.value, c.into, got, err)
		case c.want != any(no) && (err != nil || !reflect.DeepEqual(got, c.want)):
			t.Errorf("%T %v into %T: got %v, error %v, want %v", c.value, c.value, c.into, got, err, c.want)
		}
	}
}
