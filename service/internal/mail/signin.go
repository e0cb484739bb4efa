package mail

import (
	"errors"
	"net/smtp"
	"slices"
	"strings"
)

// signIn tells the server who we are, if we are to: under TLS only.
func (t *Transport) signIn(client *smtp.Client) *Failure {
	server := t.config.Server
	if server.user == "" {
		return nil
	}
	if offered, _ := client.Extension("AUTH"); !offered {
		return t.failure(atSignIn, "does not let anybody sign in: leave user and password out, or use another port")
	}
	way := &signingIn{user: server.user, password: server.password}
	err := client.Auth(way)
	switch {
	case errors.Is(err, errNoWay):
		return t.failure(atSignIn, "lets nobody sign in by PLAIN or LOGIN, and no other way is known here")
	case errors.Is(err, errUnencrypted):
		return t.failure(atSignIn, "is not spoken to under TLS, and a password is not sent without")
	case err != nil:
		return t.failed(atSignIn, err)
	}
	return nil
}

var (
	errNoWay       = errors.New("no known way to sign in")
	errUnencrypted = errors.New("not encrypted")
)

// signingIn is the part of who signs in: PLAIN, or LOGIN where there is no
// PLAIN. That of net/smtp has no LOGIN, and lets a password pass unencrypted
// on this machine.
type signingIn struct {
	user     string
	password func() string
	steps    []string // what is answered to each further question
}

// Start is of [smtp.Auth].
func (s *signingIn) Start(server *smtp.ServerInfo) (way string, first []byte, err error) {
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

// Next is of [smtp.Auth].
func (s *signingIn) Next(_ []byte, more bool) ([]byte, error) {
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
