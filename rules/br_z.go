package rules

// zeroRateRules are the family BR-Z: zero-rated supplies.
var zeroRateRules = []Rule{
	rowInBreakdown("BR-Z-01", zeroRated),
	zeroOnLines("BR-Z-05", zeroRated),
	zeroOnAllowances("BR-Z-06", zeroRated),
	zeroOnCharges("BR-Z-07", zeroRated),
	taxableOfCategory("BR-Z-08", zeroRated),
	noTax("BR-Z-09", zeroRated),
}
