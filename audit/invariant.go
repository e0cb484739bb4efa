package audit

// Invariant names what must hold always.
type Invariant string

// The invariants. Journal stands for a journal that cannot be read, so that
// what it would prove is not proved.
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

// clause is an invariant in words for people.
type clause struct {
	id      Invariant
	promise string // what must hold
	remedy  string // what to do when it does not
}

const stopIssuing = "Stop issuing from this database and keep a copy of it as it is. "

var clauses = []clause{
	{NothingLost, "every document that was acknowledged is in the store",
		stopIssuing + "It has lost documents that clients or the authority hold, as a restored backup does; bring back the newest copy."},
	{CountersRun, "counters of a device run 1, 2, 3 … with time, without gap or repeat",
		stopIssuing + "Compare with the newest backup: rows were removed, added or put in another order."},
	{ChainHolds, "each document carries the hash of the one before, the first one the constant of the beginning",
		stopIssuing + "Take the device out of use and onboard a new one; the chain as it stands must be explained to the authority."},
	{DocumentsVerify, "every document verifies: hash, signature, certificate, QR code, and the row says what the bytes say",
		"Do not hand these documents out. Bring back their bytes from a backup; what was sent is in the client's or the authority's hands."},
	{OneVersionSeen, "the authority saw one string of bytes for each document and one document for each counter",
		stopIssuing + "Something sent a document in two versions, or two databases issue as one device; find out which before sending on."},
	{AcceptedOnce, "the authority took each accepted document as new exactly once",
		"The document may be counted twice there; a credit note may be needed. Find out why it was sent again after 24 hours or in other bytes."},
	{FirstVerdictStands, "the final status is the authority's first verdict",
		"Trust the authority's word, not the store's: ask it about these documents and correct them with a note if needed."},
	{EverythingAnswered, "nothing is left without an answer",
		"See that the service runs and reaches the authority (khatm doctor); a document that is held is sent by PATCH …/clearance-reporting/."},
	{FinalStatusStays, "a final status never changes",
		"Somebody changed a verdict. Trust the first entry of the audit trail; look who wrote the later one."},
	{UsageCounted, "the allowance used is the number of documents issued in the month, within limit and grace",
		"Do not bill by the counter until it is explained; count the documents instead."},
	{TrailComplete, "the audit trail is whole and has one entry for each change",
		"The trail was changed, cut or bypassed. Keep a copy of the database and find out who has access to it."},
	{NoNumberWasted, "no number is used up by a request that was refused, and a repeated request makes no second document",
		"Numbers must have no gaps: look for documents that were removed, or for a refusal that wrote something."},
	{Journal, "the journals can be read from end to end",
		"Mend or fetch the journal again; what it should prove is not proved."},
}

func (i Invariant) clause() clause {
	for _, c := range clauses {
		if c.id == i {
			return c
		}
	}
	return clause{id: i}
}

// Promise says what must hold, in a few words.
func (i Invariant) Promise() string { return i.clause().promise }

// Remedy says what to do when it does not hold.
func (i Invariant) Remedy() string { return i.clause().remedy }
