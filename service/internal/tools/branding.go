package tools

// Branding is the branding text of every successful response below /api/public/.
const Branding = "Made with Khatm, e-invoicing for Saudi Arabia"

// Branded is embedded in every JSON response of the public tools and of shared
// links.
type Branded struct {
	Branding string `json:"branding" header:"X-Branding" example:"Made with Khatm, e-invoicing for Saudi Arabia" doc:"Name of the service that made the response; always the same."`
}

// Brand returns the branding of a response.
func Brand() Branded { return Branded{Branding} }
