package api_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/internal/testtool"
	"khatm/service/internal/servicetest"
)

func TestBadInput_NotAJSONObject(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"a":`, 33) + "1" + strings.Repeat("}", 33)
	many := `{"a":[` + strings.Repeat("1,", 200_000) + "1]}"
	cases := []struct{ body, want string }{
		{`null`, "must be an object"},
		{`true`, "must be an object"},
		{`7`, "must be an object"},
		{`"{}"`, "must be an object"},
		{`[]`, "must be an object"},
		{`[{}]`, "must be an object"},
		{` `, "Invalid JSON: unexpected end, expected a value at line 1 column 2"},
		{`{`, "Invalid JSON: unexpected end, expected a name in double quotes at line 1 column 2"},
		{`}`, "Invalid JSON: expected a value at line 1 column 1"},
		{`{"a":1`, "Invalid JSON: unexpected end, expected a comma or a closing bracket at line 1 column 7"},
		{`{"a":1,}`, "Invalid JSON: expected a name in double quotes at line 1 column 8"},
		{`{a:1}`, "Invalid JSON: expected a name in double quotes at line 1 column 2"},
		{`{'a':1}`, "Invalid JSON: expected a name in double quotes at line 1 column 2"},
		{`{"a" 1}`, "Invalid JSON: expected a colon at line 1 column 6"},
		{`{"a":1 "b":2}`, "Invalid JSON: expected a comma or a closing bracket at line 1 column 8"},
		{`{"a":tru}`, "Invalid JSON: expected a value at line 1 column 6"},
		{`{"a":"x}`, "Invalid JSON: unexpected end, expected a closing quote at line 1 column 9"},
		{"{\"a\":\"x\ny\"}", "Invalid JSON: a control character in a string at line 1 column 8"},
		{"{\"a\":\"x\x00y\"}", "Invalid JSON: a control character in a string at line 1 column 8"},
		{`{"a":"\x"}`, "Invalid JSON: an invalid escape in a string at line 1 column 7"},
		{`{"a":"\u12"}`, "Invalid JSON: an invalid escape in a string at line 1 column 7"},
		{"{\n  \"a\": 1,\n  // why\n}", "Invalid JSON: expected a name in double quotes at line 3 column 3"},
		{`{"a":1} {"b":2}`, "Invalid JSON: trailing characters at line 1 column 9"},
		{`{"a":1}]`, "Invalid JSON: trailing characters at line 1 column 8"},
		{"\ufeff{}", "Invalid JSON: a byte order mark at line 1 column 1"},
		{"{\"a\":\"\xff\"}", "Invalid JSON: not UTF-8 at line 1 column 7"},
		{"{\"a\":\"\xc3\"}", "Invalid JSON: not UTF-8 at line 1 column 7"},
		{"{\"a\":\"\xed\xa0\x80\"}", "Invalid JSON: not UTF-8 at line 1 column 7"},
		{"\xff\xfe{\x00}\x00", "Invalid JSON: not UTF-8 at line 1 column 1"},
		{deep, "Invalid JSON: nested deeper than 32 at line 1 column 161"},
		{many, "Invalid JSON: more than 200000 values at line 1 column 400003"},
		{"<client/>", "Invalid JSON: expected a value at line 1 column 1"},
		{"buyer_name=x&street=y", "Invalid JSON: expected a value at line 1 column 1"},
	}
	h := servicetest.Open(t, nil)
	count := 0
	for n, in := range wholeInlets(h, t) {
		for _, c := range testtool.Spread(cases, n, 3) {
			servicetest.Same(t, in.Name+" "+c.body[:min(60, len(c.body))], in.Send(c.body).Problems(t), []string{in.At("") + c.want})
			count++
		}
	}
	t.Logf("%d cases", count)
}

func TestBadInput_AllProblemsInFieldOrder(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	client, item, buyer, article := inlets(h, t)
	servicetest.Same(t, "an empty client", client.Send(`{}`).Problems(t), []string{
		"client_data.buyer_name: Field required", "client_data.business_type: Field required", "client_data.industry: Field required",
		"client_data.street: Field required", "client_data.province_state: Field required",
	})
	servicetest.Same(t, "an empty item", item.Send(`{}`).Problems(t), []string{
		"item_data.item_name: Field required", "item_data.item_net_price: Field required", "item_data.unit_of_measure: Field required",
		"item_data.vat_category_code: Field required", "item_data.vat_rate: Field required",
	})
	servicetest.Same(t, "a buyer", buyer.Send(`{"postal_code":5,"street":"","contact_email":"x\u0000","buyer_name":[]}`).Problems(t), []string{
		"buyer_name: must be a string", "street: must have at least 1 character",
		"postal_code: must be a string", "contact_email: must not contain the character U+0000",
	})
	servicetest.Same(t, "rules are checked after types", buyer.Send(`{"postal_code":"1","country_code":"XX","contact_email":"x","buyer_name":"  "}`).Problems(t), []string{
		"buyer_name: Field required",
		"country_code: must be a country code of two capital letters, such as SA or AE",
		"contact_email: must be an e-mail address such as name@example.com",
	})
	servicetest.Same(t, "an item", article.Send(`{"stock":-1,"item_name":"abc","is_active":"yes","vat_rate":101}`).Problems(t), []string{
		"item_name: must have at least 4 characters", "vat_rate: must be at most 100",
		"stock: must be at least 0", "is_active: must be true or false",
	})
	for _, in := range wholeInlets(h, t) {
		twice := strings.TrimSuffix(in.Put(t, "x", "1"), "}") + `,"x":2,"x":3,"y":{"z":1,"z":1}}`
		servicetest.Same(t, in.Name+" names given twice", in.Send(twice).Problems(t), []string{in.At("y.z") + "must not be given twice", in.At("x") + "must not be given twice"})
	}
}

func TestBadInput_OtherMediaTypes(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	path, id := h.Buyer(t)
	for media, want := range map[string]string{
		"text/plain": "The body must be application/json in UTF-8.", "application/x-www-form-urlencoded": "The body must be application/json in UTF-8.",
		"application/json; charset=utf-16": "The body must be application/json in UTF-8.", "application/": "The body must be application/json in UTF-8.",
		"multipart/form-data; boundary=x": "The body must be application/json in UTF-8.",
	} {
		a := h.Send(http.MethodPatch, "/v1"+path, servicetest.Bearer(h.Key), servicetest.JSONBody(`{"city":"Jeddah"}`), servicetest.Header("Content-Type", media))
		servicetest.Same(t, media, a.Problems(t), []string{want})
	}
	packed := h.Send(http.MethodPatch, "/v1"+path, servicetest.Bearer(h.Key), servicetest.JSONBody(`{"city":"Jeddah"}`), servicetest.Header("Content-Encoding", "gzip"))
	servicetest.Same(t, "compressed", packed.Problems(t), []string{"The body must not be compressed."})
	servicetest.Same(t, "no body", h.Send(http.MethodPatch, "/v1"+path, servicetest.Bearer(h.Key)).Problems(t), []string{"body: Field required"})
	large := `{"city":"` + strings.Repeat("x", 4<<20) + `"}`
	servicetest.Same(t, "more than four megabytes", h.Change(path, large).Problems(t), []string{"The body is larger than 4194304 bytes."})
	servicetest.Same(t, "stored record", h.Read(t, path), wantBuyer(id, nil))
	for _, media := range []string{"application/json; charset=UTF-8", "Application/JSON"} {
		h.Send(http.MethodPatch, "/v1"+path, servicetest.Bearer(h.Key), servicetest.JSONBody(`{}`), servicetest.Header("Content-Type", media)).Wants(t, http.StatusOK)
	}
}
