package tools

// Branding is what every success under /api/public/ says of who made it.
const Branding = "Made with Khatm, e-invoicing for Saudi Arabia"

// Branded is embedded in every answer that is JSON, here and at the endpoints of
// shared links.
type Branded struct {
	Branding string `json:"branding" header:"X-Branding" example:"Made with Khatm, e-invoicing for Saudi Arabia" doc:"Who made this; always the same."`
}

// Brand returns the branding of an answer.
func Brand() Branded { return Branded{Branding} }
