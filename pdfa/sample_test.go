package pdfa_test

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"sync"
	"testing"

	"khatm/pdfa"
)

// goods are realistic item names: Arabic with Latin words, Latin and Arabic digits,
// brackets, marks.
var goods = [][2]string{
	{"قهوة عربية محمصة بالهيل – عبوة ٢٥٠ جرام", "Arabic coffee, roasted with cardamom 250 g"},
	{"طابعة ليزر HP LaserJet Pro M404dn مع ضمان سنتين", "HP LaserJet Pro M404dn printer, 2-year warranty"},
	{"خدمات استشارية (تحوّل رقمي) – شهر نوفمبر 2026", "Consulting services (digital transformation), Nov 2026"},
	{"لابتوب Dell Latitude 7450 بذاكرة 16GB وقرص 512GB", "Dell Latitude 7450 laptop 16GB/512GB"},
	{"كرسي مكتبي مريح قابل للتعديل", "Ergonomic adjustable office chair"},
	{"اشتراك سنوي لبرنامج المحاسبة – الإصدار الاحترافي", "Annual accounting software subscription, Pro"},
	{"مياه معدنية ٣٣٠ مل × ٤٠ عبوة", "Mineral water 330 ml x 40"},
	{"صيانة مكيفات الهواء والتبريد لا تشمل قطع الغيار", "A/C maintenance, spare parts not included"},
	{"أقلام حبر جاف زرقاء (علبة 50 قلمًا)", "Blue ballpoint pens (box of 50)"},
	{"شحن وتوصيل إلى الرياض والدمّام وجدة", "Shipping to Riyadh, Dammam and Jeddah"},
}

// prose is text with and without marks, and with ligatures of many kinds.
var prose = []string{
	"يُولَدُ جَمِيعُ النَّاسِ أَحْرَارًا وَمُتَسَاوِينَ فِي الكَرَامَةِ وَالحُقُوقِ، وَقَدْ وُهِبُوا عَقْلًا وَضَمِيرًا، وَعَلَيْهِمْ أَنْ يُعَامِلُوا بَعْضَهُمْ بَعْضًا بِرُوحِ الإِخَاءِ.",
	"تلتزم المنشأة بإصدار الفواتير الضريبية الإلكترونية وفقًا لأحكام اللائحة، وتشمل الفاتورة اسم المورّد وعنوانه ورقم تسجيله في ضريبة القيمة المضافة، وتاريخ التوريد، ووصف السلع والخدمات، والكميات وأسعار الوحدات والخصومات، والمبلغ الخاضع للضريبة ونسبتها ومبلغها، والإجمالي المستحق بالريال السعودي.",
	"لا إله، لأن، الأجهزة، الآلات، إلّا، للآخرين، ولإدارة، فلاحة، بلاستيك، سلالم، شرطة، ضرورة، صرف، سريع، مجموعة، نجاح، تحميل، مصنع، جميل، حجم، لحم، محمّد، الله، بسم، ـهــ، مؤسّسة، مسؤولية، شؤون، بيئة، قراءة، ماء، سماء، دفء، مُدَّة، ثُمَّ، كُلّ، حَقّ، ظِلّ.",
	"شيك مصرفي، تحويل بنكي، بطاقة ائتمان، نقدًا، آجل، دفعة مقدّمة، ضمان، استرداد، إشعار دائن، إشعار مدين، مردودات، مشتريات، مبيعات، مخزون، أصول ثابتة، إهلاك، رواتب، إيجار، صيانة، كهرباء، اتصالات، تأمين، جمارك، شحن، تخليص، وقود، ضيافة، تدريب، تسويق، إعلانات.",
}

