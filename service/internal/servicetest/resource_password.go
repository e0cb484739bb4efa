package servicetest

import (
	"net/http"

	"github.com/google/uuid"
)

// Paths of the account of a person.
const (
	ResetPath    = "/app/api/password/reset/"
	PasswordPath = "/app/api/password/"
	PersonPath   = "/app/api/person/"
)

func passwordResource() resource {
	return resource{bodies: map[string]body{
		"POST /api/password/reset/": func(*Seller) func(*http.Request) {
			return JSONBody(`{"email":"p` + uuid.NewString() + `@example.com"}`)
		},
		"POST /api/password/": func(*Seller) func(*http.Request) {
			return JSONBody(`{"token":"unknown","password":"` + ClerkPassword + `"}`)
		},
		"PATCH /api/person/": func(*Seller) func(*http.Request) { return JSONBody(`{"name":"Sara"}`) },
		"POST /api/person/password/": func(*Seller) func(*http.Request) {
			return JSONBody(`{"current_password":"not the password","new_password":"` + ClerkPassword + `"}`)
		},
	}}
}
