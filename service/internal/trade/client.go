package trade

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/service/internal/org"
)

// Client is a buyer.
type Client struct {
	ID           uuid.UUID
	Name         string
	NameArabic   string // stands on the document when given
	VATNumber    string // "" for one who has none
	BusinessType string // uuid of a [codes.Classification], as Industry
	Industry     string
	org.Address
	ContactName     string
	ContactEmail    string
	ContactPhone    string
	Identifications []org.Identification // at most one of a type
	Logo            string               // where the file is kept; empty: none
	CreatedAt       time.Time
}

// Saudi says whether the client is in Saudi Arabia, as one whose country was
// never given is.
func (c Client) Saudi() bool {
	return c.CountryCode == codes.SaudiArabia || c.CountryCode == ""
}

// Folded is the text in which clients are searched: names, numbers, contact
// and city.
func (c Client) Folded() string {
	parts := []string{c.Name, c.NameArabic, c.VATNumber}
	for _, id := range c.Identifications {
		parts = append(parts, id.Value)
	}
	parts = append(parts, c.ContactName, c.ContactEmail, dialled(c.ContactPhone), c.City)
	return Fold(strings.Join(parts, " "))
}
