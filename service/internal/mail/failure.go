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

// Failure is why a message was not handed over. Its text holds no password
// and nothing of what the message says.
type Failure struct {
	Step  string // where the conversation stood
	Code  int    // what the server answered; 0: nothing
	Final bool   // the server will not have this message, whenever it is asked
	says  string
}

// The steps of a conversation.
const (
	atConnect   = "connect"
	atSignIn    = "sign in"
	atSender    = "sender"
	atRecipient = "recipient"
	atMessage   = "message"
)

// subjects is what a step is about, for people.
var subjects = map[string]string{
	atConnect: "greeting", atSignIn: "user and password", atSender: "sender", atRecipient: "recipient", atMessage: "message",
}

// Error tells where, what and whether it is any use to try again.
func (f *Failure) Error() string { return f.says }

// failure is one that we found ourselves.
func (t *Transport) failure(step, says string) *Failure {
	return &Failure{Step: step, says: t.config.Server.address() + " " + says}
}

// needsSignIn is what servers answer to who has not signed in, at whatever
// step. It is about our settings, not about a letter.
const needsSignIn = 530

// failed puts what went wrong at a step into words. The server's own words are
// told where it cannot know more than the operator may read: not when it has
// seen a password, and not when it has seen the message, for it might quote it.
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

// enhanced is the second code that servers put before their words (RFC 3463).
var enhanced = regexp.MustCompile(`^[245]\.\d{1,3}\.\d{1,3}\b`)

// broken tells of a connection that was not made, or ended too early.
func (t *Transport) broken(step string, err error) string {
	var plain tls.RecordHeaderError
	if errors.As(err, &plain) {
		return t.config.Server.address() + " does not speak TLS: it may want smtp:// in place of smtps://"
	}
	switch {
	case errors.Is(err, context.Canceled):
		return "this server was stopped while it spoke with " + t.config.Server.address()
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Sprintf("%s was not done with the %s within %s", t.config.Server.address(), subjects[step], t.config.Timeout)
	}
	return fmt.Sprintf("the conversation with %s ended before it was done with the %s: %s", t.config.Server.address(), subjects[step], oneLine(err.Error()))
}

// Told problems, as failed, broken and failure write them. What stands between
// the beginning and the end are a server's words, which can imitate neither.
var (
	toldAnswer = regexp.MustCompile(`^\S+ answers (\d{3})\b.* to the (greeting|user and password|sender|recipient|message)$`)
	toldStep   = regexp.MustCompile(`^(?:\S+ was not done with|the conversation with \S+ ended before it was done with) the (greeting|user and password|sender|recipient|message)\b`)
)

// Outline is a problem as those may read it whose letter it was and who do not
// run the service: where the conversation stood and what was answered, and not
// with whom. Empty stays empty.
func Outline(problem string) string {
	if problem == "" {
		return ""
	}
	if told := toldAnswer.FindStringSubmatch(problem); told != nil {
		return "The mail server answers " + told[1] + " to the " + told[2] + "."
	}
	if told := toldStep.FindStringSubmatch(problem); told != nil {
		return "The mail server was not done with the " + told[1] + "."
	}
	return "The letter could not be handed to the mail server."
}

// mostTold is how much of a server's words is kept.
const mostTold = 300

// oneLine makes a text fit for a table: one line, not too long.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if isControl(r) {
			return ' '
		}
		return r
	}, text)), " ")
	if runes := []rune(text); len(runes) > mostTold {
		text = string(runes[:mostTold]) + "…"
	}
	return strings.ToValidUTF8(text, "?")
}
