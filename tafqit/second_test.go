package tafqit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"khatm/money"
	"khatm/tafqit"
)

// The second implementation writes a number naively, as tokens with placeholders,
// and then rewrites the tokens until they are grammatical. It shares no table and
// no code with the package.

// forms are the forms of a currency: one, two, three, eleven, and whether it is
// feminine.
type forms struct {
	one, two, three, eleven string
	feminine                bool
}

var (
	riyal  = forms{"ريال سعودي", "ريالان سعوديان", "ريالات سعودية", "ريالًا سعوديًا", false}
	halala = forms{"هللة", "هللتان", "هللات", "هللة", true}
	dinar  = forms{"دينار كويتي", "ديناران كويتيان", "دنانير كويتية", "دينارًا كويتيًا", false}
	fils   = forms{"فلس", "فلسان", "فلوس", "فلسًا", false}
	lira   = forms{"ليرة تركية", "ليرتان تركيتان", "ليرات تركية", "ليرة تركية", true}
	qirsh  = forms{"قرش", "قرشان", "قروش", "قرشًا", false}
)

var (
	upToTwelve = map[bool][]string{
		false: strings.Split("صفر,واحد,اثنان,ثلاثة,أربعة,خمسة,ستة,سبعة,ثمانية,تسعة,عشرة,أحد عشر,اثنا عشر", ","),
		true:  strings.Split("صفر,واحدة,اثنتان,ثلاث,أربع,خمس,ست,سبع,ثماني,تسع,عشر,إحدى عشرة,اثنتا عشرة", ","),
	}
	decades = strings.Split(",,عشرون,ثلاثون,أربعون,خمسون,ستون,سبعون,ثمانون,تسعون", ",")
	powers  = strings.Split("ألف,مليون,مليار,تريليون,كوادريليون", ",")
	plurals = strings.Split("آلاف,ملايين,مليارات,تريليونات,كوادريليونات", ",")
)

// scaled replaces the placeholders of each power of a thousand.
var scaled = func() (all []*strings.Replacer) {
	for i, one := range powers {
		all = append(all, strings.NewReplacer("X11", one+"ًا", "X1!", one, "X2!", one+"ان", "X1", one, "X3", plurals[i]))
	}
	return all
}()

// below100 writes a number that counts a noun of the given gender.
func below100(n int64, feminine bool) string {
	switch {
	case n <= 12:
		return upToTwelve[feminine][n]
	case n < 20 && feminine:
		return upToTwelve[true][n-10] + " عشرة"
	case n < 20:
		return upToTwelve[false][n-10] + " عشر"
	case n%10 == 0:
		return decades[n/10]
	case n%10 == 1 && feminine:
		return "إحدى و" + decades[n/10]
	case n%10 == 8 && feminine:
		return "ثمانٍ و" + decades[n/10]
	}
	return upToTwelve[feminine][n%10] + " و" + decades[n/10]
}

// naive writes a number below a thousand before the placeholder X, with the form
// that X needs: X1 singular, X2 dual, X3 plural, X11 accusative.
func naive(n int64, feminine bool) string {
	text := ""
	switch h := n / 100; h {
	case 0:
	case 1:
		text = "مئة"
	case 2:
		text = "مئتان"
	case 8:
		text = "ثمانمئة"
	default:
		text = strings.TrimSuffix(upToTwelve[false][h], "ة") + "مئة"
	}
	joined := ""
	if text != "" {
		joined = text + " و"
	}
	switch rest := n % 100; {
	case rest == 0:
		return text + " X1"
	case rest <= 2 && text != "":
		return fmt.Sprintf("%s X1 وX%d!", text, rest)
	case rest <= 2:
		return fmt.Sprintf("X%d!", rest)
	case rest <= 10:
		return joined + below100(rest, feminine) + " X3"
	default:
		return joined + below100(rest, feminine) + " X11"
	}
}

