package codec_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"khatm/money"
)

// loose has types that encoding/json can decode too.
type loose struct {
	Name  string         `json:"name" optional:"true"`
	Count int64          `json:"count" optional:"true"`
	Loud  bool           `json:"loud" optional:"true"`
	Price *money.Decimal `json:"price" optional:"true"`
	Tags  []string       `json:"tags" optional:"true"`
	Inner *loose         `json:"inner" optional:"true"`
	Lines []loose        `json:"lines" optional:"true"`
}

// FuzzDecode checks that Decode never panics, and that it returns either problems or
// the same value as encoding/json, except for Unicode normalization.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a","count":1,"loud":true,"price":"1.5","tags":["x"],"inner":{"count":-3},"lines":[{},{"price":2e1}]}`,
		`{"name":null,"price":null,"lines":null}`, `{"name":"e\u0301"}`, `{"count":1.0}`, `{"Name":"a"}`,
		`{"name":"\ud800"}`, `{"lines":[{"lines":[{"count":"1"}]}],"x":{"y":1,"y":2}}`, `{"price":true}`, `{"name":"a\u0000"}`,
	} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, body []byte, strict bool) {
		var got loose
		problems := decode(body, &got, "", strict)
		for _, p := range problems {
			if p.Message == "" || !utf8.ValidString(p.Path) {
				t.Fatalf("body %q: problem %+v has no message or an invalid path", body, p)
			}
		}
		if len(problems) > 0 {
			return
		}
		var want loose
		decoder := json.NewDecoder(strings.NewReader(string(body)))
		if err := decoder.Decode(&want); err != nil {
			t.Fatalf("Decode accepts %q, but encoding/json returns %v", body, err)
		}
		if unlikeInCase(body) {
			return // encoding/json ignores the case of names
		}
		a, b := text(t, got), text(t, want)
		if a != b {
			t.Fatalf("body %q\ndecoded as %s\nwant        %s", body, a, b)
		}
	})
}

// unlikeInCase reports whether the text contains a field name in another case.
func unlikeInCase(body []byte) bool {
	var names func(v any) bool
	names = func(v any) bool {
		switch v := v.(type) {
		case map[string]any:
			for name, inner := range v {
				for _, known := range []string{"name", "count", "loud", "price", "tags", "inner", "lines"} {
					if name != known && strings.EqualFold(name, known) {
						return true
					}
				}
				if names(inner) {
					return true
				}
			}
		case []any:
			for _, inner := range v {
				if names(inner) {
					return true
				}
			}
		}
		return false
	}
	var v any
	return json.Unmarshal(body, &v) != nil || names(v)
}

func text(t *testing.T, v loose) string {
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return norm.NFC.String(string(out))
}
