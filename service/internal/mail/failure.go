package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/textproto"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// Failure is the error of a message that was not sent. Its text contains no
// password and no part of the message.
type Failure struct {
	Step  string // step of the session that failed
	Code  int    // the server's reply code; 0 if there was none
	Final bool   // the server refuses this message for good
	says  string
}

// The steps of a session.
const (
	atConnect   = "connect"
	atSignIn    = "sign in"
	atSender    = "sender"
	atRecipient = "recipient"
	atMessage   = "message"
)

// subjects names the steps for error messages.
var subjects = map[string]string{
	atConnect: "greeting", atSignIn: "user and password", atSender: "sender", atRecipient: "recipient", atMessage: "message",
}

// Error returns the server's address, the step and the problem.
func (f *Failure) Error() string { return f.says }

// failure returns a Failure that we detected ourselves.
func (t *Transport) failure(step, says string) *Failure {
	return &Failure{Step: step, says: t.config.Server.address() + " " + says}
}

// needsSignIn is the reply code for commands that need authentication, at any
// step. It is a problem of the settings, not of the e-mail.
const needsSignIn = 530

// failed describes an error at a step. The text of the server's reply is
// included only if the server has seen neither the password nor the message,
// because it might quote them.
func (t *Transport) failed(step string, err error) *Failure {
	var answer *textproto.Error
	if !errors.As(err, &answer) {
		return &Failure{Step: step, says: t.broken(step, err)}
	}
	f := &Failure{Step: step, Code: answer.Code}
	aboutLetter := step == atRecipient || step == atMessage
	f.Final = aboutLetter && answer.Code >= 500 && answer.Code != needsSignIn
	said := answer.Msg
	if step == atSignIn || step == atMessage {
		said = enhanced.FindString(said)
	}
	text := strings.TrimSpace(strconv.Itoa(answer.Code) + " " + oneLine(said))
	f.says = fmt.Sprintf("%s answers %s to the %s", t.config.Server.address(), text, subjects[step])
	return f
}

// enhanced matches the enhanced status code before the text of a reply (RFC
// 3463).
var enhanced = regexp.MustCompile(`^[245]\.\d{1,3}\.\d{1,3}\b`)

// broken describes a connection that failed or ended too early.
func (t *Transport) broken(step string, err error) string {
	var plain tls.RecordHeaderError
	if errors.As(err, &plain) {
		return t.config.Server.address() + " does not speak TLS: use smtp:// instead of smtps://"
	}
	switch {
	case errors.Is(err, context.Canceled):
		return "this server was stopped while connected to " + t.config.Server.address()
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Sprintf("%s did not complete the %s within %s", t.config.Server.address(), subjects[step], t.config.Timeout)
	}
	return fmt.Sprintf("the connection to %s ended before the %s was complete: %s", t.config.Server.address(), subjects[step], oneLine(err.Error()))
}

// Patterns of the problems that failed and broken write, with an older wording
// that may still be stored. The text of a server's reply is in the middle, so
// it cannot imitate the beginning or the end.
var (
	answerPattern = regexp.MustCompile(`^\S+ answers (\d{3})\b.* to the (greeting|user and password|sender|recipient|message)$`)
	stepPattern   = regexp.MustCompile(`^(?:\S+ (?:did not complete|was not done with)|the connection to \S+ ended before|the conversation with \S+ ended before it was done with) the (greeting|user and password|sender|recipient|message)\b`)
)

// Outline returns a problem as shown to the e-mail's organisation, which does
// not run the service: the step and the reply code, without the server's name
// and text. An empty problem stays empty.
func Outline(problem string) string {
	if problem == "" {
		return ""
	}
	if told := answerPattern.FindStringSubmatch(problem); told != nil {
		return "The mail server answers " + told[1] + " to the " + told[2] + "."
	}
	if told := stepPattern.FindStringSubmatch(problem); told != nil {
		return "The mail server did not complete the " + told[1] + "."
	}
	return "The e-mail could not be sent to the mail server."
}

// maxReply is the maximum length of a stored reply in characters.
const maxReply = 300

// oneLine returns a text as one line of limited length.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if isControl(r) {
			return ' '
		}
		return r
	}, text)), " ")
	if runes := []rune(text); len(runes) > maxReply {
		text = string(runes[:maxReply]) + "…"
	}
	return strings.ToValidUTF8(text, "?")
}
