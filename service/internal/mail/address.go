package mail

import (
	"errors"
	"fmt"
	netmail "net/mail"
	"strings"
	"unicode/utf8"
)

// Bounds of an address: RFC 5321 allows 254 characters; the name is ours.
const (
	maxAddress = 254
	maxName    = 100
)

// ParseFrom reads who letters are from: an address, or a name and an address
// as "Name <address>". The name may be Arabic.
func ParseFrom(text string) (netmail.Address, error) {
	const looks = "it looks like invoices@example.sa or Example Trading <invoices@example.sa>"
	from, err := netmail.ParseAddress(text)
	if err != nil {
		// The parser of headers does not take every name that people write bare.
		from, err = splitFrom(text)
	}
	if err != nil {
		return netmail.Address{}, errors.New(looks)
	}
	if err := CheckAddress(from.Address); err != nil {
		return netmail.Address{}, fmt.Errorf("%w; %s", err, looks)
	}
	if !utf8.ValidString(from.Name) || strings.ContainsFunc(from.Name, isControl) || utf8.RuneCountInString(from.Name) > maxName {
		return netmail.Address{}, fmt.Errorf("its name is one line of at most %d characters; %s", maxName, looks)
	}
	return *from, nil
}

// splitFrom takes a name as it is, without the quotes that headers would want
// around a comma or a full stop.
func splitFrom(text string) (*netmail.Address, error) {
	name, rest, found := strings.Cut(text, "<")
	address, after, closed := strings.Cut(rest, ">")
	if !found || !closed || strings.TrimSpace(after) != "" || strings.ContainsAny(name, `"<>@`) {
		return nil, errors.New("no name and address")
	}
	return &netmail.Address{Name: strings.TrimSpace(name), Address: strings.TrimSpace(address)}, nil
}

// CheckAddress demands an address that can stand in a command and in a header
// as it is, and that servers on the way know how to reach. Letters beyond ASCII
// would need an extension that most of them do not have; an IP address in the
// place of a domain is taken by next to none.
func CheckAddress(address string) error {
	for _, c := range []byte(address) {
		if c <= ' ' || c >= 0x7f {
			return errors.New("the address has a character other than Latin letters, digits and signs")
		}
	}
	parsed, err := netmail.ParseAddress(address)
	if err != nil || parsed.Name != "" || parsed.Address != address || len(address) > maxAddress || strings.HasPrefix(domain(address), "[") {
		return errors.New("the address is not one that mail can be sent to")
	}
	return nil
}

// domain is what stands behind the @.
func domain(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }
