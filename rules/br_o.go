package rules

// outOfScopeRules are the family BR-O: supplies outside the scope of VAT.
var outOfScopeRules = []Rule{
	rowInBreakdown("BR-O-01", outOfScope),
	taxableOfCategory("BR-O-08", outOfScope),
	noTax("BR-O-09", outOfScope),
}
