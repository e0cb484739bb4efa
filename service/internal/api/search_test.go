package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/org"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/trade"
)

// spellings lists pairs of a stored text and a search text; each must find the
// other.
var spellings = [][2]string{
	{"أحمد", "احمد"}, {"إبراهيم", "ابراهيم"}, {"آمنة", "امنه"}, {"مؤسسة البناء", "موسسه البناء"}, {"الغذائية", "الغذايية"},
	{"مصطفى", "مصطفي"}, {"هدى", "هدي"}, {"مكتبة جرير", "مكتبه جرير"}, {"مُحَمَّد", "محمد"}, {"الرِّيَاضُ", "الرياض"},
	{"شـــركة الخليج", "شركة الخليج"}, {"ٱلسلام", "السلام"}, {"گلف", "كلف"}, {"پاندا", "باندا"}, {"ڤيلا", "فيلا"},
	{"چاردن", "جاردن"}, {"کریم", "كريم"}, {"عبدﷲ", "عبدالله"}, {"ﻻمع", "لامع"}, {"مطعم ٢٠٣٠", "مطعم 2030"},
	{"محل ۴۵۶", "محل 456"}, {"نور\u200cالعين", "نورالعين"}, {"\u200fالقمة\u200f", "القمة"}, {"مـَـدار", "مدار"}, {"سماء", "سما"},
	{"شيء جميل", "شي جميل"}, {"رؤى", "روي"}, {"لؤلؤة", "لولوه"}, {"بيئة", "بييه"}, {"ﻣﺼﻨﻊ", "مصنع"},
	{"CAFÉ", "cafe"}, {"Zürich", "ZURICH"}, {"Łódź", "lodz"}, {"Straße", "strasse"}, {"Ærø", "aero"},
	{"O'Brien", "obrien"}, {"Al-Rajhi", "alrajhi"}, {"W.L.L. Partners", "wll partners"}, {"ＡＢＣＤ", "abcd"}, {"ﬁshery", "fishery"},
	{"Ñandú", "nandu"}, {"İstanbul", "istanbul"}, {"e\u0301cole", "école"}, {"Mc’Donald", "mcdonald"}, {"Ibn ʿArabi", "ibn arabi"},
	{"Smith & Sons", "smith sons"}, {"snake_case", "snakecase"}, {"Shop １２３４５", "shop 12345"}, {"Ðelta", "delta"}, {"ΣΟΦΟΣ", "σοφός"},
	{"SABIC", "sabic"}, {"Jean‑Luc", "jeanluc"},
}

// found returns the ids in the result of a search.
func found(h *servicetest.Instance, t testing.TB, path, rows, asked string) []string {
	t.Helper()
	list := h.Read(t, path+"?search_text="+url.QueryEscape(asked))
	ids := servicetest.Names(t, list[rows], "uuid")
	servicetest.Same(t, "total of "+asked, list["total"], any(servicetest.Number(len(ids))))
	return ids
}

func TestSpellingsArePairsAndNoTwoAreAlike(t *testing.T) {
	t.Parallel()
	for i, pair := range spellings {
		if trade.Fold(pair[0]) != trade.Fold(pair[1]) || pair[0] == pair[1] {
			t.Errorf("%q and %q do not match each other in a search", pair[0], pair[1])
		}
		for j := range spellings {
			if i != j && strings.Contains(trade.Fold(spellings[j][0]), trade.Fold(pair[0])) {
				t.Errorf("%q also matches %q", pair[0], spellings[j][0])
			}
		}
	}
}

func TestInterface_4_3_SearchFindsEverySpelling(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		clients, items := make([]string, len(spellings)), make([]string, len(spellings))
		for i, pair := range spellings {
			clients[i] = servicetest.IDOf(h.AddClient(t, servicetest.With(t, leastClient(), servicetest.Record{"buyer_name": pair[0]})))
			items[i] = servicetest.IDOf(h.AddItem(t, servicetest.With(t, servicetest.GoodItem(), servicetest.Record{"item_name": pair[1] + " unit"})))
		}
		for i, pair := range spellings {
			for _, asked := range pair {
				servicetest.Same(t, fmt.Sprintf("%s, asked as %s", pair[0], asked), found(h, t, "/api/buyers/", "buyers", asked), []string{clients[i]})
				servicetest.Same(t, fmt.Sprintf("%s, asked as %s", pair[1], asked), found(h, t, "/api/items/", "items", asked), []string{items[i]})
			}
		}
		t.Logf("%d pairs, each stored in one spelling and searched in both", len(spellings))
	})
}

