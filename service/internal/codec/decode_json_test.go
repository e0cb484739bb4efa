package codec_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestBodyThatIsNotAnObject(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"empty", ``, "body: Field required"},
		{"an incomplete object", `{"x":`, "body: Invalid JSON: unexpected end, expected a value at line 1 column 6"},
		{"an array", `[]`, "body: must be an object"},
		{"null", `null`, "body: must be an object"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := lines(decode([]byte(c.body), &holder[string]{}, "", false))
			if len(got) != 1 || got[0] != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	got := lines(decode([]byte(`{`), &holder[string]{}, "client_data", false))
	if len(got) != 1 || !strings.HasPrefix(got[0], "client_data: Invalid JSON") {
		t.Errorf("problems with a root = %q, want client_data: Invalid JSON", got)
	}
}

func TestMaximumDepthIsAccepted(t *testing.T) {
	body := `{"x":"a","y":` + strings.Repeat(`[`, 31) + strings.Repeat(`]`, 31) + `}`
	if got := decode([]byte(body), &holder[string]{}, "", false); got != nil {
		t.Errorf("problems at the maximum depth = %q, want none", lines(got))
	}
}

func TestKeysGivenTwice(t *testing.T) {
	many := `"x":"a"`
	for i := range 40 {
		many += fmt.Sprintf(`,"k%d":1`, i)
	}
	cases := []struct{ name, body, want string }{
		{"known", `{"x":"a","x":"a"}`, "x: must not be given twice"},
		{"thrice", `{"x":"a","x":"b","x":"c"}`, "x: must not be given twice"},
		{"written with an escape", `{"x":"a","\u0078":"b"}`, "x: must not be given twice"},
		{"unknown", `{"x":"a","y":1,"y":1}`, "y: must not be given twice"},
		{"inside an ignored field", `{"x":"a","y":[{"z":1},{"z":1,"z":2}]}`, "y.1.z: must not be given twice"},
		{"empty name", `{"x":"a","y":{"":1,"":2}}`, "y.: must not be given twice"},
		{"among many", `{` + many + `,"k7":2}`, "k7: must not be given twice"},
		{"once among many", `{` + many + `}`, ""},
		{"in two objects", `{"x":"a","y":[{"z":1},{"z":1}]}`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(lines(decode([]byte(c.body), &holder[string]{}, "", false)), "; ")
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
