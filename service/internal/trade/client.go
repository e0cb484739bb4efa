package trade

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"khatm/codes"
	"khatm/service/internal/org"
)

// Client is a buyer of an organisation.
type Client struct {
	ID           uuid.UUID
	Name         string
	NameArabic   string // printed on the document if set
	VATNumber    string // "" if not registered
	BusinessType string // uuid of a [codes.Classification], like Industry
	Industry     string
	org.Address
	ContactName     string
	ContactEmail    string
	ContactPhone    string
	Identifications []org.Identification // at most one per type
	Logo            string               // storage key of the file; empty if none
	CreatedAt       time.Time
}

// Saudi reports whether the client is in Saudi Arabia, which is the default
// country.
func (c Client) Saudi() bool {
	return c.CountryCode == codes.SaudiArabia || c.CountryCode == ""
}

// Folded returns the folded search text: names, numbers, contact and city.
func (c Client) Folded() string {
	parts := []string{c.Name, c.NameArabic, c.VATNumber}
	for _, id := range c.Identifications {
		parts = append(parts, id.Value)
	}
	parts = append(parts, c.ContactName, c.ContactEmail, dialled(c.ContactPhone), c.City)
	return Fold(strings.Join(parts, " "))
}