func TestInterface_4_3_SearchLooksAtNamesNumbersContactAndCity(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		wanted := servicetest.IDOf(h.AddClient(t, servicetest.With(t, servicetest.GoodClient(), servicetest.Record{"contact_name": "Noura Al Saud", "contact_phone": "+966 50 123 4567", "city": "Abha"})))
		h.AddClient(t, leastClient())
		other, _ := h.Stranger()
		h.Client(other, "Al Noor Trading")
		for _, asked := range []string{
			"al noor", "NOOR trading", "trading noor al", "النور", "شركه", "311111111100003", "٣١١١١١١١١١٠٠٠٠٣", "1010010000", "noura", "saud noura",
			"accounts@alnoor.example", "966501234567", "0501234567", "abha", "noor%", "(noor)",
		} {
			servicetest.Same(t, asked, found(h, t, "/api/buyers/", "buyers", asked), []string{wanted})
		}
		for _, asked := range []string{"noor xyz", "nobody", "no%xr", "no_r"} {
			servicetest.Same(t, asked, found(h, t, "/api/buyers/", "buyers", asked), []string{})
		}
		for _, nothing := range []string{"", "  ", "%", "_"} {
			servicetest.Same(t, "all, for "+nothing, len(found(h, t, "/api/buyers/", "buyers", nothing)), 2)
		}
	})
}

func TestInterface_4_3_SearchFollowsAChange(t *testing.T) {
	servicetest.MostlySQLite(t, func(t *testing.T, h *servicetest.Instance) {
		path, _ := h.Buyer(t)
		h.Change(path, `{"buyer_name":"Gulf Bakery","buyer_name_arabic":"مخبز الخليج"}`).Wants(t, http.StatusOK)
		servicetest.Same(t, "the old name", found(h, t, "/api/buyers/", "buyers", "trading"), []string{})
		servicetest.Same(t, "the new name", len(found(h, t, "/api/buyers/", "buyers", "bakery خليج")), 1)
		item := servicetest.IDOf(h.AddItem(t, servicetest.GoodItem()))
		h.Change("/api/items/"+item+"/", `{"item_name":"Croissant","description":"With almonds"}`).Wants(t, http.StatusOK)
		servicetest.Same(t, "the old item", found(h, t, "/api/items/", "items", "laptop"), []string{})
		servicetest.Same(t, "the new item", found(h, t, "/api/items/", "items", "almonds"), []string{item})
	})
}

func TestDecisions_List_SearchIsPagedLikeTheList(t *testing.T) {
	servicetest.EachEngine(t, func(t *testing.T, h *servicetest.Instance) {
		var want []string
		for n := range 45 {
			h.Client(h.Org, fmt.Sprint("Other ", n))
			want = append(want, h.Client(h.Org, fmt.Sprint("Wanted ", n)).ID.String())
		}
		slices.Reverse(want)
		var byPage, byCursor []string
		for page := 1; page <= 5; page++ {
			got := h.Read(t, fmt.Sprintf("/api/buyers/?search_text=wanted&page_size=10&page=%d", page))
			byPage = append(byPage, servicetest.Names(t, got["buyers"], "uuid")...)
			servicetest.Same(t, "the envelope", []any{got["total"], got["num_pages"], got["current_page"], got["total_capped"]}, []any{servicetest.Number(45), servicetest.Number(5), servicetest.Number(page), false})
		}
		servicetest.Same(t, "by page", byPage, want)
		got := h.Read(t, "/api/buyers/?search_text=wanted&page_size=7")
		byCursor = servicetest.Names(t, got["buyers"], "uuid")
		for got["next_cursor"] != nil {
			got = h.Read(t, fmt.Sprint("/api/buyers/?search_text=wanted&page_size=7&cursor=", got["next_cursor"]))
			byCursor = append(byCursor, servicetest.Names(t, got["buyers"], "uuid")...)
		}
		servicetest.Same(t, "by cursor", byCursor, want)
		stranger := h.NewKey(h.Organisation("Other Trading", "business"), org.ViewInvoice)
		servicetest.Same(t, "in another organisation", h.As(stranger, http.MethodGet, "/v1/api/buyers/?search_text=wanted", "").Wants(t, http.StatusOK)["buyers"], any([]any{}))
	})
}
