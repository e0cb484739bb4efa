package mail

import (
	"errors"
	"fmt"
	netmail "net/mail"
	"strings"
	"unicode/utf8"
)

// Limits of an address. 254 characters is the limit of RFC 5321; the limit of
// the name is our own.
const (
	maxAddress = 254
	maxName    = 100
)

// ParseFrom parses the sender of e-mails: an address, or a name and an address
// as "Name <address>". The name may be Arabic.
func ParseFrom(text string) (netmail.Address, error) {
	const looks = "use the form invoices@example.sa or Example Trading <invoices@example.sa>"
	from, err := netmail.ParseAddress(text)
	if err != nil {
		// net/mail does not accept every name without quotes.
		from, err = splitFrom(text)
	}
	if err != nil {
		return netmail.Address{}, errors.New(looks)
	}
	if err := CheckAddress(from.Address); err != nil {
		return netmail.Address{}, fmt.Errorf("%w; %s", err, looks)
	}
	if !utf8.ValidString(from.Name) || strings.ContainsFunc(from.Name, isControl) || utf8.RuneCountInString(from.Name) > maxName {
		return netmail.Address{}, fmt.Errorf("the name must be one line of at most %d characters; %s", maxName, looks)
	}
	return *from, nil
}

// splitFrom accepts a name without the quotes that a header needs around a
// comma or a full stop.
func splitFrom(text string) (*netmail.Address, error) {
	name, rest, found := strings.Cut(text, "<")
	address, after, closed := strings.Cut(rest, ">")
	if !found || !closed || strings.TrimSpace(after) != "" || strings.ContainsAny(name, `"<>@`) {
		return nil, errors.New("not a name and an address")
	}
	return &netmail.Address{Name: strings.TrimSpace(name), Address: strings.TrimSpace(address)}, nil
}

// CheckAddress returns an error unless the address can be used unchanged in an
// SMTP command and in a header, and mail servers can deliver to it. Characters
// beyond ASCII need an extension that most servers lack, and almost no server
// accepts an IP address instead of a domain.
func CheckAddress(address string) error {
	for _, c := range []byte(address) {
		if c <= ' ' || c >= 0x7f {
			return errors.New("the address contains a space, a control character or a character beyond ASCII")
		}
	}
	parsed, err := netmail.ParseAddress(address)
	if err != nil || parsed.Name != "" || parsed.Address != address || len(address) > maxAddress || strings.HasPrefix(domain(address), "[") {
		return errors.New("the address is not a valid e-mail address")
	}
	return nil
}

// domain returns the part after the @.
func domain(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }
