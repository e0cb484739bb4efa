package codes

// Units returns the 41 units of measure. They have 39 codes: LTR and STN each
// occur under two names. Most codes are from UN/ECE Recommendation 20; the
// others are customary. An invoice may use codes that are not in this list.
func Units() []Entry { return units.all() }

// FindUnit returns the unit with the given code: LITRE for LTR, SHORT_TON for
// STN.
func FindUnit(code string) (Entry, bool) { return units.find(code) }

var units = entries([]Entry{
	{"PIECE", "PCE", "Piece", "عدد"},
	{"PIECES", "PCS", "Pieces", "قطعة"},
	{"PACKET", "PKT", "Packet", "عبوة"},
	{"CARTON", "CTN", "Carton", "كرتون"},
	{"BOX", "BOX", "Box", "صندوق"},
	{"PALLET", "PALLET", "Pallet", "طبلية (منصة نقالة)"},
	{"KILOGRAM", "KGM", "Kilogram", "كيلوجرام"},
	{"GRAM", "GRM", "Gram", "جرام"},
	{"MILLIGRAM", "MGM", "Milligram", "مليجرام"},
	{"MICROGRAM", "MC", "Microgram", "ميكروجرام"},
	{"GRAIN", "GRN", "Grain", "قمحة (وحدة وزن)"},
	{"TONNE", "TNE", "Tonne (metric ton)", "طن متري"},
	{"DECITONNE", "DTN", "Decitonne", "عُشر طن"},
	{"TON", "TON", "Ton", "طن"},
	{"SHORT_TON", "STN", "Short ton", "طن قصير"},
	{"US_TON", "STN", "Ton (US)", "طن أمريكي (قصير)"},
	{"LONG_TON", "LTN", "Ton (UK) or long ton (US)", "طن بريطاني (طويل)"},
	{"STONE", "STI", "Stone (UK)", "ستون (وحدة وزن بريطانية)"},
	{"POUND", "LBR", "Pound", "رطل (باوند)"},
	{"OUNCE", "ONZ", "Ounce (avoirdupois)", "أونصة"},
	{"LITRE", "LTR", "Litre", "لتر"},
	{"LITER", "LTR", "Liter", "لتر"},
	{"KILOLITRE", "K6", "Kilolitre", "كيلولتر"},
	{"GALLON", "GLL", "Gallon (US)", "جالون أمريكي"},
	{"BARREL", "BL", "Barrel", "برميل"},
	{"CUBIC_METRE", "MTQ", "Cubic metre", "متر مكعب"},
	{"CUBIC_FOOT", "FTQ", "Cubic foot", "قدم مكعبة"},
	{"CUBIC_HECTOMETRE", "H19", "Cubic hectometre", "هكتومتر مكعب"},
	{"CANDELA", "CDL", "Candela", "كانديلا (شدة الإضاءة)"},
	{"SQUARE_METRE", "MTK", "Square metre", "متر مربع"},
	{"SQUARE_FOOT", "FTK", "Square foot", "قدم مربعة"},
	{"SQUARE_INCH", "INK", "Square inch", "بوصة مربعة"},
	{"ACRE", "ACR", "Acre", "إيكر"},
	{"METRE", "MTR", "Metre", "متر"},
	{"CENTIMETRE", "CMT", "Centimetre", "سنتيمتر"},
	{"INCH", "INH", "Inch", "بوصة"},
	{"FOOT", "FOT", "Foot", "قدم"},
	{"YARD", "YRD", "Yard", "ياردة"},
	{"KILOWATT_HOUR", "KWH", "Kilowatt hour", "كيلوواط ساعة"},
	{"JOULE", "JOU", "Joule", "جول"},
	{"SIEMENS_PER_METRE", "D10", "Siemens per metre", "سيمنز لكل متر"},
})
