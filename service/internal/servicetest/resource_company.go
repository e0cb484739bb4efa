package servicetest

import "net/http"

// Paths of the company.
const (
	CompanyPath = "/app/api/company/"
	LogoPath    = CompanyPath + "logo/"
)

// NoLogo is the response to reading a logo that does not exist.
var NoLogo = Refusal{http.StatusNotFound, `{"message":"Logo not found"}` + "\n"}

func companyResource() resource {
	return resource{
		bodies: map[string]body{
			"PATCH /api/company/": func(*Seller) func(*http.Request) { return JSONBody(`{"settings":{"phone":"+966 11 234 5678"}}`) },
			"PUT /api/company/logo/": func(shop *Seller) func(*http.Request) {
				return FormBody(shop.TB, Part{"file", "logo.png", OnePixelPNG()})
			},
		},
		lists: []string{CompanyPath},
	}
}
