package store_test

// wrongPayments are rows about payments and refunds that the tables must refuse.
var wrongPayments = map[string][][]any{
	"receipt_series": {{"org_id", unknownID}, {"kind", "INV"}, {"kind", ""}, {"year", 0}, {"last", 0}},
	"receipt": {
		{"org_id", unknownID}, {"id", "short"}, {"kind", "gift"}, {"kind", "reversal"}, {"number", ""}, {"client_id", unknownID}, {"currency", "RIYAL"}, {"amount", 0},
		{"amount", -1}, {"sar", 0}, {"means", "11"}, {"means", ""}, {"received_on", "today"}, {"reason", "why"}, {"request_key", ""}, {"request_key", nil},
		{"request_digest", nil}, {"request_digest", []byte("short")}, {"kind", "reversal", "amount", -1, "reason", "why"},
		{"kind", "reversal", "amount", -1, "reason", "why", "reverses", unknownID},
	},
	"allocation": {
		{"org_id", unknownID}, {"id", "short"}, {"receipt_id", unknownID}, {"invoice_id", unknownID}, {"amount", 0}, {"amount", -1}, {"reverses", unknownID},
		{"amount", -1, "reverses", unknownID}, {"cause", ""}, {"cause", "gift"},
	},
	"refund": {
		{"org_id", unknownID}, {"id", "short"}, {"number", ""}, {"note_id", unknownID}, {"currency", "RIYAL"}, {"amount", 0}, {"amount", -1}, {"sar", 0}, {"means", "11"},
		{"means", ""}, {"paid_on", "today"}, {"receipt_id", unknownID}, {"receipt_id", unknownID, "means", ""}, {"reverses", unknownID}, {"reason", "why"},
		{"request_key", ""}, {"request_key", nil}, {"request_digest", nil}, {"request_digest", []byte("short")},
		{"amount", -1, "reason", "why", "reverses", unknownID},
	},
	"refund_part": {{"org_id", unknownID}, {"refund_id", unknownID}, {"original_id", unknownID}, {"amount", 0}},
}
