package view

import (
	"encoding/base64"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHeadersHaveNoSecrets(t *testing.T) {
	r := httptest.NewRequest("POST", "/e-invoicing/simulation/compliance/123987?otp=123987", nil)
	r.SetBasicAuth("the-token", "the-secret")
	for name, value := range map[string]string{
		"OTP": "123987", "Cookie": "session=1", "X-Api-Key": "key-of-proxy", "Proxy-Authorization": "Basic proxy", "X-Secret": "s3cret",
		"Accept-Version": "V2", "Accept-Language": "ar", "User-Agent": "client 1.0 the-secret", "Content-Type": "application/json\x00\u202E",
	} {
		r.Header.Set(name, value)
	}
	got := map[string]Field{}
	text := Path(r)
	for _, f := range Headers(r) {
		got[f.Name] = f
		text += f.Value
	}
	for _, secret := range []string{"123987", "the-token", "the-secret", "session", "key-of-proxy", "proxy", "s3cret", base64.StdEncoding.EncodeToString([]byte("the-token:the-secret"))} {
		if strings.Contains(text, secret) {
			t.Errorf("path and headers %q contain %s", text, secret)
		}
	}
	for name, want := range map[string]Field{
		"Accept-Version": {"Accept-Version", "V2", false}, "Accept-Language": {"Accept-Language", "ar", false}, "Content-Type": {"Content-Type", "application/json ", false},
		"Authorization": {"Authorization", "", true}, "Otp": {"Otp", "", true}, "X-Api-Key": {"X-Api-Key", "", true}, "User-Agent": {"User-Agent", "", true},
	} {
		if got[name] != want {
			t.Errorf("header %s = %+v, want %+v", name, got[name], want)
		}
	}
	for i := range 100 {
		r.Header.Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 1000))
	}
	if n := len(Headers(r)); n != maxHeaders {
		t.Errorf("%d headers, want at most %d", n, maxHeaders)
	}
}

func TestBodiesHaveNoSecrets(t *testing.T) {
	for _, c := range []struct {
		body, want string // want has name=value for each member
		plain      string
	}{
		{`{"invoiceHash":"h","uuid":"u","invoice":"PGEvPg=="}`, `invoiceHash="h" uuid="u" invoice="PGEvPg=="`, ""},
		{`{"csr":"x","otp":"123456","binarySecurityToken":"t","secret":{"deep":1}}`, `csr="x" otp=- binarySecurityToken=- secret=-`, ""},
		{`{"compliance_request_id":1,"INVOICE":"x"}`, `compliance_request_id=1 INVOICE=-`, ""},
		{`{"uuid":"u"`, "", ""},
		{`otp=123456`, "", ""},
		{`654321`, "", ""},
		{`Bearer x`, "", ""},
		{`[1]`, "", "[1]"},
		{"hello \u202Ethere", "", "hello there"},
		{``, "", ""},
	} {
		list, object := members([]byte(c.body))
		var got []string
		for _, f := range list {
			value := f.Value
			if f.Removed {
				value = "-"
			}
			got = append(got, f.Name+"="+value)
		}
		if text := strings.Join(got, " "); text != c.want || object != (c.want != "") {
			t.Errorf("members of %s = %q, %v, want %q", c.body, text, object, c.want)
		}
		if object || strings.HasPrefix(c.body, "{") {
			continue
		}
		if text := plain([]byte(c.body)); text != c.plain {
			t.Errorf("text of %q = %q, want %q", c.body, text, c.plain)
		}
	}
}