// second writes a positive number of a currency.
func second(n int64, of forms) string {
	var parts []string
	for p, size := len(powers), int64(1e15); p > 0; p, size = p-1, size/1000 {
		if group := n / size % 1000; group > 0 {
			parts = append(parts, scaled[p-1].Replace(naive(group, false)))
		}
	}
	group := n % 1000
	switch {
	case group == 0:
		parts[len(parts)-1] += " Y1"
	case group <= 2 && len(parts) > 0:
		parts[len(parts)-1] += " Y1"
		parts = append(parts, fmt.Sprintf("Y%d!", group))
	default:
		parts = append(parts, strings.ReplaceAll(naive(group, of.feminine), "X", "Y"))
	}
	text := strings.Join(parts, " و")
	// A dual loses its nun, and a singular its tanwin, before a noun in the
	// singular.
	text += " "
	if strings.Contains(text, "مئتان ") {
		for _, s := range append([]string{"Y1"}, powers...) {
			text = strings.ReplaceAll(text, "مئتان "+s+" ", "مئتا "+s+" ")
		}
	}
	for _, p := range powers {
		if !strings.Contains(text, " Y1 ") {
			break
		}
		text = strings.ReplaceAll(text, p+"ان Y1 ", p+"ا Y1 ")
		text = strings.ReplaceAll(text, p+"ًا Y1 ", p+" Y1 ")
	}
	word := "واحد"
	if of.feminine {
		word = "واحدة"
	}
	return strings.TrimSpace(strings.NewReplacer("Y11", of.eleven, "Y1!", of.one+" "+word, "Y2!", of.two, "Y1", of.one, "Y3", of.three).Replace(text))
}

// secondEnglish writes a number by dividing it by the largest unit that fits.
func secondEnglish(n int64) string {
	for _, u := range []struct {
		size int64
		name string
	}{{1e15, "quadrillion"}, {1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}, {1000, "thousand"}, {100, "hundred"}} {
		if n < u.size {
			continue
		}
		text := secondEnglish(n/u.size) + " " + u.name
		switch rest := n % u.size; {
		case rest == 0:
			return text
		case rest < 100:
			return text + " and " + secondEnglish(rest)
		default:
			return text + " " + secondEnglish(rest)
		}
	}
	small := strings.Split("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen", " ")
	if n < 20 {
		return small[n]
	}
	ten := strings.Split("twenty thirty forty fifty sixty seventy eighty ninety", " ")[n/10-2]
	if n%10 == 0 {
		return ten
	}
	return ten + "-" + small[n%10]
}

// counted returns an English number with its noun.
func counted(n int64, one, more string) string {
	if n == 1 {
		return "one " + one
	}
	return secondEnglish(n) + " " + more
}

// TestSecondImplementation compares 10,000 random amounts of every length, and all
// whole amounts below 1,200, with the second implementation.
func TestSecondImplementation(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 11))
	for i := range 10_000 {
		n := random.Int64N(pow10(1 + i%20)) // amounts of 1 to 18 digits, with two decimals in SAR
		if i%3 == 0 {
			n = rounded(n, random)
		}
		compare(t, n, i%8 == 0)
		if t.Failed() {
			return
		}
	}
	for n := range int64(1_200) {
		compare(t, n*100, true)
	}
}

// pow10 returns a power of ten, at most 10^18.
func pow10(n int) int64 {
	p := int64(1)
	for range min(n, 18) {
		p *= 10
	}
	return p
}

// rounded replaces some groups of digits by ones that are special in grammar.
func rounded(n int64, random *rand.Rand) int64 {
	for size := int64(100); size < 1e17; size *= 1000 {
		if special := []int64{0, 1, 2, 3, 8, 10, 11, 12, 18, 28, 100, 101, 102, 200, 201, 211, 800}; random.IntN(2) == 0 {
			n += (special[random.IntN(len(special))] - n/size%1000) * size
		}
	}
	return max(n, 0)
}

// compare compares an amount of n hundredths in riyals, or in three currencies.
func compare(t *testing.T, n int64, all bool) {
	t.Helper()
	amount := money.MustParse(fmt.Sprintf("%d.%02d", n/100, n%100))
	for _, c := range []struct {
		code         string
		major, minor forms
		parts        int64 // minor units in a hundredth of the currency
	}{{"SAR", riyal, halala, 1}, {"KWD", dinar, fils, 10}, {"TRY", lira, qirsh, 1}} {
		if !all && c.code != "SAR" {
			continue
		}
		var parts []string
		if n >= 100 {
			parts = append(parts, second(n/100, c.major))
		}
		if n%100 > 0 {
			parts = append(parts, second(n%100*c.parts, c.minor))
		}
		if n == 0 {
			parts = []string{"صفر " + c.major.one}
		}
		want := "فقط " + strings.Join(parts, " و") + " لا غير"
		if got := tafqit.Arabic(amount, c.code); got != want {
			t.Errorf("Arabic(%v, %s)\n got %s\nwant %s", amount, c.code, got, want)
		}
	}
	want := counted(n/100, "Saudi riyal", "Saudi riyals")
	switch cents := counted(n%100, "halala", "halalas"); {
	case n%100 > 0 && n >= 100:
		want += " and " + cents
	case n%100 > 0:
		want = cents
	}
	want = strings.ToUpper(want[:1]) + want[1:] + " only"
	if got := tafqit.English(amount, "SAR"); got != want {
		t.Errorf("English(%v)\n got %s\nwant %s", amount, got, want)
	}
}
