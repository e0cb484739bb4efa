package mailtest

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"testing"
)

// Received is a message received by the server.
type Received struct {
	From, To string // envelope addresses
	Body     string // BODY parameter of MAIL FROM
	UTF8     bool   // SMTPUTF8 parameter of MAIL FROM
	SignedIn bool
	Raw      []byte
}

// Letter is a decoded message.
type Letter struct {
	Header  netmail.Header
	Subject string
	Text    string
}

// Read decodes a message with the standard library, as a mail program would.
func (r Received) Read(t testing.TB) Letter {
	t.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(r.Raw))
	if err != nil {
		t.Fatalf("parse the received e-mail: %v in\n%s", err, r.Raw)
	}
	l := Letter{Header: m.Header}
	if l.Subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		t.Fatal(err)
	}
	body := m.Body
	switch m.Header.Get("Content-Transfer-Encoding") {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	l.Text = string(text)
	return l
}
