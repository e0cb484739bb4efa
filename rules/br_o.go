package rules

// outOfScopeRules are the family BR-O: what VAT does not concern.
var outOfScopeRules = []Rule{
	rowInBreakdown("BR-O-01", outOfScope),
	taxableOfCategory("BR-O-08", outOfScope),
	noTax("BR-O-09", outOfScope),
}
