package share

import (
	"net/url"
	"strings"
)

// WhatsAppURL returns a URL that opens WhatsApp on the user's device with a
// message.
func WhatsAppURL(message string) string { return "https://wa.me/?text=" + escape(message) }

// MailtoURL returns a URL that opens the user's mail program with an e-mail. The
// recipient to may be empty.
func MailtoURL(to, subject, body string) string {
	query := "body=" + escape(body)
	if subject != "" {
		query = "subject=" + escape(subject) + "&" + query
	}
	return "mailto:" + url.PathEscape(to) + "?" + query
}

// escape escapes a text for a query. Mail programs do not read a plus sign as a
// space.
func escape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
