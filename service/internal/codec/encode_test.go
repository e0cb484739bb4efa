package codec_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"khatm/money"
	"khatm/service/internal/codec"
)

// encode encodes the struct that out points to.
func encode(out any) ([]byte, error) {
	v := reflect.ValueOf(out).Elem()
	s, err := codec.ShapeOf(v.Type())
	if err == nil {
		err = s.Writable()
	}
	if err != nil {
		return nil, err
	}
	return codec.Append(nil, &s, v)
}

func encoded(t *testing.T, out any) string {
	t.Helper()
	body, err := encode(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// tea has a field of every kind that a response can have.
type tea struct {
	ID        uuid.UUID       `json:"uuid"`
	Name      string          `json:"name"`
	NameAR    string          `json:"name_arabic"`
	Price     money.Decimal   `json:"price"`
	Stock     *money.Decimal  `json:"stock"`
	Picked    codec.Date      `json:"picked"`
	CreatedAt time.Time       `json:"created_at"`
	SoldAt    *time.Time      `json:"sold_at"`
	Leaves    []leaf          `json:"leaves"`
	Labels    map[string]leaf `json:"labels"`
	Rates     []json.Number   `json:"rates"`
	Raw       json.RawMessage `json:"raw"`
	Extra     any             `json:"extra,omitempty"`
	Hint      string          `json:"hint,omitempty"`
}

type leaf struct {
	Kind   string        `json:"kind"`
	Weight money.Decimal `json:"weight"`
	Origin string        `json:"origin"`
}

func TestEncode(t *testing.T) {
	at := time.Date(2026, 1, 31, 22, 30, 5, 123, time.UTC)
	five := money.MustParse("5.00")
	got := encoded(t, &tea{
		ID: uuid.MustParse("9b2a6a9e-6c0f-4a4e-8f0a-1d5d1d0f0f0f"), Name: `<b>"شاي" & co`, Price: money.MustParse("4.50"), Stock: &five,
		Picked: codec.Date{Year: 2026, Month: 1, Day: 31}, CreatedAt: at, SoldAt: &at,
		Leaves: []leaf{{"S", money.MustParse("1"), "SA"}}, Labels: map[string]leaf{"b": {}, "a": {}},
		Rates: []json.Number{"15.0", "5.0"}, Raw: json.RawMessage(`{ "a": [1, 2.50] }`),
		Extra: map[string]any{"z": at, "n": nil, "list": []string(nil), "d": five, "i": 7, "p": (*int)(nil), "in": []any{true, "x"}},
	})
	want := `{"uuid":"9b2a6a9e-6c0f-4a4e-8f0a-1d5d1d0f0f0f","name":"<b>\"شاي\" & co","name_arabic":"","price":"4.5","stock":"5",` +
		`"picked":"2026-01-31","created_at":"2026-02-01T01:30:05+03:00","sold_at":"2026-02-01T01:30:05+03:00",` +
		`"leaves":[{"kind":"S","weight":"1","origin":"SA"}],` +
		`"labels":{"a":{"kind":"","weight":"0","origin":""},"b":{"kind":"","weight":"0","origin":""}},` +
		`"rates":[15.0,5.0],"raw":{"a":[1,2.50]},` +
		`"extra":{"d":"5","i":7,"in":[true,"x"],"list":[],"n":null,"p":null,"z":"2026-02-01T01:30:05+03:00"}}`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	empty := encoded(t, &tea{})
	for _, want := range []string{`"leaves":[]`, `"labels":{}`, `"rates":[]`, `"stock":null`, `"sold_at":null`, `"raw":null`} {
		if !strings.Contains(empty, want) {
			t.Errorf("encoded zero value lacks %s: %s", want, empty)
		}
	}
	for _, left := range []string{"hint", "extra"} {
		if strings.Contains(empty, left) {
			t.Errorf("omitempty field %s is in %s", left, empty)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	for name, out := range map[string]any{
		"a float": &struct {
			X float64 `json:"x"`
		}{},
		"a channel in an any":        &holder[any]{make(chan int)},
		"an invalid number":          &holder[json.Number]{"1e999"},
		"invalid raw JSON":           &holder[json.RawMessage]{json.RawMessage("{")},
		"a field of a PATCH body":    &holder[codec.Sent[int]]{},
		"a field without a json tag": &struct{ X int }{},
	} {
		if body, err := encode(out); err == nil {
			t.Errorf("%s was encoded as %s, want an error", name, body)
		}
	}
}

// TestEncodeIsThatOfTheStandardLibrary compares with encoding/json for values
// that both encode in the same way.
func TestEncodeIsThatOfTheStandardLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := loose{
			Name:  rapid.String().Draw(t, "name"),
			Count: rapid.Int64().Draw(t, "count"),
			Loud:  rapid.Bool().Draw(t, "loud"),
			Tags:  rapid.SliceOfN(rapid.String(), 1, 4).Draw(t, "tags"),
			Lines: []loose{{Tags: []string{"\u2028\x00\x7f\xff</script>"}, Lines: []loose{}}},
		}
		var want bytes.Buffer
		encoder := json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(in); err != nil {
			t.Fatal(err)
		}
		got, err := encode(&in)
		if err != nil || string(got)+"\n" != want.String() {
			t.Fatalf("got %s, %v, want %s", got, err, want.String())
		}
	})
}

func TestDate(t *testing.T) {
	riyadh := time.FixedZone("", 3*60*60)
	d, err := codec.ParseDate("2026-01-31")
	if err != nil || d.String() != "2026-01-31" || d.IsZero() {
		t.Fatal(d, err)
	}
	if got := d.In(riyadh).UTC().Format(time.RFC3339); got != "2026-01-30T21:00:00Z" {
		t.Errorf("In(riyadh) = %s, want 2026-01-30T21:00:00Z", got)
	}
	if codec.DateOf(d.In(riyadh)) != d || (codec.Date{}).String() != "" {
		t.Error("DateOf(d.In(riyadh)) must return d, and the zero date must have an empty text")
	}
}

// TestEncodeCents checks that an amount has at least two decimal places.
func TestEncodeCents(t *testing.T) {
	type bill struct {
		Amounts []money.Decimal `json:"amounts" cents:"true"`
		None    *money.Decimal  `json:"none" cents:"true"`
	}
	got := encoded(t, &bill{Amounts: []money.Decimal{money.MustParse("5"), money.MustParse("-0.5"), money.MustParse("1.230"), money.MustParse("1.005")}})
	if want := `{"amounts":["5.00","-0.50","1.23","1.005"],"none":null}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
