package audit

// Invariant is a condition that must always hold.
type Invariant string

// The invariants. Journal is for a journal that cannot be read, so that nothing
// can be proved from it.
const (
	NothingLost        Invariant = "I1"
	CountersRun        Invariant = "I2"
	ChainHolds         Invariant = "I3"
	DocumentsVerify    Invariant = "I4"
	OneVersionSeen     Invariant = "I5"
	AcceptedOnce       Invariant = "I6"
	FirstVerdictStands Invariant = "I7"
	EverythingAnswered Invariant = "I8"
	FinalStatusStays   Invariant = "I9"
	UsageCounted       Invariant = "I10"
	TrailComplete      Invariant = "I11"
	NoNumberWasted     Invariant = "I12"
	Journal            Invariant = "journal"
)

// clause describes an invariant for users.
type clause struct {
	id      Invariant
	promise string // what must hold
	remedy  string // what to do if it does not
}

const stopIssuing = "Stop issuing from this database and keep a copy of it as it is. "

var clauses = []clause{
	{NothingLost, "every document that was acknowledged is in the store",
		stopIssuing + "It has lost documents that clients or the authority have, as after restoring an old backup; restore the newest copy."},
	{CountersRun, "the counters of a device are 1, 2, 3 … in the order of issue, without gaps or repeats",
		stopIssuing + "Compare with the newest backup: rows were removed, added or reordered."},
	{ChainHolds, "each document contains the hash of its predecessor, the first one the initial constant",
		stopIssuing + "Take the device out of use and onboard a new one; the broken chain must be explained to the authority."},
	{DocumentsVerify, "every document verifies: hash, signature, certificate, QR code, and its row agrees with its bytes",
		"Do not give these documents to anyone. Restore their bytes from a backup; clients and the authority have the documents that were sent."},
	{OneVersionSeen, "the authority received one version of each document and one document for each counter",
		stopIssuing + "A document was sent in two versions, or two databases issue as one device; find out which before you continue."},
	{AcceptedOnce, "the authority accepted each document as new exactly once",
		"The authority may count the document twice; a credit note may be needed. Find out why it was sent again after 24 hours or with other bytes."},
	{FirstVerdictStands, "the final status is the authority's first verdict",
		"The authority's verdict counts, not the store's: ask the authority about these documents and correct them with a note if needed."},
	{EverythingAnswered, "every document has a final verdict",
		"Check that the service runs and reaches the authority (khatm doctor); send a held document with PATCH …/clearance-reporting/."},
	{FinalStatusStays, "a final status never changes",
		"A verdict was changed. The first entry of the audit trail counts; find out who wrote the later one."},
	{UsageCounted, "the usage of the allowance equals the number of documents issued in the month, and is within limit and grace",
		"Do not bill by the usage counter until the difference is explained; count the documents instead."},
	{TrailComplete, "the audit trail is complete, with one entry for each change",
		"The trail was changed, truncated or bypassed. Keep a copy of the database and find out who has access to it."},
	{NoNumberWasted, "a refused request uses no number, and a repeated request creates no second document",
		"Numbers must have no gaps: look for documents that were removed, or for a refused request that was stored."},
	{Journal, "the journals can be read from end to end",
		"Repair the journal or fetch it again; until then nothing can be proved from it."},
}

func (i Invariant) clause() clause {
	for _, c := range clauses {
		if c.id == i {
			return c
		}
	}
	return clause{id: i}
}

// Promise returns the condition, in a few words.
func (i Invariant) Promise() string { return i.clause().promise }

// Remedy returns what to do if the condition does not hold.
func (i Invariant) Remedy() string { return i.clause().remedy }
