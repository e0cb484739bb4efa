package api_test

import (
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

func TestDecisions_ReadingInput_TextIsKeptInNormalFormC(t *testing.T) {
	cases := []struct{ name, field, sent, want string }{
		{"letter and mark become one", "buyer_name", "Cafe\u0301", "Café"},
		{"alef and madda become one", "buyer_name_arabic", "ا\u0653ل", "آل"},
		{"spaces between words become one", "buyer_name", "  Al \t Noor \r\n Trading  ", "Al Noor Trading"},
		{"emoji are kept", "buyer_name", "Bakery 🥐 👨‍👩‍👧", "Bakery 🥐 👨‍👩‍👧"},
		{"direction marks at the ends are removed", "buyer_name", "\u200fAl Noor\u200e", "Al Noor"},
		{"direction marks within the text are kept", "buyer_name", "A\u202eB", "A\u202eB"},
		{"a character outside the first plane, as a pair of escapes", "street", `\ud83c\udfe0 street`, "🏠 street"},
		{"markup is text", "street", "<b>&amp;'\\\"</b>", `<b>&amp;'"</b>`},
		{"a line separator becomes a space", "district", "A\u2028B", "A B"},
		{"a VAT number in Arabic digits", "vat_registration_number", "٣٢٢٢٢٢٢٢٢٢٠٠٠٠٣", "322222222200003"},
		{"a VAT number in Persian digits", "vat_registration_number", "۳۲۲۲۲۲۲۲۲۲۰۰۰۰۳", "322222222200003"},
		{"a VAT number in groups", "vat_registration_number", "322 222 222 200 003", "322222222200003"},
		{"a VAT number between direction marks", "vat_registration_number", "\u200f322222222200003\u200e", "322222222200003"},
		{"a building number in Arabic digits", "building_number", "٤٣٢١", "4321"},
		{"a postal code in Arabic digits", "postal_code", "٥٤٣٢١", "54321"},
		{"a telephone number in Arabic digits", "contact_phone", "+٩٦٦ ٥٠ ٠٠٠ ٠٠٠٠", "+966 50 000 0000"},
	}
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		path, _ := h.Buyer(t)
		for _, c := range cases {
			body := `{"` + c.field + `":"` + strings.NewReplacer("\t", `\t`, "\r", `\r`, "\n", `\n`).Replace(c.sent) + `"}`
			servicetest.Same(t, c.name, h.Change(path, body).Wants(t, http.StatusOK)[c.field], any(c.want))
			servicetest.Same(t, c.name+", stored", h.Read(t, path)[c.field], any(c.want))
		}
	})
}

func TestDecisions_ReadingInput_LengthsCountCharacters(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		path := "/api/items/" + servicetest.IDOf(h.AddItem(t, servicetest.GoodItem())) + "/"
		for _, letter := range []string{"a", "ا", "😀", "e\u0301"} {
			for n, want := range map[int]int{3: http.StatusBadRequest, 4: http.StatusOK, 50: http.StatusOK, 51: http.StatusBadRequest} {
				if a := h.Change(path, servicetest.AsJSON(t, servicetest.Record{"item_name": strings.Repeat(letter, n)})); a.Status != want {
					t.Errorf("text of %d × %s: status %d, body %s; want %d", n, letter, a.Status, a.Body, want)
				}
			}
		}
		buyer, _ := h.Buyer(t)
		for n, want := range map[int]int{1000: http.StatusOK, 1001: http.StatusBadRequest} {
			if a := h.Change(buyer, servicetest.AsJSON(t, servicetest.Record{"buyer_name": strings.Repeat("😀", n)})); a.Status != want {
				t.Errorf("text of %d characters: status %d, body %.300s; want %d", n, a.Status, a.Body, want)
			}
		}
	})
}

func TestDecisions_ReadingInput_TextGoesThroughBothEnginesUnharmed(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		path, _ := h.Buyer(t)
		shop := h.NewSeller()
		notes := "/api/invoices/" + shop.Created(shop.Standard()).String() + "/notes/"
		for n, text := range []string{
			`'; DROP TABLE client; --`, `" OR ""="`, `\`, `\\server\share`, `%_[]^`, `{{7*7}}`, `${jndi:ldap://x}`, `$1 ? :name @p`, "../../etc/passwd",
			"null", "NULL", "0", "-1", "true", "[]", "{}", "\u007f\u0080\u009f\u00ad", "\u0600\u061c\u06dd", "\ufffd", "𐎀𝕏", "\u00e0\u0301\u0302\u0303\u0304\u0305",
		} {
			servicetest.Same(t, text, h.Change(path, servicetest.AsJSON(t, servicetest.Record{"contact_name": "x" + text + "x"})).Wants(t, http.StatusOK)["contact_name"], any("x"+text+"x"))
			servicetest.Same(t, text+", kept", h.Read(t, path)["contact_name"], any("x"+text+"x"))
			h.Call(http.MethodPost, "/v1"+notes, servicetest.AsJSON(t, servicetest.Record{"title": "x" + text + "x", "details": text + "x"})).Wants(t, http.StatusCreated)
			kept, _ := h.Read(t, notes)["notes"].([]any)
			if len(kept) != n+1 {
				t.Fatalf("%d notes are stored after adding %d", len(kept), n+1)
			}
			servicetest.Same(t, text+", in an invoice's note", servicetest.Names(t, kept, "title")[n]+servicetest.Names(t, kept, "details")[n], "x"+text+"x"+text+"x")
			issued := shop.Full(shop.Created(shop.Standard(servicetest.Fields{"notes": []any{servicetest.Fields{"language_id": "en", "note": text + "x"}}, "form_lines": []any{shop.Line(servicetest.Fields{"item_name": "xxx" + text})}})))
			servicetest.Same(t, text+", on an invoice", []any{servicetest.Names(t, issued["notes"], "note"), servicetest.Names(t, issued["lines"], "item_name")}, []any{[]string{text + "x"}, []string{"xxx" + text}})
		}
	})
}
