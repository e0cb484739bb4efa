package wire

import (
	"reflect"
	"testing"
)

type wholeRow struct {
	Name string `json:"name"`
}

type brokenRow struct {
	Broken bool `json:"broken"`
}

type eitherRows struct {
	Rows []Either[wholeRow, brokenRow] `json:"rows"`
}

func TestEitherIsWrittenAsTheFormThatIsSet(t *testing.T) {
	rows := eitherRows{Rows: []Either[wholeRow, brokenRow]{{First: &wholeRow{"a"}}, {Second: &brokenRow{true}}}}
	got, err := encode(rows)
	if want := `{"rows":[{"name":"a"},{"broken":true}]}`; err != nil || string(got.body) != want {
		t.Errorf("got %s, %v, want %s", got.body, err, want)
	}
	if _, err := encode(eitherRows{Rows: make([]Either[wholeRow, brokenRow], 1)}); err == nil {
		t.Error("neither form is set, and it was written")
	}
}

func TestEitherIsDescribedAsBothForms(t *testing.T) {
	s, err := shapeOf(reflect.TypeFor[Either[wholeRow, brokenRow]]())
	if err != nil {
		t.Fatal(err)
	}
	if s.readable() == nil {
		t.Error("it can be input")
	}
	all := newSchemas(nil)
	if err := all.collect(&s, inAnswer); err != nil {
		t.Fatal(err)
	}
	forms, _ := all.schemaOf(&s, inAnswer).get("anyOf")
	if list, _ := forms.([]any); len(list) != 2 || all.made["WholeRow"] == nil || all.made["BrokenRow"] == nil {
		t.Errorf("it is described as %v", forms)
	}
}
