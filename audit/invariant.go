package audit

// Invariant names what must hold always.
type Invariant string

// The invariants. Journal stands for a journal that cannot be read, so that
// what it would prove is not proved.
const (
	I1      Invariant = "I1"
	I2      Invariant = "I2"
	I3      Invariant = "I3"
	I4      Invariant = "I4"
	I5      Invariant = "I5"
	I6      Invariant = "I6"
	I7      Invariant = "I7"
	I8      Invariant = "I8"
	I9      Invariant = "I9"
	I10     Invariant = "I10"
	I11     Invariant = "I11"
	I12     Invariant = "I12"
	Journal Invariant = "journal"
)

// clause is an invariant in words for people.
type clause struct {
	id      Invariant
	promise string // what must hold
	remedy  string // what to do when it does not
}

const stopIssuing = "Stop issuing from this database and keep a copy of it as it is. "

var clauses = []clause{
	{I1, "every document that was acknowledged is in the store",
		stopIssuing + "It has lost documents that clients or the authority hold, as a restored backup does; bring back the newest copy."},
	{I2, "counters of a device run 1, 2, 3 … with time, without gap or repeat",
		stopIssuing + "Compare with the newest backup: rows were removed, added or put in another order."},
	{I3, "each document carries the hash of the one before, the first one the constant of the beginning",
		stopIssuing + "Take the device out of use and onboard a new one; the chain as it stands must be explained to the authority."},
	{I4, "every document verifies: hash, signature, certificate, QR code, and the row says what the bytes say",
		"Do not hand these documents out. Bring back their bytes from a backup; what was sent is in the client's or the authority's hands."},
	{I5, "the authority saw one string of bytes for each document and one document for each counter",
		stopIssuing + "Something sent a document in two versions, or two databases issue as one device; find out which before sending on."},
	{I6, "the authority took each accepted document as new exactly once",
		"The document may be counted twice there; a credit note may be needed. Find out why it was sent again after 24 hours or in other bytes."},
	{I7, "the final status is the authority's first verdict",
		"Trust the authority's word, not the store's: ask it about these documents and correct them with a note if needed."},
	{I8, "nothing is left without an answer",
		"See that the service runs and reaches the authority (khatm doctor); a document that is held is sent by PATCH …/clearance-reporting/."},
	{I9, "a final status never changes",
		"Somebody changed a verdict. Trust the first entry of the audit trail; look who wrote the later one."},
	{I10, "the allowance used is the number of documents issued in the month, within limit and grace",
		"Do not bill by the counter until it is explained; count the documents instead."},
	{I11, "the audit trail is whole and has one entry for each change",
		"The trail was changed, cut or bypassed. Keep a copy of the database and find out who has access to it."},
	{I12, "no number is used up by a request that was refused, and a repeated request makes no second document",
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
