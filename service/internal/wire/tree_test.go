package wire_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"khatm/service/internal/wire"
)

func TestTextsThatAreNoJSON(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"nothing", ``, "body: Field required"},
		{"white space", " \n", "body: Invalid JSON: unexpected end, expected a value at line 2 column 1"},
		{"half an object", `{"x":`, "body: Invalid JSON: unexpected end, expected a value at line 1 column 6"},
		{"half a string", "{\n\"x", "body: Invalid JSON: unexpected end, expected a closing quote at line 2 column 3"},
		{"trailing data", `{"x":"a"} {}`, "body: Invalid JSON: trailing characters at line 1 column 11"},
		{"trailing comma", `{"x":"a",}`, "body: Invalid JSON: expected a name in double quotes at line 1 column 10"},
		{"single quotes", `{'x':1}`, "body: Invalid JSON: expected a name in double quotes at line 1 column 2"},
		{"no comma", `{"x":"a" "y":1}`, "body: Invalid JSON: expected a comma or a closing bracket at line 1 column 10"},
		{"no colon", `{"x" 1}`, "body: Invalid JSON: expected a colon at line 1 column 6"},
		{"column counts characters", `{"شركة":x}`, "body: Invalid JSON: expected a value at line 1 column 9"},
		{"a leading zero", `{"x":01}`, "body: Invalid JSON: expected a comma or a closing bracket at line 1 column 7"},
		{"a bare point", `{"x":1.}`, "body: Invalid JSON: expected a digit at line 1 column 8"},
		{"plus", `{"x":+1}`, "body: Invalid JSON: expected a value at line 1 column 6"},
		{"NaN", `{"x":NaN}`, "body: Invalid JSON: expected a value at line 1 column 6"},
		{"a tab in a string", "{\"x\":\"a\tb\"}", "body: Invalid JSON: a control character in a string at line 1 column 8"},
		{"an unknown escape", `{"x":"\x41"}`, "body: Invalid JSON: an invalid escape in a string at line 1 column 7"},
		{"half an escape", `{"x":"\u00"}`, "body: Invalid JSON: an invalid escape in a string at line 1 column 7"},
		{"not UTF-8", "{\"x\":\"a\xff\"}", "body: Invalid JSON: not UTF-8 at line 1 column 8"},
		{"a surrogate in UTF-8", "{\"x\":\"\xed\xa0\x80\"}", "body: Invalid JSON: not UTF-8 at line 1 column 7"},
		{"a byte order mark", "\ufeff{}", "body: Invalid JSON: a byte order mark at line 1 column 1"},
		{"a list", `[]`, "body: Input should be a valid dictionary"},
		{"null", `null`, "body: Input should be a valid dictionary"},
		{"too deep", `{"y":` + strings.Repeat(`[`, 32) + strings.Repeat(`]`, 32) + `}`, "body: Invalid JSON: nested deeper than 32 at line 1 column 37"},
		{"too many values", `{"y":[` + strings.Repeat(`1,`, 200_000) + `1]}`, "body: Invalid JSON: more than 200000 values at line 1 column 400003"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := lines(wire.DecodeJSON([]byte(c.body), &holder[string]{}, "", false))
			if len(got) != 1 || got[0] != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	got := lines(wire.DecodeJSON([]byte(`{`), &holder[string]{}, "client_data", false))
	if len(got) != 1 || !strings.HasPrefix(got[0], "client_data: Invalid JSON") {
		t.Errorf("with a root: %q", got)
	}
}

func TestDeepestIsRead(t *testing.T) {
	body := `{"x":"a","y":` + strings.Repeat(`[`, 31) + strings.Repeat(`]`, 31) + `}`
	if got := wire.DecodeJSON([]byte(body), &holder[string]{}, "", false); got != nil {
		t.Errorf("got %q", lines(got))
	}
}

func TestKeysGivenTwice(t *testing.T) {
	many := `"x":"a"`
	for i := range 40 {
		many += fmt.Sprintf(`,"k%d":1`, i)
	}
	cases := []struct{ name, body, want string }{
		{"known", `{"x":"a","x":"a"}`, "x: Key given twice"},
		{"thrice", `{"x":"a","x":"b","x":"c"}`, "x: Key given twice"},
		{"by an escape", `{"x":"a","\u0078":"b"}`, "x: Key given twice"},
		{"unknown", `{"x":"a","y":1,"y":1}`, "y: Key given twice"},
		{"inside what is ignored", `{"x":"a","y":[{"z":1},{"z":1,"z":2}]}`, "y.1.z: Key given twice"},
		{"empty name", `{"x":"a","y":{"":1,"":2}}`, "y.: Key given twice"},
		{"among many", `{` + many + `,"k7":2}`, "k7: Key given twice"},
		{"once among many", `{` + many + `}`, ""},
		{"in two objects", `{"x":"a","y":[{"z":1},{"z":1}]}`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(lines(wire.DecodeJSON([]byte(c.body), &holder[string]{}, "", false)), "; ")
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// FuzzParse holds the reader of JSON to that of the standard library.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `{"a":[1,-2.5e+3,true,false,null,"x\n\u00e9\ud83d\ude00"]}`, `{"a":1,"a":2}`, `01`, `"\ud800"`,
		"\"\x7f\"", `[1,]`, `{"a" 1}`, ` "a" `, `-`, `-0`, `1E5`, `nulll`, `"\u12g4"`, "\"\xc3\"", "[\"\u2028\"]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := wire.Parse(text, func([]wire.Step, string) {})
		switch {
		case err == nil && !json.Valid([]byte(text)):
			t.Fatalf("%q was read, and is not JSON", text)
		case err == nil && len(all) == 0:
			t.Fatalf("%q was read as nothing", text)
		case err != nil && json.Valid([]byte(text)) && utf8.ValidString(text) && !strings.Contains(err.Error(), "nested deeper"):
			t.Fatalf("%q is JSON: %v", text, err)
		}
	})
}
