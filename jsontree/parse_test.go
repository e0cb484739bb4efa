package jsontree_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"khatm/jsontree"
)

func TestInvalidJSON(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"nothing", ``, "unexpected end, expected a value at line 1 column 1"},
		{"white space", " \n", "unexpected end, expected a value at line 2 column 1"},
		{"half an object", `{"x":`, "unexpected end, expected a value at line 1 column 6"},
		{"half a string", "{\n\"x", "unexpected end, expected a closing quote at line 2 column 3"},
		{"trailing data", `{"x":"a"} {}`, "trailing characters at line 1 column 11"},
		{"trailing comma", `{"x":"a",}`, "expected a name in double quotes at line 1 column 10"},
		{"single quotes", `{'x':1}`, "expected a name in double quotes at line 1 column 2"},
		{"no comma", `{"x":"a" "y":1}`, "expected a comma or a closing bracket at line 1 column 10"},
		{"no colon", `{"x" 1}`, "expected a colon at line 1 column 6"},
		{"column counts characters", `{"شركة":x}`, "expected a value at line 1 column 9"},
		{"a leading zero", `{"x":01}`, "expected a comma or a closing bracket at line 1 column 7"},
		{"a bare point", `{"x":1.}`, "expected a digit at line 1 column 8"},
		{"plus", `{"x":+1}`, "expected a value at line 1 column 6"},
		{"NaN", `{"x":NaN}`, "expected a value at line 1 column 6"},
		{"a tab in a string", "{\"x\":\"a\tb\"}", "a control character in a string at line 1 column 8"},
		{"an unknown escape", `{"x":"\x41"}`, "an invalid escape in a string at line 1 column 7"},
		{"half an escape", `{"x":"\u00"}`, "an invalid escape in a string at line 1 column 7"},
		{"not UTF-8", "{\"x\":\"a\xff\"}", "not UTF-8 at line 1 column 8"},
		{"a surrogate in UTF-8", "{\"x\":\"\xed\xa0\x80\"}", "not UTF-8 at line 1 column 7"},
		{"a byte order mark", "\ufeff{}", "a byte order mark at line 1 column 1"},
		{"too deep", `{"y":` + strings.Repeat(`[`, 32) + strings.Repeat(`]`, 32) + `}`, "nested deeper than 32 at line 1 column 37"},
		{"too many values", `{"y":[` + strings.Repeat(`1,`, 200_000) + `1]}`, "more than 200000 values at line 1 column 400003"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := jsontree.Parse(c.text, ignore); err == nil || err.Error() != c.want {
				t.Errorf("Parse = %v, want %q", err, c.want)
			}
		})
	}
}

func ignore([]jsontree.Step, string) {}

func TestParse(t *testing.T) {
	got, err := jsontree.Parse(` {"b":[1.50,true,"\u0634\n"],"a":null,"b":{"c":false}} `, ignore)
	want := jsontree.Tree{
		{Kind: jsontree.Object, Next: 8, Size: 3},
		{Kind: jsontree.Array, Key: "b", Next: 5, Size: 3},
		{Kind: jsontree.Number, Text: "1.50", Next: 3},
		{Kind: jsontree.True, Next: 4},
		{Kind: jsontree.String, Text: "ش\n", Next: 5},
		{Kind: jsontree.Null, Key: "a", Next: 6},
		{Kind: jsontree.Object, Key: "b", Next: 8, Size: 1},
		{Kind: jsontree.False, Key: "c", Next: 8},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("Parse = %+v, %v, want %+v", got, err, want)
	}
	if inside := slices.Collect(got.Inside(0)); !slices.Equal(inside, []int{1, 5, 6}) {
		t.Errorf("the children of the object are %v, want 1, 5 and 6", inside)
	}
	if inside := slices.Collect(got.Inside(5)); inside != nil {
		t.Errorf("the children of null are %v, want none", inside)
	}
}

func TestDuplicateNames(t *testing.T) {
	var got []string
	_, err := jsontree.Parse(`{"a":1,"b":[{},{"c":1,"c":2,"\u0063":3}],"a":2}`, func(path []jsontree.Step, name string) {
		for _, s := range path {
			if s.Index < 0 {
				got = append(got, s.Name)
			} else {
				got = append(got, string(rune('0'+s.Index)))
			}
		}
		got = append(got, name, ";")
	})
	if want := "b 1 c ; a ;"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("duplicates = %q, %v, want %q", got, err, want)
	}
}

// TestUnpairedSurrogate checks that an unpaired surrogate is kept as invalid UTF-8.
func TestUnpairedSurrogate(t *testing.T) {
	const want = "a\xed\xa0\x80b"
	got, err := jsontree.Parse(`"a\ud800b"`, ignore)
	if err != nil || got[0].Text != want {
		t.Errorf("Parse = %q, %v, want %q", got, err, want)
	}
}

// FuzzParse compares the parser with that of the standard library.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `{"a":[1,-2.5e+3,true,false,null,"x\n\u00e9\ud83d\ude00"]}`, `{"a":1,"a":2}`, `01`, `"\ud800"`,
		"\"\x7f\"", `[1,]`, `{"a" 1}`, ` "a" `, `-`, `-0`, `1E5`, `nulll`, `"\u12g4"`, "\"\xc3\"", "[\"\u2028\"]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := jsontree.Parse(text, ignore)
		switch {
		case err == nil && !json.Valid([]byte(text)):
			t.Fatalf("%q was parsed but is not JSON", text)
		case err == nil && len(all) == 0:
			t.Fatalf("%q was parsed as an empty tree", text)
		case err != nil && json.Valid([]byte(text)) && utf8.ValidString(text) && !strings.Contains(err.Error(), "nested deeper"):
			t.Fatalf("%q is JSON but was not parsed: %v", text, err)
		}
	})
}
