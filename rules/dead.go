package rules

// neverReported is the check of a rule that the official sheets can never
// report; Rule.Dead explains why.
func neverReported(*document, *trial) {}
