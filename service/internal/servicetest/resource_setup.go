package servicetest

import "net/http"

// SetUpPath is the path of the set-up of an installation.
const SetUpPath = "/app/api/setup/"

// EnvironmentPath is the path of the choice of the environment.
const EnvironmentPath = "/app/api/environment/"

// NoAccessLink is the response to a secret link that does not work.
var NoAccessLink = Refusal{http.StatusNotFound, `{"message":"The link does not work. It may have been used, replaced or have expired."}` + "\n"}

// SignUpPath is the path of signing up.
const SignUpPath = "/app/api/signup/"

// NoSignUp is the response to signing up if sign-up is not open.
var NoSignUp = Refusal{http.StatusForbidden, `{"message":"Signing up is not open here. Ask the operator or an Admin for an account."}` + "\n"}

func setUpResource() resource {
	return resource{bodies: map[string]body{
		"POST /api/signup/":          func(*Seller) func(*http.Request) { return JSONBody(`{"email":"new@example.sa"}`) },
		"POST /api/signup/complete/": func(shop *Seller) func(*http.Request) { return JSONBody(AsJSON(shop.TB, SignUpBody("unknown"))) },
		"POST /api/setup/":           func(shop *Seller) func(*http.Request) { return JSONBody(AsJSON(shop.TB, SetUpBody("unknown"))) },
		"POST /api/environment/":     func(*Seller) func(*http.Request) { return JSONBody(`{"environment":"simulator"}`) },
	}}
}

// SignUpBody returns a valid request that completes a sign-up with a token.
func SignUpBody(token string) Record {
	body := SetUpBody(token)
	body["account"] = Record{"name": "Noura", "password": ClerkPassword}
	return body
}

// SetUpBody returns a valid request for the set-up with a token.
func SetUpBody(token string) Record {
	return Record{
		"token":   token,
		"account": Record{"email": "first@example.sa", "name": "Noura", "password": ClerkPassword},
		"organisation": Record{
			"name": "Khatm Trading", "name_arabic": "شركة ختم التجارية", "vat_registration_number": "399999999900003",
			"additional_seller_id": Record{"type_id": "CRN", "value": "1010010000"},
			"street":               "King Fahd Road", "building_number": "1234", "district": "Al Olaya", "city": "Riyadh", "postal_code": "12345",
		},
	}
}
