package mail

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// Server is the address of a mail server. It never prints its password.
type Server struct {
	host, port string
	security   security
	user       string
	password   func() string // a function, so that printing the struct cannot reveal it
}

// security is how a connection is encrypted.
type security int

const (
	startTLS    security = iota // STARTTLS, required
	implicitTLS                 // from the first byte
	noTLS                       // for a relay on the same machine or private network
)

// Looks describes the format of a server address, for error messages.
const Looks = "use the form smtp://user:password@mail.example.sa:587 or smtps://user:password@mail.example.sa:465, " +
	"with special characters in the password written as % and two digits; smtp://localhost:25?starttls=never is for a relay on this machine or a private network"

// ParseServer parses the address of a mail server. Its errors never contain the
// address, because it may include a password.
func ParseServer(text string) (Server, error) {
	at, err := url.Parse(text)
	if err != nil { // err is not returned, because it contains the whole address
		return Server{}, errors.New("not a URL: " + Looks)
	}
	s := Server{host: at.Hostname(), port: at.Port(), user: at.User.Username()}
	if s.security, err = securityOf(at); err != nil {
		return Server{}, err
	}
	if s.host == "" || strings.Trim(at.Path, "/") != "" || at.Opaque != "" || at.Fragment != "" {
		return Server{}, errors.New("not the URL of a mail server: " + Looks)
	}
	password, given := at.User.Password()
	s.password = func() string { return password }
	switch {
	case (s.user == "") != (password == "" || !given):
		return Server{}, errors.New("a user without a password, or a password without a user: " + Looks)
	case s.user != "" && s.security == noTLS:
		return Server{}, errors.New("a password together with starttls=never: a password is never sent unencrypted")
	case strings.ContainsFunc(s.user+password, isControl):
		return Server{}, errors.New("the user or password contains a control character")
	}
	if port, err := strconv.ParseUint(s.port, 10, 16); s.port != "" && (err != nil || port == 0) {
		return Server{}, errors.New("the port is not between 1 and 65535")
	}
	if s.port == "" {
		s.port = map[security]string{startTLS: "587", implicitTLS: "465", noTLS: "25"}[s.security]
	}
	return s, nil
}

func securityOf(at *url.URL) (security, error) {
	switch query := at.RawQuery; {
	case at.Scheme == "smtps" && query == "":
		return implicitTLS, nil
	case at.Scheme == "smtp" && query == "":
		return startTLS, nil
	case at.Scheme == "smtp" && query == "starttls=never":
		return noTLS, nil
	case at.Scheme != "smtp" && at.Scheme != "smtps":
		return 0, errors.New("the URL begins with neither smtp:// nor smtps://: " + Looks)
	}
	return 0, errors.New("the only parameter allowed after ? is starttls=never, and only with smtp://: " + Looks)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// address returns the host and port to dial.
func (s Server) address() string { return net.JoinHostPort(s.host, s.port) }

// String returns the address without user and password.
func (s Server) String() string {
	switch s.security {
	case implicitTLS:
		return "smtps://" + s.address()
	case noTLS:
		return "smtp://" + s.address() + "?starttls=never"
	}
	return "smtp://" + s.address()
}

// Format prints the result of String for every verb.
func (s Server) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, s.String()) }
