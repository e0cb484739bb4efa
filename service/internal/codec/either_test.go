package codec_test

import (
	"reflect"
	"testing"

	"khatm/service/internal/codec"
)

type wholeRow struct {
	Name string `json:"name"`
}

type brokenRow struct {
	Broken bool `json:"broken"`
}

type eitherRows struct {
	Rows []codec.Either[wholeRow, brokenRow] `json:"rows"`
}

func TestEitherEncodesTheFormThatIsSet(t *testing.T) {
	rows := eitherRows{Rows: []codec.Either[wholeRow, brokenRow]{{First: &wholeRow{"a"}}, {Second: &brokenRow{true}}}}
	got, err := encode(&rows)
	if want := `{"rows":[{"name":"a"},{"broken":true}]}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if _, err := encode(&eitherRows{Rows: make([]codec.Either[wholeRow, brokenRow], 1)}); err == nil {
		t.Error("Append succeeded although neither form is set")
	}
}

func TestEitherSchemaHasBothForms(t *testing.T) {
	s, err := codec.ShapeOf(reflect.TypeFor[codec.Either[wholeRow, brokenRow]]())
	if err != nil {
		t.Fatal(err)
	}
	if s.Readable() == nil {
		t.Error("Readable accepts Either")
	}
	all := codec.NewSchemas(nil)
	if err := all.Collect(&s, codec.InAnswer); err != nil {
		t.Fatal(err)
	}
	forms, _ := all.Of(&s, codec.InAnswer).Get("anyOf")
	components := all.Components()
	_, whole := components.Get("WholeRow")
	_, broken := components.Get("BrokenRow")
	if list, _ := forms.([]any); len(list) != 2 || !whole || !broken {
		t.Errorf("schema = %v with components %v, want two forms", forms, components)
	}
}
