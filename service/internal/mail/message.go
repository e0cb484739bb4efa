package mail

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"mime/quotedprintable"
	netmail "net/mail"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Message is an e-mail message.
type Message struct {
	ID       uuid.UUID // ID of the e-mail; the same if the e-mail is sent again
	From     netmail.Address
	To       string // e-mail address
	At       time.Time
	Language string
	Text
}

var (
	riyadh   = time.FixedZone("", 3*60*60)
	language = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$`)
)

// Bytes returns the message in the format of RFC 5322 and MIME. It is pure
// ASCII, which every server accepts. It returns an error for texts that would
// break out of their header.
func (m Message) Bytes() ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	encoding, body := encodeBody(m.Body)
	var b bytes.Buffer
	for _, h := range []struct{ name, value string }{
		{"From", mailbox("From: ", m.From)},
		{"To", "<" + m.To + ">"},
		{"Date", m.At.In(riyadh).Format(time.RFC1123Z)},
		{"Message-ID", "<" + m.ID.String() + "@" + domain(m.From.Address) + ">"},
		{"Subject", encodeWords("Subject: ", m.Subject)},
		{"MIME-Version", "1.0"},
		{"Content-Type", "text/plain; charset=utf-8"},
		{"Content-Transfer-Encoding", encoding},
		{"Content-Language", m.Language},
		{"Auto-Submitted", "auto-generated"}, // asks for no automatic replies
	} {
		b.WriteString(h.name + ": " + h.value + "\r\n")
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes(), nil
}

// check returns an error if a field cannot be represented in the message.
func (m Message) check() error {
	if err := CheckAddress(m.To); err != nil {
		return err
	}
	if err := CheckAddress(m.From.Address); err != nil {
		return fmt.Errorf("sender: %w", err)
	}
	for name, text := range map[string]string{"subject": m.Subject, "name of the sender": m.From.Name} {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, isControl) {
			return fmt.Errorf("the %s must be one line of text", name)
		}
	}
	if !utf8.ValidString(m.Body) || strings.ContainsRune(m.Body, 0) {
		return errors.New("the body must be valid UTF-8 without NUL")
	}
	if !language.MatchString(m.Language) {
		return errors.New("the language must be a tag such as ar or en")
	}
	return nil
}

// mailbox formats a name and an address for a header.
func mailbox(before string, a netmail.Address) string {
	if a.Name == "" {
		return "<" + a.Address + ">"
	}
	name := encodeWords(before, a.Name)
	if name == a.Name { // no encoded words: a quoted string allows any other character
		return a.String()
	}
	return name + "\r\n <" + a.Address + ">"
}

// Limits of RFC 2047: a line with an encoded word has at most 76 characters.
const (
	wordLine  = 76
	wordOpen  = "=?utf-8?b?"
	wordClose = "?="
)

// encodeWords encodes a text for a header line that already contains before. A
// short ASCII text stays unchanged; any other text becomes base64 encoded
// words, one per line, split between characters.
func encodeWords(before, text string) string {
	if isPlain(text) && len(before)+len(text) <= wordLine && !strings.Contains(text, "=?") && strings.TrimSpace(text) == text {
		return text
	}
	var words []string
	room := wordRoom(len(before))
	for len(text) > 0 {
		end := 0
		for end < len(text) {
			_, size := utf8.DecodeRuneInString(text[end:])
			if end+size > room {
				break
			}
			end += size
		}
		words = append(words, wordOpen+base64.StdEncoding.EncodeToString([]byte(text[:end]))+wordClose)
		text, room = text[end:], wordRoom(1)
	}
	return strings.Join(words, "\r\n ")
}

// wordRoom returns how many bytes fit into an encoded word that starts in the
// given column.
func wordRoom(column int) int { return (wordLine - column - len(wordOpen) - len(wordClose)) / 4 * 3 }

func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// encodeBody encodes the body with short lines that end with CRLF. Mostly Latin
// text uses quoted-printable and stays readable; Arabic uses base64, because it
// would become three times as long.
func encodeBody(text string) (encoding string, body []byte) {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	var b bytes.Buffer
	if len(text)-utf8.RuneCountInString(text) < len(text)/8 {
		w := quotedprintable.NewWriter(&b)
		_, _ = w.Write([]byte(text)) // writing to memory cannot fail
		_ = w.Close()
		return "quoted-printable", b.Bytes()
	}
	all := base64.StdEncoding.EncodeToString([]byte(strings.ReplaceAll(text, "\n", "\r\n")))
	for len(all) > wordLine {
		b.WriteString(all[:wordLine] + "\r\n")
		all = all[wordLine:]
	}
	b.WriteString(all + "\r\n")
	return "base64", b.Bytes()
}
