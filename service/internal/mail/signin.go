package mail

import (
	"errors"
	"net/smtp"
	"slices"
	"strings"
)

// signIn authenticates with the server if a user is configured, only over TLS.
func (t *Transport) signIn(client *smtp.Client) *Failure {
	server := t.config.Server
	if server.user == "" {
		return nil
	}
	if offered, _ := client.Extension("AUTH"); !offered {
		return t.failure(atSignIn, "does not offer authentication: remove user and password, or use another port")
	}
	way := &auth{user: server.user, password: server.password}
	err := client.Auth(way)
	switch {
	case errors.Is(err, errNoWay):
		return t.failure(atSignIn, "offers neither PLAIN nor LOGIN authentication, and no other method is supported")
	case errors.Is(err, errUnencrypted):
		return t.failure(atSignIn, "is not connected over TLS, and a password is not sent without it")
	case err != nil:
		return t.failed(atSignIn, err)
	}
	return nil
}

var (
	errNoWay       = errors.New("no supported authentication method")
	errUnencrypted = errors.New("not encrypted")
)

// auth implements [smtp.Auth] with PLAIN, or LOGIN if the server does not
// offer PLAIN. The implementation in net/smtp has no LOGIN and sends passwords
// unencrypted to localhost.
type auth struct {
	user     string
	password func() string
	steps    []string // responses to the remaining challenges
}

// Start implements [smtp.Auth].
func (s *auth) Start(server *smtp.ServerInfo) (way string, first []byte, err error) {
	if !server.TLS {
		return "", nil, errUnencrypted
	}
	offers := func(way string) bool {
		return slices.ContainsFunc(server.Auth, func(offered string) bool { return strings.EqualFold(offered, way) })
	}
	switch {
	case offers("PLAIN"):
		return "PLAIN", []byte("\x00" + s.user + "\x00" + s.password()), nil
	case offers("LOGIN"):
		s.steps = []string{s.user, s.password()}
		return "LOGIN", nil, nil
	}
	return "", nil, errNoWay
}

// Next implements [smtp.Auth].
func (s *auth) Next(_ []byte, more bool) ([]byte, error) {
	if !more {
		return nil, nil
	}
	if len(s.steps) == 0 {
		return nil, errors.New("the server asks for more than user and password")
	}
	answer := []byte(s.steps[0])
	s.steps = s.steps[1:]
	return answer, nil
}
