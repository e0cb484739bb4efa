package invoice

import (
	"encoding/base64"
	"time"
)

// maxNumber is the maximum length of an invoice number in characters
// (BR-KSA-F-06-C1).
const maxNumber = 127

// noDocument is the previous hash of the first document of a device, decoded
// from base64: the SHA-256 hash of the character 0 in hexadecimal. Every other
// previous hash has 32 bytes.
const noDocument = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"

// Riyadh returns the time zone of issue dates and times. Saudi Arabia has no
// daylight saving time, so the time zone database is not needed.
func Riyadh() *time.Location { return time.FixedZone("Asia/Riyadh", 3*60*60) }

// At returns a copy of id with the issue date and time of the instant in Riyadh.
func (id Identity) At(instant time.Time) Identity {
	local := instant.In(Riyadh())
	id.IssueDate = local.Format(time.DateOnly)
	id.IssueTime = local.Format(time.TimeOnly)
	return id
}

func (id Identity) check() error {
	var ps Problems
	ps.requireText("ref_num", id.Number)
	if longer(id.Number, maxNumber) {
		ps.add("ref_num", "must have at most %d characters", maxNumber)
	}
	if !isUUID(id.UUID) {
		ps.add("uuid", "must be a UUID")
	}
	ps.date("issue_date", id.IssueDate, true)
	ps.timeOfDay("issue_time", id.IssueTime)
	if id.chained() {
		id.checkChain(&ps)
	}
	return ps.err()
}

// chained reports whether the document has a position in a hash chain. A
// preview has none: it can be written and validated, but not signed.
func (id Identity) chained() bool { return id.Counter != 0 || id.PreviousHash != "" }

func (id Identity) checkChain(ps *Problems) {
	if id.Counter < 1 {
		ps.add("counter", "must be 1 or more")
	}
	encoding := base64.StdEncoding.Strict()
	hash, err := encoding.DecodeString(id.PreviousHash)
	// encoding/base64 ignores line breaks, but the document would contain them.
	broken := len(id.PreviousHash) != encoding.EncodedLen(len(hash))
	if err != nil || broken || len(hash) != 32 && string(hash) != noDocument {
		ps.add("previous_invoice_hash", "must be the base64 of a SHA-256 hash")
	}
}

// isUUID reports whether a text has the form 8-4-4-4-12 of hexadecimal digits.
func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
				return false
			}
		}
	}
	return true
}
