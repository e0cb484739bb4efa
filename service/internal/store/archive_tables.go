package store

// archivedTable says how the rows of a table get into the archive.
type archivedTable struct {
	name string
	key  []string // primary key

	document bool   // the append of a document inserts rows, which are archived with it
	captured bool   // triggers put the keys of other inserted, changed or deleted rows into the outbox
	ordered  bool   // rows refer to earlier rows of the same table
	why      string // the reason, if the rows are not archived
}

// archivedTables lists all tables of the schema. Re-entry writes rows in this
// order, so that a row comes after those that it refers to.
var archivedTables = []archivedTable{
	{name: "installation", key: []string{"one"}, captured: true},
	{name: "plan", key: []string{"slug"}, captured: true},
	{name: "organisation", key: []string{"id"}, captured: true},
	{name: "person", key: []string{"id"}, captured: true},
	{name: "membership", key: []string{"org_id", "person_id"}, captured: true},
	{name: "second_factor", key: []string{"person_id"}, captured: true},
	{name: "recovery_code", key: []string{"person_id", "digest"}, captured: true},
	{name: "api_key", key: []string{"name"}, captured: true},
	{name: "branch", key: []string{"org_id", "id"}, captured: true},
	{name: "reason", key: []string{"org_id", "id"}, captured: true},
	{name: "client", key: []string{"place"}, captured: true},
	{name: "item", key: []string{"place"}, captured: true},
	{name: "earlier_invoice", key: []string{"org_id", "id"}, captured: true},
	{name: "saved_view", key: []string{"org_id", "id"}, captured: true},
	{name: "device", key: []string{"org_id", "id"}, captured: true},
	{name: "secret", key: []string{"org_id", "purpose", "owner"}, captured: true},
	{name: "certificate", key: []string{"org_id", "device_id", "token"}, captured: true},
	{name: "enrolment", key: []string{"org_id", "device_id", "renewal"}, captured: true},
	{name: "chain", key: []string{"org_id", "device_id"}, captured: true},
	{name: "gap", key: []string{"org_id", "device_id", "first"}, captured: true},
	{name: "number_gap", key: []string{"org_id", "series", "first"}, captured: true},
	{name: "clock_release", key: []string{"org_id", "device_id", "counter"}, captured: true},
	{name: "series", key: []string{"org_id", "kind"}, captured: true},
	{name: "usage", key: []string{"org_id", "month"}, captured: true},
	{name: "buyer_text", key: []string{"place"}, captured: true},

	{name: "document", key: []string{"org_id", "invoice_id"}, document: true, captured: true},
	{name: "vat_row", key: []string{"org_id", "invoice_id", "position"}, document: true},
	{name: "submission", key: []string{"org_id", "invoice_id"}, document: true, captured: true},
	{name: "share", key: []string{"digest"}, document: true, captured: true},
	{name: "guard", key: []string{"org_id", "digest"}, document: true},
	{name: "credit", key: []string{"org_id", "original_id", "note_id"}, document: true, captured: true},
	{name: "deduction", key: []string{"org_id", "advance_id", "invoice_id"}, document: true, captured: true},
	{name: "attempt", key: []string{"org_id", "invoice_id", "number"}, captured: true},
	{name: "verdict", key: []string{"org_id", "invoice_id"}, captured: true},
	{name: "invoice", key: []string{"place"}, document: true, captured: true}, // its answer comes after the verdict
	{name: "copy_request", key: []string{"org_id", "invoice_id"}, captured: true},
	{name: "remark", key: []string{"org_id", "id"}, captured: true},
	{name: "draft", key: []string{"org_id", "id"}, captured: true},
	{name: "draft_link", key: []string{"digest"}, captured: true},
	{name: "receipt_series", key: []string{"org_id", "kind"}, captured: true},
	{name: "receipt", key: []string{"org_id", "id"}, captured: true, ordered: true},
	{name: "allocation", key: []string{"org_id", "id"}, captured: true, ordered: true},
	{name: "refund", key: []string{"org_id", "id"}, captured: true, ordered: true},
	{name: "refund_part", key: []string{"org_id", "refund_id", "original_id"}, captured: true},
	{name: "event", key: []string{"id"}, document: true, captured: true},

	{name: "book", why: "counted again from the documents"},
	{name: "tally", why: "counted again from the rows"},
	{name: "session", why: "users sign in again"},
	{name: "known_network", why: "known again after the next sign-in"},
	{name: "access_link", why: "works once and expires soon; it can be requested again"},
	{name: "reset_request", why: "answered within seconds; it can be sent again"},
	{name: "draft_code", why: "expires soon; the recipient requests another one"},
	{name: "letter", why: "queue of e-mails; most have been sent, and sending them twice is worse"},
	{name: "import_job", why: "progress of an import; the imported rows are archived"},
	{name: "import_row", why: "progress of an import; the imported rows are archived"},
	{name: "notice_read", why: "shows at worst a notice again"},
	{name: "fair_use", why: "limits the calls of one month"},
	{name: "rate_window", why: "counts the calls of a minute"},
	{name: "stored_file", why: "pictures, which are in backups; no document needs them"},
	{name: "stored_file_part", why: "pictures, which are in backups; no document needs them"},
	{name: "damage", why: "state of the files of this database"},
	{name: "scrub", why: "state of the files of this database"},
	{name: "continuity", why: "state of this database, set by a recovery"},
	{name: "archive", why: "set when the server starts with an archive"},
	{name: "archive_begin", why: "state of this database, before its archive is begun"},
	{name: "heartbeat", why: "state of this database, which distinguishes it from copies"},
	{name: "unarchived", why: "queue of what is not in the archive yet"},
}

// tablesByName returns the archived tables by their names.
func tablesByName() map[string]*archivedTable {
	byName := map[string]*archivedTable{}
	for i := range archivedTables {
		byName[archivedTables[i].name] = &archivedTables[i]
	}
	return byName
}
