package tafqit

import (
	"strings"

	"khatm/money"
)

// noun holds the Arabic forms of a counted noun.
type noun struct {
	one      string // singular, also in the genitive after hundreds: ريال سعودي
	two      string // dual: ريالان سعوديان
	few      string // plural, after three to ten: ريالات سعودية
	many     string // accusative singular, after eleven to ninety-nine: ريالًا سعوديًا
	feminine bool
}

// scale is an Arabic word for a power of a thousand. All of them are masculine.
type scale struct {
	noun
	pair string // dual before the noun that it governs: ألفا
}

var scales = []scale{
	{},
	{noun{one: "ألف", two: "ألفان", few: "آلاف", many: "ألفًا"}, "ألفا"},
	{noun{one: "مليون", two: "مليونان", few: "ملايين", many: "مليونًا"}, "مليونا"},
	{noun{one: "مليار", two: "ملياران", few: "مليارات", many: "مليارًا"}, "مليارا"},
	{noun{one: "تريليون", two: "تريليونان", few: "تريليونات", many: "تريليونًا"}, "تريليونا"},
	{noun{one: "كوادريليون", two: "كوادريليونان", few: "كوادريليونات", many: "كوادريليونًا"}, "كوادريليونا"},
}

var (
	masculineUnits = []string{"", "واحد", "اثنان", "ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة", "عشرة"}
	feminineUnits  = []string{"", "إحدى", "اثنتان", "ثلاث", "أربع", "خمس", "ست", "سبع", "ثماني", "تسع", "عشر"}
	tens           = []string{"", "", "عشرون", "ثلاثون", "أربعون", "خمسون", "ستون", "سبعون", "ثمانون", "تسعون"}
	hundreds       = []string{"", "مئة", "مئتان", "ثلاثمئة", "أربعمئة", "خمسمئة", "ستمئة", "سبعمئة", "ثمانمئة", "تسعمئة"}
)

// hundredsPair is two hundred before the noun that it governs.
const hundredsPair = "مئتا"

// and joins the parts of a number.
const and = " و"

// Arabic returns an amount in Arabic words, such as «فقط مئة وخمسة عشر ريالًا
// سعوديًا وخمسون هللة لا غير». It returns "" for an amount of 10^18 or more.
func Arabic(d money.Decimal, currency string) string {
	a, ok := split(d, currency)
	if !ok {
		return ""
	}
	var parts []string
	if a.whole != "" || a.minor == "" {
		parts = append(parts, a.arabicWhole())
	}
	if a.minor != "" {
		parts = append(parts, arabicCount(a.minor, &a.currency.minor))
	}
	if a.rest != "" {
		parts = append(parts, a.rest)
	}
	said := strings.Join(parts, and)
	if a.negative {
		said = "سالب " + said
	}
	return "فقط " + said + " لا غير"
}

// arabicWhole returns the whole part with the currency.
func (a amount) arabicWhole() string {
	switch {
	case a.currency == nil && a.whole == "":
		return "صفر " + a.code
	case a.currency == nil:
		return arabicCount(a.whole, nil) + " " + a.code
	case a.whole == "":
		return "صفر " + a.currency.major.one
	}
	return arabicCount(a.whole, &a.currency.major)
}

// arabicCount returns a number with the noun that it counts, or the number alone
// if there is no noun.
func arabicCount(digits string, of *noun) string {
	list := groups(digits)
	last := list[0] % 100
	// Numbers above the last two digits are followed by the noun itself if those
	// digits are 00, 01 or 02; see arabicLast.
	governs := of != nil && last <= 2
	var parts []string
	for i := len(list) - 1; i > 0; i-- {
		if list[i] > 0 {
			parts = append(parts, arabicScaled(list[i], scales[i], governs && zero(list[:i])))
		}
	}
	if h := list[0] / 100; h > 0 {
		parts = append(parts, arabicHundreds(h, governs))
	}
	return arabicLast(parts, last, of)
}

// zero reports whether the groups, apart from a last one or two, are zero.
func zero(lower []int) bool {
	for i, g := range lower {
		if g > 2 || i > 0 && g > 0 {
			return false
		}
	}
	return true
}

// arabicLast adds the last two digits and the noun to the parts of a number.
func arabicLast(parts []string, last int, of *noun) string {
	higher := strings.Join(parts, and)
	switch {
	case of == nil && last == 0:
		return higher
	case of == nil:
		return strings.Join(append(parts, arabicBelow100(last, false)), and)
	case last == 0:
		return higher + " " + of.one
	case last <= 2:
		own := of.two
		if last == 1 {
			own = of.one + " " + single(of)
		}
		if higher == "" {
			return own
		}
		return higher + " " + of.one + and + own
	case last <= 10:
		return strings.Join(append(parts, arabicBelow100(last, of.feminine)), and) + " " + of.few
	}
	return strings.Join(append(parts, arabicBelow100(last, of.feminine)), and) + " " + of.many
}

// single returns the word for one as an adjective.
func single(of *noun) string {
	if of.feminine {
		return "واحدة"
	}
	return "واحد"
}

// arabicScaled returns a number of thousands, millions and so on. governs says
// that the counted noun follows immediately.
func arabicScaled(n int, s scale, governs bool) string {
	var parts []string
	h, last := n/100, n%100
	if h > 0 {
		parts = append(parts, arabicHundreds(h, last <= 2))
		if last == 1 || last == 2 {
			parts[0] += " " + s.one
		}
	}
	switch {
	case last == 0:
		return parts[0] + " " + s.one
	case last == 1:
		parts = append(parts, s.one)
	case last == 2 && governs:
		parts = append(parts, s.pair)
	case last == 2:
		parts = append(parts, s.two)
	case last <= 10:
		parts = append(parts, arabicBelow100(last, false)+" "+s.few)
	case governs:
		parts = append(parts, arabicBelow100(last, false)+" "+s.one)
	default:
		parts = append(parts, arabicBelow100(last, false)+" "+s.many)
	}
	return strings.Join(parts, and)
}

func arabicHundreds(h int, governs bool) string {
	if h == 2 && governs {
		return hundredsPair
	}
	return hundreds[h]
}

// arabicBelow100 returns a number from 1 to 99 that counts a masculine or a
// feminine noun.
func arabicBelow100(n int, feminine bool) string {
	units, ten := masculineUnits, "عشر"
	if feminine {
		units, ten = feminineUnits, "عشرة"
	}
	unit := n % 10
	switch {
	case n <= 10:
		return units[n]
	case n == 11 && !feminine:
		return "أحد عشر"
	case n == 12 && feminine:
		return "اثنتا عشرة"
	case n == 12:
		return "اثنا عشر"
	case n < 20:
		return units[unit] + " " + ten
	case unit == 0:
		return tens[n/10]
	case unit == 8 && feminine:
		return "ثمانٍ" + and + tens[n/10]
	}
	return units[unit] + and + tens[n/10]
}
