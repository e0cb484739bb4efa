package tafqit_test

import (
	"testing"

	"khatm/money"
	"khatm/tafqit"
)

// byHand are amounts whose words were written by hand, without «فقط» and «لا غير».
var byHand = []struct{ amount, currency, ar, en string }{
	{"0", "SAR", "صفر ريال سعودي", "Zero Saudi riyals"},
	{"0.00", "SAR", "صفر ريال سعودي", "Zero Saudi riyals"},
	{"0.01", "SAR", "هللة واحدة", "One halala"},
	{"0.02", "SAR", "هللتان", "Two halalas"},
	{"0.03", "SAR", "ثلاث هللات", "Three halalas"},
	{"0.08", "SAR", "ثماني هللات", "Eight halalas"},
	{"0.10", "SAR", "عشر هللات", "Ten halalas"},
	{"0.11", "SAR", "إحدى عشرة هللة", "Eleven halalas"},
	{"0.12", "SAR", "اثنتا عشرة هللة", "Twelve halalas"},
	{"0.13", "SAR", "ثلاث عشرة هللة", "Thirteen halalas"},
	{"0.18", "SAR", "ثماني عشرة هللة", "Eighteen halalas"},
	{"0.20", "SAR", "عشرون هللة", "Twenty halalas"},
	{"0.21", "SAR", "إحدى وعشرون هللة", "Twenty-one halalas"},
	{"0.22", "SAR", "اثنتان وعشرون هللة", "Twenty-two halalas"},
	{"0.28", "SAR", "ثمانٍ وعشرون هللة", "Twenty-eight halalas"},
	{"0.99", "SAR", "تسع وتسعون هللة", "Ninety-nine halalas"},
	{"1", "SAR", "ريال سعودي واحد", "One Saudi riyal"},
	{"1.01", "SAR", "ريال سعودي واحد وهللة واحدة", "One Saudi riyal and one halala"},
	{"2", "SAR", "ريالان سعوديان", "Two Saudi riyals"},
	{"3", "SAR", "ثلاثة ريالات سعودية", "Three Saudi riyals"},
	{"8.50", "SAR", "ثمانية ريالات سعودية وخمسون هللة", "Eight Saudi riyals and fifty halalas"},
	{"10", "SAR", "عشرة ريالات سعودية", "Ten Saudi riyals"},
	{"11", "SAR", "أحد عشر ريالًا سعوديًا", "Eleven Saudi riyals"},
	{"12", "SAR", "اثنا عشر ريالًا سعوديًا", "Twelve Saudi riyals"},
	{"15", "SAR", "خمسة عشر ريالًا سعوديًا", "Fifteen Saudi riyals"},
	{"20", "SAR", "عشرون ريالًا سعوديًا", "Twenty Saudi riyals"},
	{"21", "SAR", "واحد وعشرون ريالًا سعوديًا", "Twenty-one Saudi riyals"},
	{"22", "SAR", "اثنان وعشرون ريالًا سعوديًا", "Twenty-two Saudi riyals"},
	{"99.99", "SAR", "تسعة وتسعون ريالًا سعوديًا وتسع وتسعون هللة", "Ninety-nine Saudi riyals and ninety-nine halalas"},
	{"100", "SAR", "مئة ريال سعودي", "One hundred Saudi riyals"},
	{"101", "SAR", "مئة ريال سعودي وريال سعودي واحد", "One hundred and one Saudi riyals"},
	{"102", "SAR", "مئة ريال سعودي وريالان سعوديان", "One hundred and two Saudi riyals"},
	{"103", "SAR", "مئة وثلاثة ريالات سعودية", "One hundred and three Saudi riyals"},
	{"110", "SAR", "مئة وعشرة ريالات سعودية", "One hundred and ten Saudi riyals"},
	{"111", "SAR", "مئة وأحد عشر ريالًا سعوديًا", "One hundred and eleven Saudi riyals"},
	{"115.00", "SAR", "مئة وخمسة عشر ريالًا سعوديًا", "One hundred and fifteen Saudi riyals"},
	{"200", "SAR", "مئتا ريال سعودي", "Two hundred Saudi riyals"},
	{"201", "SAR", "مئتا ريال سعودي وريال سعودي واحد", "Two hundred and one Saudi riyals"},
	{"230", "SAR", "مئتان وثلاثون ريالًا سعوديًا", "Two hundred and thirty Saudi riyals"},
	{"300", "SAR", "ثلاثمئة ريال سعودي", "Three hundred Saudi riyals"},
	{"800", "SAR", "ثمانمئة ريال سعودي", "Eight hundred Saudi riyals"},
	{"999", "SAR", "تسعمئة وتسعة وتسعون ريالًا سعوديًا", "Nine hundred and ninety-nine Saudi riyals"},
	{"1000", "SAR", "ألف ريال سعودي", "One thousand Saudi riyals"},
	{"1001", "SAR", "ألف ريال سعودي وريال سعودي واحد", "One thousand and one Saudi riyals"},
	{"1005", "SAR", "ألف وخمسة ريالات سعودية", "One thousand and five Saudi riyals"},
	{"1150", "SAR", "ألف ومئة وخمسون ريالًا سعوديًا", "One thousand one hundred and fifty Saudi riyals"},
	{"1200", "SAR", "ألف ومئتا ريال سعودي", "One thousand two hundred Saudi riyals"},
	{"2000", "SAR", "ألفا ريال سعودي", "Two thousand Saudi riyals"},
	{"2002", "SAR", "ألفا ريال سعودي وريالان سعوديان", "Two thousand and two Saudi riyals"},
	{"2026", "SAR", "ألفان وستة وعشرون ريالًا سعوديًا", "Two thousand and twenty-six Saudi riyals"},
	{"3000", "SAR", "ثلاثة آلاف ريال سعودي", "Three thousand Saudi riyals"},
	{"3450.75", "SAR", "ثلاثة آلاف وأربعمئة وخمسون ريالًا سعوديًا وخمس وسبعون هللة", "Three thousand four hundred and fifty Saudi riyals and seventy-five halalas"},
	{"11000", "SAR", "أحد عشر ألف ريال سعودي", "Eleven thousand Saudi riyals"},
	{"11500", "SAR", "أحد عشر ألفًا وخمسمئة ريال سعودي", "Eleven thousand five hundred Saudi riyals"},
	{"100000", "SAR", "مئة ألف ريال سعودي", "One hundred thousand Saudi riyals"},
	{"101000", "SAR", "مئة ألف وألف ريال سعودي", "One hundred and one thousand Saudi riyals"},
	{"102500", "SAR", "مئة ألف وألفان وخمسمئة ريال سعودي", "One hundred and two thousand five hundred Saudi riyals"},
	{"200000", "SAR", "مئتا ألف ريال سعودي", "Two hundred thousand Saudi riyals"},
	{"212251.17", "SAR", "مئتان واثنا عشر ألفًا ومئتان وواحد وخمسون ريالًا سعوديًا وسبع عشرة هللة", "Two hundred and twelve thousand two hundred and fifty-one Saudi riyals and seventeen halalas"},
	{"1000000", "SAR", "مليون ريال سعودي", "One million Saudi riyals"},
	{"2000000", "SAR", "مليونا ريال سعودي", "Two million Saudi riyals"},
	{"3000003", "SAR", "ثلاثة ملايين وثلاثة ريالات سعودية", "Three million and three Saudi riyals"},
	{"12345678.90", "SAR", "اثنا عشر مليونًا وثلاثمئة وخمسة وأربعون ألفًا وستمئة وثمانية وسبعون ريالًا سعوديًا وتسعون هللة", "Twelve million three hundred and forty-five thousand six hundred and seventy-eight Saudi riyals and ninety halalas"},
	{"1000000000", "SAR", "مليار ريال سعودي", "One billion Saudi riyals"},
	{"2000000000000", "SAR", "تريليونا ريال سعودي", "Two trillion Saudi riyals"},
	{"40000000000000000", "SAR", "أربعون كوادريليون ريال سعودي", "Forty quadrillion Saudi riyals"},
	{"1.25", "KWD", "دينار كويتي واحد ومئتان وخمسون فلسًا", "One Kuwaiti dinar and two hundred and fifty fils"},
	{"0.005", "KWD", "خمسة فلوس", "Five fils"},
	{"3.1", "BHD", "ثلاثة دنانير بحرينية ومئة فلس", "Three Bahraini dinars and one hundred fils"},
	{"2.003", "OMR", "ريالان عُمانيان وثلاث بيسات", "Two Omani rials and three baisas"},
	{"11", "TRY", "إحدى عشرة ليرة تركية", "Eleven Turkish liras"},
	{"5", "LBP", "خمس ليرات لبنانية", "Five Lebanese pounds"},
	{"1", "SYP", "ليرة سورية واحدة", "One Syrian pound"},
	{"1500.50", "USD", "ألف وخمسمئة دولار أمريكي وخمسون سنتًا", "One thousand five hundred US dollars and fifty cents"},
	{"100", "EUR", "مئة يورو", "One hundred euros"},
	{"0.01", "GBP", "بنس واحد", "One penny"},
	{"250", "JPY", "مئتان وخمسون ينًا يابانيًا", "Two hundred and fifty Japanese yen"},
	{"250.50", "JPY", "مئتان وخمسون ينًا يابانيًا و50/100", "Two hundred and fifty Japanese yen and 50/100"},
	{"1250.5", "CZK", "ألف ومئتان وخمسون CZK و50/100", "One thousand two hundred and fifty CZK and 50/100"},
	{"2", "CZK", "اثنان CZK", "Two CZK"},
	{"0.05", "CZK", "صفر CZK و5/100", "Zero CZK and 5/100"},
	{"-7", "SAR", "سالب سبعة ريالات سعودية", "Minus seven Saudi riyals"},
}

func TestByHand(t *testing.T) {
	for _, c := range byHand {
		amount := money.MustParse(c.amount)
		if got, want := tafqit.Arabic(amount, c.currency), "فقط "+c.ar+" لا غير"; got != want {
			t.Errorf("Arabic(%s, %s)\n got %s\nwant %s", c.amount, c.currency, got, want)
		}
		if got, want := tafqit.English(amount, c.currency), c.en+" only"; got != want {
			t.Errorf("English(%s, %s)\n got %s\nwant %s", c.amount, c.currency, got, want)
		}
	}
}

// An amount beyond any invoice has no words, rather than wrong ones.
func TestTooLarge(t *testing.T) {
	largest, next := money.MustParse("999999999999999999.99"), money.MustParse("1000000000000000000")
	if tafqit.Arabic(largest, "SAR") == "" || tafqit.English(largest, "SAR") == "" {
		t.Error("the largest amount has no words")
	}
	if got := tafqit.Arabic(next, "SAR") + tafqit.English(next, "SAR"); got != "" {
		t.Errorf("10^18: got %q, want none", got)
	}
}
