package guest

import "khatm/service/internal/share"

// forward holds the URLs with which the visitor sends the link of an invoice from
// their own device.
type forward struct{ WhatsApp, Email string }

// forwardOf returns the URLs for a document and its link.
func forwardOf(s sheet, link string) *forward {
	subject := s.Title + " " + s.Number + " – " + s.Seller.Name
	return &forward{share.WhatsAppURL(subject + "\n" + link), share.MailtoURL("", subject, link)}
}
