package recording

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestRedact(t *testing.T) {
	for _, c := range []struct {
		name, body string
		known      []string
		want, cut  string
	}{
		{"credential", `{"requestID":12, "binarySecurityToken" : "VElJ" ,"secret":"c2Vj","errors":null}`, nil,
			`{"requestID":12, "binarySecurityToken" : "[removed]" ,"secret":"[removed]","errors":null}`, ""},
		{"nested", `{"value":{"secret":"x","list":[{"Secret":"y"},"kept"]}}`, nil,
			`{"value":{"secret":"[removed]","list":[{"Secret":"[removed]"},"kept"]}}`, ""},
		{"inside a secret", `{"secret":{"a":["x",1,true,null]},"b":"kept"}`, nil,
			`{"secret":{"a":["[removed]",0,true,null]},"b":"kept"}`, ""},
		{"spellings", `{"access_token":"x","Client-Secret":"y","OTP":123456,"tokenType":"kept"}`, nil,
			`{"access_token":"[removed]","Client-Secret":"[removed]","OTP":0,"tokenType":"kept"}`, ""},
		{"escaped name", `{"se\u0063ret":"x"}`, nil, `{"se\u0063ret":"[removed]"}`, ""},
		{"null keeps its type", `{"secret":null}`, nil, `{"secret":null}`, ""},
		{"repeated before", `{"message":"it is c2VjcmV0 now","secret":"c2VjcmV0"}`, nil,
			`{"message":"[removed]","secret":"[removed]"}`, ""},
		{"known, escaped", `{"message":"OTP 12334\u0035 is wrong","n":123345,"123345":1}`, []string{"123345"},
			`{"message":"[removed]","n":0,"[removed]":1}`, ""},
		{"document", `{"invoice":"xx123345xx","uuid":"u"}`, []string{"123345"}, `{"invoice":"xx123345xx","uuid":"u"}`, ""},
		{"half a secret", `{"a":1,"secret":"c2Vj`, nil, `{"a":1,"secret"`, "not valid JSON after 15 bytes"},
		{"half a list", `[{"a":1}`, nil, `[{"a":1}`, "not valid JSON after 8 bytes"},
		{"page", `<html>You sent Basic abcdef</html>`, []string{"Basic abcdef"}, `<html>You sent [removed]</html>`, ""},
		{"page that names a secret", `<html>Authorization: Basic abcdef</html>`, []string{"Basic abcdef"}, ``, "not JSON, and it may contain a secret"},
		{"byte order mark", "\uFEFF" + `{"secret":"x","a":1}`, nil, `{"secret":"[removed]","a":1}`, ""},
		{"XML", `<secret>x</secret>`, nil, ``, "not JSON, and it may contain a secret"},
		{"form", `a=1&secret=x&otp=123345`, nil, ``, "not JSON, and it may contain a secret"},
		{"prefixed JSON", `)]}',{"binarySecurityToken":"x"}`, nil, ``, "not JSON, and it may contain a secret"},
		{"JSON in a text", `{"details":"{\"secret\":\"x\"}","b":"kept"}`, nil, `{"details":"[removed]","b":"kept"}`, ""},
		{"compound names", `{"authToken":"x","portalOTP":"y","notProvided":"kept"}`, nil, `{"authToken":"[removed]","portalOTP":"[removed]","notProvided":"kept"}`, ""},
		{"UTF-16", "\xff\xfes\x00e\x00c\x00r\x00e\x00t\x00=\x00x\x00", nil, ``, "not JSON, and it may contain a secret"},
		{"known in UTF-16", "1\x002\x003\x003\x004\x005\x00", []string{"123345"}, ``, "not JSON, and it may contain a secret"},
		{"empty", ``, nil, ``, ""},
		{"white space", " \n", nil, " \n", ""},
		{"text", `"OTP 123345"` + "\n", []string{"123345"}, `"[removed]"` + "\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := redact([]byte(c.body), c.known)
			if string(got.body) != c.want || got.cut != c.cut {
				t.Errorf("redact(%s) = %s, cut %q; want %s, cut %q", c.body, got.body, got.cut, c.want, c.cut)
			}
		})
	}
}

// FuzzRedact checks that no known secret is left, that the secret of a credential
// is removed, and that valid JSON stays valid.
func FuzzRedact(f *testing.F) {
	f.Add([]byte(`{"requestID":12,"binarySecurityToken":"VElJ","secret":"SECRET-CANARY"}`))
	f.Add([]byte(`{"value":{"secret":["SECRET-CANARY",{"x":"SECRET-CANARY"}]},"message":"SECRET-CANARY"}`))
	f.Add([]byte(`<html>SECRET-CANARY</html>`))
	f.Add([]byte(`{"a":"SECRET-CANARY`))
	f.Add([]byte(`{"\u0053ECRET-CANARY":1} [1,"SECRET\u002dCANARY"]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		const canary = "SECRET-CANARY"
		got := redact(body, []string{canary})
		if !bytes.Contains(bytes.ToLower(body), []byte("invoice")) && contains(got.body, canary) {
			t.Errorf("redact(%q) = %q, which contains %s", body, got.body, canary)
		}
		if json.Valid(body) && (!json.Valid(got.body) || got.cut != "") {
			t.Errorf("redact(%q) = %q, cut %q; want valid JSON", body, got.body, got.cut)
		}
	})
}

// contains reports whether a body contains a text, also escaped.
func contains(body []byte, text string) bool {
	if bytes.Contains(body, []byte(text)) {
		return true
	}
	var value any
	if json.Unmarshal(body, &value) != nil {
		return false
	}
	var plain bytes.Buffer
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value) == nil && strings.Contains(plain.String(), text)
}
