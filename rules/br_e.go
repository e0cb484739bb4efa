package rules

// exemptRules are the family BR-E: supplies exempt from VAT.
var exemptRules = []Rule{
	rowInBreakdown("BR-E-01", exempt),
	zeroOnLines("BR-E-05", exempt),
	zeroOnAllowances("BR-E-06", exempt),
	zeroOnCharges("BR-E-07", exempt),
	taxableOfCategory("BR-E-08", exempt),
	noTax("BR-E-09", exempt),
}
