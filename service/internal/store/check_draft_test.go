package store_test

// wrongDrafts are rows about drafts, links and e-mails that the tables must
// refuse.
var wrongDrafts = map[string][][]any{
	"draft": {
		{"org_id", unknownID}, {"id", "short"}, {"version", 0}, {"request", "{"}, {"recipient", "{"}, {"shown", "{"}, {"shown", nil}, {"xml", nil}, {"xml", []byte{}},
		{"approval", "{"}, {"issuing", "{"}, {"summary", "{"}, {"summary", nil}, {"folded", nil}, {"summary", "{}", "folded", "", "removed", 1}, {"shown", nil, "xml", nil}, {"invoice_id", unknownID}, {"removed", 2}, {"corrects", "short"}, {"invoice_id", bare, "removed", 1},
	},
	"draft_link": {{"digest", []byte("short")}, {"org_id", unknownID}, {"draft_id", unknownID}, {"sealed", []byte("not sealed")}, {"revoked", 2}, {"digest", digestOf(0xd1)}},
	"draft_code": {
		{"digest", digestOf(0xee)}, {"org_id", unknownID}, {"made", 0}, {"made", 21}, {"sealed", []byte("not sealed")}, {"version", 0},
		{"expires_at", 1}, {"tries", -1}, {"tries", 6}, {"digest", digestOf(0xd1)},
	},
	"access_link": {
		{"digest", []byte("short")}, {"id", "short"}, {"purpose", "gift"}, {"role", "King"}, {"role", "Admin"}, {"expires_at", 1},
		{"org_id", unknownID}, {"person_id", unknownID}, {"revoked_at", 6},
	},
	"letter": {
		{"id", "short"}, {"org_id", unknownID}, {"recipient", ""}, {"language", "fr"}, {"about", ""}, {"sealed", []byte("not sealed")}, {"sealed", nil},
		{"expires_at", 1}, {"state", ""}, {"state", "sent"}, {"state", "sent", "sealed", nil, "lease_until", nil}, {"sent_at", 1}, {"attempts", -1},
		{"state", "expired", "sealed", nil}, {"state", "expired", "lease_until", nil}, {"draft_id", unknownID},
	},
}
