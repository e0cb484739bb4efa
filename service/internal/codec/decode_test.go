package codec_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"khatm/money"
	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
)

// decode decodes a JSON object into the struct that into points to.
func decode(data []byte, into any, root string, strict bool) []fault.Problem {
	v := reflect.ValueOf(into).Elem()
	o, err := codec.ObjectOf(v.Type())
	if err != nil {
		panic(fmt.Sprintf("shape of %s: %v", v.Type(), err))
	}
	var problems codec.Problems
	codec.Decode(&problems, data, v, o, codec.Options{Root: root, Strict: strict})
	return problems.All()
}

// lines returns problems as a caller sees them.
func lines(problems []fault.Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, p.String())
	}
	return out
}

// holder has one field of type T.
type holder[T any] struct {
	X T `json:"x"`
}

func TestTypes(t *testing.T) {
	cases := []struct {
		name string
		into any
		good []string // values of x
		bad  map[string]string
	}{
		{"string", &holder[string]{}, []string{`"a"`, `""`, `"\u0041\n"`, `"😀"`, `"\ud83d\ude00"`, `"\ufffd"`}, map[string]string{
			`1`: "must be a string", `null`: "must be a string", `true`: "must be a string",
			`[]`: "must be a string", `{}`: "must be a string",
			`"\u0000"`:       "must not contain the character U+0000",
			`"a\u001fb"`:     "must not contain the character U+001F",
			`"\uffff"`:       "must not contain the character U+FFFF",
			`"\ud800"`:       "must not contain the character U+D800",
			`"x\udfffx"`:     "must not contain the character U+DFFF",
			`"\ude00\ud83d"`: "must not contain the character U+DE00",
		}},
		{"named string", &holder[org.Role]{}, []string{`"Admin"`}, map[string]string{`1`: "must be a string"}},
		{"bool", &holder[bool]{}, []string{`true`, `false`}, map[string]string{
			`"true"`: "must be true or false", `1`: "must be true or false", `null`: "must be true or false",
		}},
		{"int", &holder[int]{}, []string{`0`, `-0`, `388`, `-9223372036854775808`}, map[string]string{
			`"388"`: "must be an integer", `388.0`: "must be an integer", `1e2`: "must be an integer",
			`9223372036854775808`: "must be an integer", `true`: "must be an integer", `null`: "must be an integer",
		}},
		{"decimal", &holder[money.Decimal]{}, []string{`1`, `1.50`, `"1.50"`, `1e-05`, `"-3"`, `0`}, map[string]string{
			`true`: "must be a decimal number", `"1e5"`: "must be a decimal number", `""`: "must be a decimal number",
			`"NaN"`: "must be a decimal number", `" 1"`: "must be a decimal number", `"١"`: "must be a decimal number", `[]`: "must be a decimal number",
			`1e999`:                             "must have at most 20 digits before and 30 after the decimal point",
			`"` + strings.Repeat("9", 21) + `"`: "must have at most 20 digits before and 30 after the decimal point",
		}},
		{"uuid", &holder[uuid.UUID]{}, []string{`"9b2a6a9e-6c0f-4a4e-8f0a-1d5d1d0f0f0f"`, `"9B2A6A9E-6C0F-4A4E-8F0A-1D5D1D0F0F0F"`}, map[string]string{
			`"9b2a6a9e6c0f4a4e8f0a1d5d1d0f0f0f"`:              "must be a UUID",
			`"{9b2a6a9e-6c0f-4a4e-8f0a-1d5d1d0f0f0f}"`:        "must be a UUID",
			`"urn:uuid:9b2a6a9e-6c0f-4a4e-8f0a-1d5d1d0f0f0f"`: "must be a UUID",
			`"9b2a6a9e-6c0f-4a4e-8f0a-1d5d1d0f0f0g"`:          "must be a UUID",
			`""`:                                              "must be a UUID", `7`: "must be a UUID",
		}},
		{"date", &holder[codec.Date]{}, []string{`"2026-02-28"`, `"2024-02-29"`, `"0001-01-01"`, `"9999-12-31"`}, map[string]string{
			`"2026-02-29"`: "must be a date in the form YYYY-MM-DD", `"2026-2-3"`: "must be a date in the form YYYY-MM-DD",
			`"20260203"`: "must be a date in the form YYYY-MM-DD", `"2026-02-03T00:00:00Z"`: "must be a date in the form YYYY-MM-DD",
			`"0000-01-01"`: "must be a date in the form YYYY-MM-DD", `20260203`: "must be a date in the form YYYY-MM-DD",
		}},
		{"list", &holder[[]string]{}, []string{`[]`, `["a","b"]`}, map[string]string{
			`{}`: "must be an array", `"a"`: "must be an array", `null`: "must be an array",
		}},
		{"struct", &holder[holder[int]]{}, []string{`{"x":1}`}, map[string]string{
			`[]`: "must be an object", `"a"`: "must be an object", `null`: "must be an object",
		}},
		{"pointer", &holder[*int]{}, []string{`1`, `null`}, map[string]string{`"1"`: "must be an integer"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, x := range c.good {
				if got := decode([]byte(`{"x":`+x+`}`), c.into, "", true); got != nil {
					t.Errorf("value %s: problems %q, want none", x, lines(got))
				}
			}
			for x, want := range c.bad {
				got := lines(decode([]byte(`{"x":`+x+`}`), c.into, "", true))
				if diff := cmp.Diff([]string{"x: " + want}, got); diff != "" {
					t.Errorf("%s: values differ (-want +got):\n%s", x, diff)
				}
			}
			if got := lines(decode([]byte(`{}`), c.into, "r", true)); len(got) != 1 || got[0] != "r.x: Field required" {
				t.Errorf("absent field: problems %q, want r.x: Field required", got)
			}
		})
	}
}

