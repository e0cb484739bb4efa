package rules

// neverReported is the check of a rule that the official sheets can never
// report; its row says why in Dead.
func neverReported(*document, *trial) {}
