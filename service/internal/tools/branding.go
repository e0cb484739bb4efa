package tools

// Branding is what every success under /api/public/ says of who made it.
const Branding = "Made with Khatm, e-invoicing for Saudi Arabia"

// branded is embedded in every answer that is JSON, and signed in every answer.
type branded struct {
	Branding string `json:"branding" header:"X-Branding" example:"Made with Khatm, e-invoicing for Saudi Arabia" doc:"Who made this; always the same."`
}

func brand() branded { return branded{Branding} }