// hostile are names that are difficult for a PDF writer.
var hostile = map[string]string{
	"emoji":       "متجر 😀 القهوة 👨\u200D👩\u200D👧\u200D👦 ☕️ Coffee 🇸🇦",
	"ideographs":  "شركة 東京電力 المحدودة 株式会社 한국어 ไทย हिन्दी עברית",
	"controls":    "a\x00b\x01c\x1b[31m\u0085\u009f\ufeff\ufffe\uffff\ud7ff end",
	"invalid":     "bad \xff\xfe\xc3( utf-8 \xed\xa0\x80",
	"overrides":   "abc\u202Edef\u202C \u202Aghi \u2066jkl\u2067 \u2068لا\u2069 \u200Fx\u200E",
	"unbalanced":  strings.Repeat("\u2067", 200) + "مرحبا hello" + strings.Repeat("\u202E", 200),
	"long latin":  strings.Repeat("W", 1000),
	"long arabic": strings.Repeat("م", 1000),
	"long mixed":  strings.Repeat("aم1😀", 250),
	"marks":       "م" + strings.Repeat("\u0651\u064E", 200) + " e" + strings.Repeat("\u0301", 200),
	"private":     "\uE000\uF8FF\U000F0000\U0010FFFD \uECE0",
	"turkish":     "Şişli İğne Ağrı Čeština Ελληνικά Русский",
	"syntax":      `( ) \ << >> [ ] % /Name <FEFF> ]]> & <b> "q" 'x'`,
	"spaces":      " \t\n\r  a \u00A0 b \u3000 c \u2028 d \u2029 ",
	"joiners":     "می\u200Cخواهم \u200D\u200C ک\u200D \u00AD so\u00ADft",
	"riyal":       "\u20C1 100 ﷼ ١٠٠ \u20C1",
	"brackets":    "(مرحبا) [hello (مرحبا) {x}] ⟨a⟩ «ب»",
}

func sampleItems(n, seed int) [][2]string {
	items := make([][2]string, n)
	for i := range items {
		items[i] = goods[(i+seed)%len(goods)]
	}
	return items
}

const (
	sellerName = "شركة الواحة للتجارة والتقنية المحدودة Al Waha Trading & Technology Co. Ltd. 8228 شارع الأمير سلطان، حي الملز، الرياض 12643"
	buyerName  = "مؤسسة النخيل للمقاولات العامة، مبنى 3712، طريق الملك فهد، حي العليا، الرياض 12214"
)

func sampleSheet(n int) sheet {
	return sheet{seller: sellerName, buyer: buyerName, items: sampleItems(n, 0), xml: sampleXML(n, 0)}
}

// sampleXML returns XML that is similar to a signed invoice in size and compression.
func sampleXML(n, seed int) []byte {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Invoice>")
	for i := range n {
		fmt.Fprintf(&b, `<cac:InvoiceLine><cbc:ID>%d</cbc:ID><cbc:InvoicedQuantity unitCode="PCE">%d</cbc:InvoicedQuantity><cbc:LineExtensionAmount currencyID="SAR">%d.%02d</cbc:LineExtensionAmount><cac:TaxTotal><cbc:TaxAmount currencyID="SAR">%d.5</cbc:TaxAmount></cac:TaxTotal><cac:Item><cbc:Name>%s | %s</cbc:Name><cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>15.00</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory></cac:Item></cac:InvoiceLine>`+"\n",
			i+1, i*7%9, i*31+seed, i%100, i*17, goods[i%len(goods)][0], goods[i%len(goods)][1])
	}
	state := uint32(seed + 1)
	for range 6000 { // signatures do not compress
		state = state*1664525 + 1013904223
		b.WriteByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[state>>26])
	}
	b.WriteString("</Invoice>\n")
	return []byte(b.String())
}

// logo returns an image with a transparent background and few or many colours. Tests
// share it, because scaling a large image is slow.
func logo(tb testing.TB, size int, photo bool) *pdfa.Image {
	tb.Helper()
	key := fmt.Sprint(size, photo)
	made, _ := logos.Load(key)
	if i, ok := made.(*pdfa.Image); ok {
		return i
	}
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			dx, dy := x-size/2, y-size/2
			switch {
			case dx*dx+dy*dy > size*size/4:
			case photo:
				img.Set(x, y, color.NRGBA{uint8(x * 255 / size), uint8(y * 255 / size), uint8(x * y), 200})
			default:
				img.Set(x, y, color.NRGBA{15, 76, 92, 255})
			}
		}
	}
	i, err := testFonts(tb).NewImage(img)
	if err != nil {
		tb.Fatal(err)
	}
	logos.Store(key, i)
	return i
}

// logos are the images that logo has returned.
var logos sync.Map