// bounds has a field for each constraint tag.
type bounds struct {
	Name     string        `json:"name" optional:"true" minLength:"4" maxLength:"6"`
	One      string        `json:"one" optional:"true" minLength:"1" maxLength:"1"`
	Digits   string        `json:"digits" optional:"true" pattern:"^3[0-9]{3}3$"`
	Category string        `json:"category" optional:"true" enum:"S,Z,E,O"`
	Type     int           `json:"type" optional:"true" enum:"388,381"`
	Count    int64         `json:"count" optional:"true" minimum:"1" maximum:"10"`
	Price    money.Decimal `json:"price" optional:"true" exclusiveMinimum:"0" exclusiveMaximum:"1000000000" places:"2"`
	Tags     []string      `json:"tags" optional:"true" minItems:"1" maxItems:"2" maxLength:"3"`
	Roles    []org.Role    `json:"roles" optional:"true" enum:"Admin,Accountant"`
}

func TestConstraints(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"nothing", `{}`, ""},
		{"all null", `{"name":null,"digits":null,"category":null,"type":null,"count":null,"price":null,"tags":null}`, ""},
		{"shortest", `{"name":"abcd"}`, ""},
		{"too short", `{"name":"abc"}`, "name: must have at least 4 characters"},
		{"too long", `{"name":"abcdefg"}`, "name: must have at most 6 characters"},
		{"one character", `{"one":""}`, "one: must have at least 1 character"},
		{"characters, not bytes", `{"name":"شركةةة"}`, ""},
		{"characters outside the first plane", `{"one":"😀"}`, ""},
		{"pattern", `{"digits":"30003"}`, ""},
		{"pattern does not match", `{"digits":"30004"}`, "digits: must match the pattern '^3[0-9]{3}3$'"},
		{"enum", `{"category":"Q"}`, "category: must be 'S', 'Z', 'E' or 'O'"},
		{"enum of integers", `{"type":389}`, "type: must be 388 or 381"},
		{"minimum", `{"count":0}`, "count: must be at least 1"},
		{"maximum", `{"count":11}`, "count: must be at most 10"},
		{"at the bounds", `{"count":10,"price":999999999.99}`, ""},
		{"exclusive minimum", `{"price":0}`, "price: must be greater than 0"},
		{"exclusive minimum, as a string", `{"price":"0.00"}`, "price: must be greater than 0"},
		{"exclusive maximum", `{"price":1000000000}`, "price: must be less than 1000000000"},
		{"just below the exclusive maximum", `{"price":"999999999.999999999999"}`, "price: must have at most 2 decimal places"},
		{"decimal places", `{"price":0.001}`, "price: must have at most 2 decimal places"},
		{"trailing zeros", `{"price":"0.1000"}`, ""},
		{"no items", `{"tags":[]}`, "tags: must have at least 1 item"},
		{"too many items", `{"tags":["a","b","c"]}`, "tags: must have at most 2 items"},
		{"constraint of each item", `{"tags":["a","bcde"]}`, "tags.1: must have at most 3 characters"},
		{"null as an item", `{"tags":[null]}`, "tags.0: must be a string"},
		{"enum of each item", `{"roles":["Admin","X"]}`, "roles.1: must be 'Admin' or 'Accountant'"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(lines(decode([]byte(c.body), &bounds{}, "", true)), "; ")
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestTextOfEveryCharacterIsInNormalFormC(t *testing.T) {
	for r := rune(0x80); r < 0x10000; r++ {
		if r >= 0xD800 && r < 0xE000 || r >= 0xFFFE {
			continue
		}
		in := "aا" + string(r) + "ب" + string(r) + "\u0301"
		var got holder[string]
		if problems := decode([]byte(`{"x":"`+in+`"}`), &got, "", true); problems != nil {
			t.Fatalf("%U: problems %q, want none", r, lines(problems))
		}
		if want := norm.NFC.String(in); got.X != want {
			t.Fatalf("%U decoded as %+q, want %+q", r, got.X, want)
		}
		alone := struct {
			X string `json:"x" minLength:"3" maxLength:"3"`
		}{}
		letters := "لا" + string(r)
		if n := utf8.RuneCountInString(norm.NFC.String(letters)); n == 3 {
			if problems := decode([]byte(`{"x":"`+letters+`"}`), &alone, "", true); problems != nil || alone.X != norm.NFC.String(letters) {
				t.Fatalf("%U alone: problems %q, value %+q; want the text in NFC", r, lines(problems), alone.X)
			}
		}
	}
}

func TestTextIsDecodedInNormalFormC(t *testing.T) {
	var got holder[string]
	// Alef with madda above and é, each as a letter with a combining mark.
	if problems := decode([]byte("{\"x\":\"\u0627\u0653 e\u0301\"}"), &got, "", true); problems != nil {
		t.Fatal(problems)
	}
	if want := "\u0622 \u00e9"; got.X != want {
		t.Errorf("decoded %+q, want %+q", got.X, want)
	}
	var one struct {
		X string `json:"x" maxLength:"1"`
	}
	if problems := decode([]byte("{\"x\":\"e\u0301\"}"), &one, "", true); problems != nil {
		t.Errorf("length of a text that is shorter after normalization: problems %q, want none", lines(problems))
	}
}

type withDefaults struct {
	Category string         `json:"category" default:"S" enum:"S,Z"`
	Quantity money.Decimal  `json:"quantity" default:"1"`
	Limit    int            `json:"limit" default:"20"`
	Loud     bool           `json:"loud" default:"true"`
	Stock    *money.Decimal `json:"stock" optional:"true"`
	Floor    *int           `json:"floor" default:"3"`
}

func TestDefaults(t *testing.T) {
	three := 3
	want := withDefaults{"S", money.FromInt(1), 20, true, nil, &three}
	for _, body := range []string{`{}`, `{"category":null,"quantity":null,"limit":null,"loud":null,"stock":null,"floor":null}`} {
		var got withDefaults
		if problems := decode([]byte(body), &got, "", true); problems != nil {
			t.Fatal(lines(problems))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	var got withDefaults
	decode([]byte(`{"category":"Z","loud":false,"stock":"4.5"}`), &got, "", true)
	if got.Category != "Z" || got.Loud || got.Stock == nil || got.Stock.String() != "4.5" {
		t.Errorf("decoded = %+v, want category Z, not loud, stock 4.5", got)
	}
}

func TestSent(t *testing.T) {
	type patch struct {
		Name codec.Sent[string]    `json:"name" maxLength:"3"`
		City codec.Sent[string]    `json:"city"`
		Tags codec.Sent[[]string]  `json:"tags" maxItems:"1"`
		ID   codec.Sent[uuid.UUID] `json:"id"`
	}
	var got patch
	if problems := decode([]byte(`{"name":"ab","tags":null}`), &got, "", true); problems != nil {
		t.Fatal(lines(problems))
	}
	want := patch{Name: codec.Sent[string]{Given: true, Value: "ab"}, Tags: codec.Sent[[]string]{Given: true, Null: true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	name, city, tags := "old", "Riyadh", []string{"a"}
	got.Name.Apply(&name)
	got.City.Apply(&city)
	got.Tags.Apply(&tags)
	if name != "ab" || city != "Riyadh" || tags != nil {
		t.Errorf("after Apply: %q %q %q, want \"ab\" \"Riyadh\" []", name, city, tags)
	}
	problems := lines(decode([]byte(`{"name":"abcd","tags":["a","b"],"id":3}`), &patch{}, "", true))
	wanted := []string{"name: must have at most 3 characters", "tags: must have at most 1 item", "id: must be a UUID"}
	if diff := cmp.Diff(wanted, problems); diff != "" {
		t.Error(diff)
	}
}

type address struct {
	City   string `json:"city"`
	Street string `json:"street" optional:"true"`
}

type order struct {
	address
	Title string  `json:"title"`
	Lines []entry `json:"lines"`
}

type entry struct {
	Name  string        `json:"item_name" minLength:"4"`
	Price money.Decimal `json:"price"`
	Sub   []entry       `json:"sub" optional:"true"`
}

func TestEveryProblemInTheOrderOfTheStruct(t *testing.T) {
	body := `{"zeta":1,"lines":[{"price":"x","sub":[{"item_name":"abcd"}],"colour":1},7],"alpha":2,"title":5}`
	want := []string{
		"root.city: Field required",
		"root.title: must be a string",
		"root.lines.0.item_name: Field required",
		"root.lines.0.price: must be a decimal number",
		"root.lines.0.sub.0.price: Field required",
		"root.lines.0.colour: unknown field",
		"root.lines.1: must be an object",
		"root.alpha: unknown field",
		"root.zeta: unknown field",
	}
	if diff := cmp.Diff(want, lines(decode([]byte(body), &order{}, "root", true))); diff != "" {
		t.Error(diff)
	}
	for _, p := range decode([]byte(body), &order{}, "root", false) {
		if p.Message == "unknown field" {
			t.Errorf("unknown field %s was refused although Strict is not set", p.Path)
		}
	}
}

func TestNamesAreCaseSensitive(t *testing.T) {
	got := lines(decode([]byte(`{"X":"a"}`), &holder[string]{}, "", true))
	if diff := cmp.Diff([]string{"x: Field required", "X: unknown field"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAtMostAHundredProblems(t *testing.T) {
	body := `{"x":[` + strings.TrimSuffix(strings.Repeat(`7,`, 137), ",") + `]}`
	got := lines(decode([]byte(body), &holder[[]string]{}, "", true))
	if len(got) != 101 || got[99] != "x.99: must be a string" || got[100] != "and 37 further problems" {
		t.Errorf("%d problems, the last %q; want 100 and a count of the rest", len(got), got[len(got)-1])
	}
}

func TestLongNamesAreShortenedInProblems(t *testing.T) {
	name := strings.Repeat("ش", 1000)
	got := lines(decode([]byte(fmt.Sprintf(`{"x":1,%q:2}`, name)), &holder[int]{}, "", true))
	if len(got) != 1 || len(got[0]) > 200 || !strings.Contains(got[0], "…: unknown field") {
		t.Errorf("problems = %q, want a shortened name", got)
	}
}

// A field with the tag unless must be sent unless the named field is.
func TestDecodeOneOfTwoFields(t *testing.T) {
	type priced struct {
		Net   *money.Decimal `json:"net" unless:"gross"`
		Gross *money.Decimal `json:"gross" optional:"true"`
	}
	o, err := codec.ObjectOf(reflect.TypeFor[priced]())
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]string{
		`{"net":1}`: "", `{"gross":1}`: "", `{"net":null,"gross":1}`: "", `{"net":1,"gross":1}`: "",
		`{}`: "net: Field required", `{"net":null}`: "net: Field required", `{"net":null,"gross":null}`: "net: Field required",
	} {
		var c codec.Problems
		codec.Decode(&c, []byte(body), reflect.New(reflect.TypeFor[priced]()).Elem(), o, codec.Options{})
		var got []string
		for _, p := range c.All() {
			got = append(got, p.Path+": "+p.Message)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: problems %q, want %q", body, got, want)
		}
	}
}
