package servicetest

import (
	"net/http"
	"strings"

	"github.com/google/uuid"

	"khatm/service/internal/org"
)

// Paths of members and invitations.
const (
	MembersPath     = "/app/api/members/"
	InvitationsPath = "/app/api/invitations/"
)

// Responses to unknown members and invitations in a path.
var (
	UnknownMember     = Refusal{http.StatusNotFound, `{"message":"Member not found"}` + "\n"}
	UnknownInvitation = Refusal{http.StatusNotFound, `{"message":"Invitation not found"}` + "\n"}
)

// NewEmail returns an e-mail address that is not used yet.
func NewEmail() string { return "p" + strings.ReplaceAll(uuid.NewString(), "-", "") + "@example.com" }

func goodInvitation() string {
	return `{"email":"` + NewEmail() + `","role":"ViewInvoice","language":"en"}`
}

// memberResource does not list the members for Snapshot, because each session in
// the tests adds one.
func memberResource() resource {
	unknown := func(*Seller) func(*http.Request) { return JSONBody(`{"token":"unknown"}`) }
	return resource{
		bodies: map[string]body{
			"PATCH /api/members/{person_id}/": func(*Seller) func(*http.Request) { return JSONBody(`{"role":"Accountant"}`) },
			"POST /api/invitations/":          func(*Seller) func(*http.Request) { return JSONBody(goodInvitation()) },
			"POST /api/invitations/read/":     unknown,
			"POST /api/invitations/join/":     unknown,
			"POST /api/invitations/accept/": func(*Seller) func(*http.Request) {
				return JSONBody(`{"token":"unknown","password":"` + ClerkPassword + `"}`)
			},
		},
		records: map[string]record{
			"person_id": {func(t *Seller, _ string) string {
				t.TB.Helper()
				return t.Member(t.Org, NewEmail(), org.ViewInvoice).ID.String()
			}, UnknownMember},
			"invitation_id": {func(t *Seller, admin string) string {
				t.TB.Helper()
				return t.UUIDIn(t.As(admin, http.MethodPost, InvitationsPath, goodInvitation()))
			}, UnknownInvitation},
		},
		lists: []string{InvitationsPath},
	}
}

// Member adds a person with ClerkPassword to an organisation.
func (h *Instance) Member(o org.Organisation, email string, role org.Role) org.Person {
	h.TB.Helper()
	p, err := h.Keys.AddPerson(h.TB.Context(), h.Operator(o), email, "Noura", ClerkPassword, role)
	if err != nil {
		h.TB.Fatal(err)
	}
	return p
}
