package account

import "khatm/service/internal/org"

// Transfer is a member of an organisation with the secrets of the account, for a
// copy of the organisation in another installation.
type Transfer struct {
	Person   org.Person
	Password string // hash
	Role     org.Role
	Factor   Factor   // zero if the account has no active second factor
	Recovery [][]byte // digests of the unused recovery codes
}
