package share

import (
	"errors"
	"strings"
	"testing"

	"khatm/service/internal/ledger"
	"khatm/service/internal/mail"
)

// properNames are valid names of people and businesses, with the form in
// e-mails for those that could be recognised as a link.
var properNames = map[string]string{
	"Noura Al Qahtani": "", "Dr. Sara": "", "A.B. Trading": "", "J.R.R. Tolkien": "", "Al-Noor Trading Co.": "", "Sara (Accounts)": "", "O'Neil & Sons, Ltd.": "",
	"Mohammed bin Salman Jr.": "", "S.A.R.L": "", "Branch No.12": "", "Version 2.0 Trading": "", "Accounts / Jeddah": "", "Finance: Sara": "", "St. Mary": "",
	"نورة القحطاني": "", "د. سارة العتيبي": "", "شركة النور ش.م.م": "", "شركة النور ش.ذ.م.م.": "", "عبد الله بن محمد": "", "مؤسسة الأمل التجارية (فرع جدة)": "", "أ.د. خالد": "", "محمد، وأولاده": "",
	"St.Mary": "St. Mary", "Dr.Sara": "Dr. Sara", "Eng.Khalid": "Eng. Khalid", "M.Ali": "M. Ali", "A.B.Trading": "A.B. Trading", "Alnoor Co.Ltd.": "Alnoor Co. Ltd.",
	"د.سارة": "د. سارة", "م.خالد العتيبي": "م. خالد العتيبي", "أ.د.سارة": "أ.د. سارة",
}

// addresses are names that contain an address, with the form in e-mails for a
// seller with such a name.
var addresses = map[string]string{
	"evil-bank.com/login":               "evil-bank. com/login",
	"Your parcel waits: evil.example/x": "Your parcel waits: evil. example/x",
	"pay@evil.example":                  "pay@ evil. example",
	"Noura evil.com":                    "Noura evil. com",
	"EVIL.COM":                          "EVIL. COM",
	"evil.x.com":                        "evil.x. com",
	"evil.co.uk":                        "evil. co. uk",
	"t.co/abc":                          "t. co/abc",
	"(evil.com)":                        "(evil. com)",
	"www.evil":                          "www. evil",
	"https://evil":                      "https: //evil",
	"Sara http://10.0.0.1/x":            "Sara http: //10.0.0.1/x",
	"evil．com":                          "evil． com",
	"evil。com":                          "evil。 com",
	"evil۔com":                          "evil۔ com",
	"ｅｖｉｌ．ｃｏｍ":                          "ｅｖｉｌ． ｃｏｍ",
	"pay＠evil":                          "pay＠ evil",
	"evil.\u200ccom":                    "evil. \u200ccom",
	"evil\u200d.c\u200com":              "evil\u200d. c\u200com",
	"evil.xn--p1ai":                     "evil. xn--p1ai",
	"بنك.السعودية":                      "بنك. السعودية",
	"راجعوا بنك.شبكة/دخول":              "راجعوا بنك. شبكة/دخول",
	"Dr.evil.com":                       "Dr. evil. com",
	"evil.com.":                         "evil. com.",
	"evil.com,":                         "evil. com,",
	"Noura,evil.com":                    "Noura,evil. com",
}

// TestNamesAreNoAddresses checks that names with dots are accepted and
// addresses are refused.
func TestNamesAreNoAddresses(t *testing.T) {
	t.Parallel()
	for name := range properNames {
		if got, wrong := CleanName(name); got != name || wrong != nil {
			t.Errorf("CleanName(%q) = %q, %v; want it unchanged", name, got, wrong)
		}
	}
	for name := range addresses {
		if _, wrong := CleanName(name); !errors.Is(wrong, ErrStrangeName) {
			t.Errorf("CleanName(%q) returned %v, want %v", name, wrong, ErrStrangeName)
		}
		to := Recipient{Name: name}
		if to.check() == nil {
			t.Errorf("%s is accepted as a recipient", name)
		}
	}
}

// TestNamesInLettersAreNoLinks checks that no name in an e-mail can be
// recognised as a link.
func TestNamesInLettersAreNoLinks(t *testing.T) {
	t.Parallel()
	for _, table := range []map[string]string{properNames, addresses} {
		for name, want := range table {
			if want == "" {
				want = name
			}
			if got := sellerIn(ledger.Party{Name: name}, "en"); got != want {
				t.Errorf("seller %s: got %q, want %q", name, got, want)
			}
			if got := sellerIn(ledger.Party{Name: "x", NameArabic: name}, "ar"); got != want {
				t.Errorf("seller %s in Arabic: got %q, want %q", name, got, want)
			}
			for _, w := range []words{english, arabic} {
				if got := w.hello(name); !strings.Contains(got, " "+want) {
					t.Errorf("recipient %s: got %q, want %q in it", name, got, want)
				}
			}
			if again := mail.Unlinked(want); again != want {
				t.Errorf("mail.Unlinked(%q) = %q, want it unchanged", want, again)
			}
		}
	}
	if got := sellerIn(ledger.Party{Name: " Khatm\n Trading "}, "en"); got != "Khatm Trading" {
		t.Errorf("seller name with two lines: got %q, want \"Khatm Trading\"", got)
	}
}
