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

// Server is where letters are handed over, and how. It prints itself without
// its password.
type Server struct {
	host, port string
	security   security
	user       string
	password   func() string // a function, so that no way of printing a struct reaches it
}

// security is how a conversation is kept from being overheard.
type security int

const (
	startTLS    security = iota // asked for after the greeting, and insisted on
	implicitTLS                 // from the first byte
	noTLS                       // for a relay beside us
)

// Looks is how the address of a server is written, for those who got it wrong.
const Looks = "it looks like smtp://user:password@mail.example.sa:587 or smtps://user:password@mail.example.sa:465, " +
	"a special character in the password as % and two digits; smtp://localhost:25?starttls=never is for a relay beside this server"

// ParseServer reads the address of a server. What it complains of never
// repeats the address, which may hold a password.
func ParseServer(text string) (Server, error) {
	at, err := url.Parse(text)
	if err != nil { // which quotes all of it
		return Server{}, errors.New("it is no address: " + Looks)
	}
	s := Server{host: at.Hostname(), port: at.Port(), user: at.User.Username()}
	if s.security, err = securityOf(at); err != nil {
		return Server{}, err
	}
	if s.host == "" || strings.Trim(at.Path, "/") != "" || at.Opaque != "" || at.Fragment != "" {
		return Server{}, errors.New("it is no address of a server: " + Looks)
	}
	password, given := at.User.Password()
	s.password = func() string { return password }
	switch {
	case (s.user == "") != (password == "" || !given):
		return Server{}, errors.New("it has a user without a password, or a password without a user: " + Looks)
	case s.user != "" && s.security == noTLS:
		return Server{}, errors.New("it has a password and says starttls=never: a password is never sent unencrypted")
	case strings.ContainsFunc(s.user+password, isControl):
		return Server{}, errors.New("its user or password has a control character")
	}
	if port, err := strconv.ParseUint(s.port, 10, 16); s.port != "" && (err != nil || port == 0) {
		return Server{}, errors.New("its port is not from 1 to 65535")
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
		return 0, errors.New("it begins neither with smtp:// nor with smtps://: " + Looks)
	}
	return 0, errors.New("after the ? it has something else than starttls=never, which smtp:// alone can have: " + Looks)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// address is what is dialled.
func (s Server) address() string { return net.JoinHostPort(s.host, s.port) }

// String is the address without user and password.
func (s Server) String() string {
	switch s.security {
	case implicitTLS:
		return "smtps://" + s.address()
	case noTLS:
		return "smtp://" + s.address() + "?starttls=never"
	}
	return "smtp://" + s.address()
}

// Format prints String for every verb.
func (s Server) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, s.String()) }
