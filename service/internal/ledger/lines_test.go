package ledger_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"khatm/money"
	"khatm/service/internal/ledger"
)

// wholeRecord parses a record with its lines, as ledger.ParseRecord does in two
// steps.
func wholeRecord(text string) (ledger.Record, error) {
	r, lines, err := ledger.ParseRecord(text)
	if err != nil {
		return r, err
	}
	i, err := ledger.Listed{Invoice: ledger.Invoice{Record: r}, Lines: lines}.Whole()
	return i.Record, err
}

// wantSameRecord fails the test unless a text is read as encoding/json reads it.
func wantSameRecord(t interface {
	Helper()
	Errorf(format string, args ...any)
}, text string) {
	t.Helper()
	var want ledger.Record
	wanted := json.Unmarshal([]byte(text), &want)
	got, err := wholeRecord(text)
	if (err == nil) != (wanted == nil) {
		t.Errorf("record %s: got error %v, want %v", text, err, wanted)
		return
	}
	if len(want.Lines) == 0 {
		want.Lines = nil
	}
	if err == nil && !reflect.DeepEqual(got, want) {
		t.Errorf("record %s: got %+v, want %+v", text, got, want)
	}
}

// Every record is read as encoding/json reads it, whatever its texts contain.
func TestRecordsAreReadAsWritten(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", `"`, `\`, `"lines":[`, `]}`, `{[`, "صنف", "a & b", "\u2028", `\"`, "é,\""}))
	decimal := rapid.Custom(func(t *rapid.T) money.Decimal {
		return money.MustParse(rapid.StringMatching(`-?[0-9]{1,18}(\.[0-9]{1,12})?`).Draw(t, "decimal"))
	})
	id := rapid.Custom(func(t *rapid.T) uuid.UUID {
		return uuid.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
	})
	rapid.Check(t, func(t *rapid.T) {
		r := ledger.Record{PaymentTerms: text.Draw(t, "terms"), Notes: []ledger.Note{{Text: text.Draw(t, "note")}}, ExchangeRate: decimal.Draw(t, "rate")}
		for range rapid.IntRange(0, 4).Draw(t, "lines") {
			l := ledger.Line{
				ID: id.Draw(t, "id"), Name: text.Draw(t, "name"), NameArabic: text.Draw(t, "arabic"), Unit: "PCE", Category: "S",
				ReasonText: text.Draw(t, "reason"), Price: decimal.Draw(t, "price"), Quantity: decimal.Draw(t, "quantity"),
				Net: decimal.Draw(t, "net"), VAT: decimal.Draw(t, "VAT"), Total: decimal.Draw(t, "total"),
			}
			if rapid.Bool().Draw(t, "from the catalogue") {
				item, original := id.Draw(t, "item"), id.Draw(t, "original")
				l.Item, l.Original, l.GrossPrice = &item, &original, decimal.Draw(t, "gross")
			}
			r.Lines = append(r.Lines, l)
		}
		written, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		wantSameRecord(t, string(written))
		spaced, err := json.MarshalIndent(r, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		wantSameRecord(t, string(spaced))
	})
}

func TestRecordsInOtherForms(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"lines":null}`, `{"lines":[]}`, `{"lines":[{}]}`, `{"lines":[{"name":"a"} , {"name":"b"}]}`, `{"lines":[{"NAME":"a"}]}`,
		`{"lines":[{"name":"a","name":"b"}]}`, `{"lines":[{"name":null,"new":{"a":[1,"]"]}}]}`, `{"lines":[{"price":1.5,"net":"2"}]}`,
		`{"seller":{"lines":[{"name":"a"}]},"lines":[{"name":"b"}]}`, `{"payment_terms":"\"lines\":[","lines":[{"unit":"PCE"}]}`,
		`{"lines":[{"name":"a"}`, `{"lines":[{"name":"a"},]}`, `{"lines":[{"name":"a"}{"name":"b"}]}`, `{"lines":[{"id":"x"}]}`, `{"lines":[{"net":"x"}]}`,
		`{"lines":[{"name":"a"]}`, `{"lines":[{"name":}]}`, `{"lines":[{"name":"a",}]}`, `{"lines":[7]}`, `{"lines":["a"]}`, `{"lines":[,]}`, `{"lines":[{"name":"a` + "\n" + `"}]}`, ``, `null`, `[`,
	} {
		wantSameRecord(t, text)
	}
}

func TestLinesEndWithTheFirstError(t *testing.T) {
	_, lines, err := ledger.ParseRecord(`{"lines":[{"name":"a"},{"name":"b"},{"name":"c"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("full")
	var names []string
	err = lines.Each(func(l *ledger.Line) error {
		if names = append(names, l.Name); len(names) == 2 {
			return full
		}
		return nil
	})
	if got := strings.Join(names, " "); !errors.Is(err, full) || got != "a b" {
		t.Errorf("lines %q, error %v, want the first two and the error", got, err)
	}
}
