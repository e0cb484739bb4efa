package tafqit

// currency holds the names of a currency and of its minor unit.
type currency struct {
	places           int // decimal places of the minor unit (ISO 4217)
	major, minor     noun
	majorEN, minorEN name
}

// Minor units that several currencies share.
var (
	fils    = noun{"فلس", "فلسان", "فلوس", "فلسًا", false}
	cent    = noun{"سنت", "سنتان", "سنتات", "سنتًا", false}
	qirsh   = noun{"قرش", "قرشان", "قروش", "قرشًا", false}
	dirham  = noun{"درهم", "درهمان", "دراهم", "درهمًا", false}
	centime = noun{"سنتيم", "سنتيمان", "سنتيمات", "سنتيمًا", false}

	filsEN    = name{"fils", "fils"}
	centEN    = name{"cent", "cents"}
	centimeEN = name{"centime", "centimes"}
)

// currencies are the currencies whose grammatical forms are known, by their code.
var currencies = map[string]currency{
	"SAR": {2, noun{"ريال سعودي", "ريالان سعوديان", "ريالات سعودية", "ريالًا سعوديًا", false},
		noun{"هللة", "هللتان", "هللات", "هللة", true}, name{"Saudi riyal", "Saudi riyals"}, name{"halala", "halalas"}},
	"AED": {2, noun{"درهم إماراتي", "درهمان إماراتيان", "دراهم إماراتية", "درهمًا إماراتيًا", false},
		fils, name{"UAE dirham", "UAE dirhams"}, filsEN},
	"QAR": {2, noun{"ريال قطري", "ريالان قطريان", "ريالات قطرية", "ريالًا قطريًا", false},
		dirham, name{"Qatari riyal", "Qatari riyals"}, name{"dirham", "dirhams"}},
	"KWD": {3, noun{"دينار كويتي", "ديناران كويتيان", "دنانير كويتية", "دينارًا كويتيًا", false},
		fils, name{"Kuwaiti dinar", "Kuwaiti dinars"}, filsEN},
	"BHD": {3, noun{"دينار بحريني", "ديناران بحرينيان", "دنانير بحرينية", "دينارًا بحرينيًا", false},
		fils, name{"Bahraini dinar", "Bahraini dinars"}, filsEN},
	"OMR": {3, noun{"ريال عُماني", "ريالان عُمانيان", "ريالات عُمانية", "ريالًا عُمانيًا", false},
		noun{"بيسة", "بيستان", "بيسات", "بيسة", true}, name{"Omani rial", "Omani rials"}, name{"baisa", "baisas"}},
	"JOD": {3, noun{"دينار أردني", "ديناران أردنيان", "دنانير أردنية", "دينارًا أردنيًا", false},
		fils, name{"Jordanian dinar", "Jordanian dinars"}, filsEN},
	"IQD": {3, noun{"دينار عراقي", "ديناران عراقيان", "دنانير عراقية", "دينارًا عراقيًا", false},
		fils, name{"Iraqi dinar", "Iraqi dinars"}, filsEN},
	"LYD": {3, noun{"دينار ليبي", "ديناران ليبيان", "دنانير ليبية", "دينارًا ليبيًا", false},
		dirham, name{"Libyan dinar", "Libyan dinars"}, name{"dirham", "dirhams"}},
	"TND": {3, noun{"دينار تونسي", "ديناران تونسيان", "دنانير تونسية", "دينارًا تونسيًا", false},
		noun{"مليم", "مليمان", "مليمات", "مليمًا", false}, name{"Tunisian dinar", "Tunisian dinars"}, name{"millime", "millimes"}},
	"DZD": {2, noun{"دينار جزائري", "ديناران جزائريان", "دنانير جزائرية", "دينارًا جزائريًا", false},
		centime, name{"Algerian dinar", "Algerian dinars"}, centimeEN},
	"MAD": {2, noun{"درهم مغربي", "درهمان مغربيان", "دراهم مغربية", "درهمًا مغربيًا", false},
		centime, name{"Moroccan dirham", "Moroccan dirhams"}, centimeEN},
	"YER": {2, noun{"ريال يمني", "ريالان يمنيان", "ريالات يمنية", "ريالًا يمنيًا", false},
		fils, name{"Yemeni rial", "Yemeni rials"}, filsEN},
	"EGP": {2, noun{"جنيه مصري", "جنيهان مصريان", "جنيهات مصرية", "جنيهًا مصريًا", false},
		qirsh, name{"Egyptian pound", "Egyptian pounds"}, name{"piastre", "piastres"}},
	"SDG": {2, noun{"جنيه سوداني", "جنيهان سودانيان", "جنيهات سودانية", "جنيهًا سودانيًا", false},
		qirsh, name{"Sudanese pound", "Sudanese pounds"}, name{"piastre", "piastres"}},
	"SYP": {2, noun{"ليرة سورية", "ليرتان سوريتان", "ليرات سورية", "ليرة سورية", true},
		qirsh, name{"Syrian pound", "Syrian pounds"}, name{"piastre", "piastres"}},
	"LBP": {2, noun{"ليرة لبنانية", "ليرتان لبنانيتان", "ليرات لبنانية", "ليرة لبنانية", true},
		qirsh, name{"Lebanese pound", "Lebanese pounds"}, name{"piastre", "piastres"}},
	"TRY": {2, noun{"ليرة تركية", "ليرتان تركيتان", "ليرات تركية", "ليرة تركية", true},
		qirsh, name{"Turkish lira", "Turkish liras"}, name{"kurus", "kurus"}},
	"USD": {2, noun{"دولار أمريكي", "دولاران أمريكيان", "دولارات أمريكية", "دولارًا أمريكيًا", false},
		cent, name{"US dollar", "US dollars"}, centEN},
	"EUR": {2, noun{"يورو", "يوروان", "يوروات", "يورو", false},
		cent, name{"euro", "euros"}, centEN},
	"GBP": {2, noun{"جنيه إسترليني", "جنيهان إسترلينيان", "جنيهات إسترلينية", "جنيهًا إسترلينيًا", false},
		noun{"بنس", "بنسان", "بنسات", "بنسًا", false}, name{"pound sterling", "pounds sterling"}, name{"penny", "pence"}},
	"CHF": {2, noun{"فرنك سويسري", "فرنكان سويسريان", "فرنكات سويسرية", "فرنكًا سويسريًا", false},
		centime, name{"Swiss franc", "Swiss francs"}, centimeEN},
	"INR": {2, noun{"روبية هندية", "روبيتان هنديتان", "روبيات هندية", "روبية هندية", true},
		noun{"بيسة", "بيستان", "بيسات", "بيسة", true}, name{"Indian rupee", "Indian rupees"}, name{"paisa", "paise"}},
	"PKR": {2, noun{"روبية باكستانية", "روبيتان باكستانيتان", "روبيات باكستانية", "روبية باكستانية", true},
		noun{"بيسة", "بيستان", "بيسات", "بيسة", true}, name{"Pakistani rupee", "Pakistani rupees"}, name{"paisa", "paise"}},
	"CNY": {2, noun{"يوان صيني", "يوانان صينيان", "يوانات صينية", "يوانًا صينيًا", false},
		noun{"فين", "فينان", "فينات", "فينًا", false}, name{"Chinese yuan", "Chinese yuan"}, name{"fen", "fen"}},
	"JPY": {0, noun{"ين ياباني", "ينان يابانيان", "ينات يابانية", "ينًا يابانيًا", false},
		noun{}, name{"Japanese yen", "Japanese yen"}, name{}},
}
