package servicetest

import "net/http"

func sessionResource() resource {
	return resource{bodies: map[string]body{
		"POST /api/session/": func(shop *Seller) func(*http.Request) {
			return JSONBody(AsJSON(shop.TB, Record{"email": shop.ClerkEmail(), "password": ClerkPassword}))
		},
		"POST /api/session/link/": func(*Seller) func(*http.Request) { return JSONBody(`{"token":"unknown"}`) },
	}}
}
