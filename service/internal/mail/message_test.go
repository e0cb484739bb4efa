package mail_test

import (
	"bytes"
	netmail "net/mail"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"khatm/service/internal/mail"
	"khatm/service/internal/mail/mailtest"
)

const (
	arabicSubject = "رمز الموافقة على مسودة الفاتورة من شركة ختم التجارية: أدخلوه خلال 10 دقائق"
	arabicBody    = "السلام عليكم،\n\nرمز الموافقة على المسودة هو 482913، وهو صالح لمدة 10 دقائق.\n.\nمع التحية\n"
)

var letterID = uuid.MustParse("01890000-0000-7000-8000-000000000001")

func arabicMessage() mail.Message {
	return mail.Message{
		ID: letterID, From: netmail.Address{Name: "شركة ختم التجارية المحدودة للأنظمة والحلول", Address: "invoices@example.sa"}, To: "buyer@example.com",
		At: time.Date(2026, 11, 15, 9, 0, 5, 0, time.UTC), Language: "ar", Text: mail.Text{Subject: arabicSubject, Body: arabicBody},
	}
}

func TestMessageIsReadAsItWasWritten(t *testing.T) {
	english := arabicMessage()
	english.Language, english.From.Name = "en", `Example "Trading", Co.`
	english.Text = mail.Text{Subject: "Your approval code", Body: "Dear Noura,\r\nthe code is 482913.\rTrailing blank \nشكرًا\n" + strings.Repeat("long ", 300) + "\nno end"}
	tricky := arabicMessage()
	tricky.Subject = "=?utf-8?q?not=20encoded?= by us"
	long := arabicMessage()
	long.Subject = strings.TrimSpace(strings.Repeat("a subject in Latin that is long ", 10))
	for name, m := range map[string]mail.Message{"Arabic": arabicMessage(), "English": english, "looks encoded": tricky, "long": long} {
		t.Run(name, func(t *testing.T) {
			raw, err := m.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			wellFormed(t, raw)
			got := mailtest.Received{Raw: raw}.Read(t)
			if got.Subject != m.Subject {
				t.Errorf("subject\n got %q\nwant %q", got.Subject, m.Subject)
			}
			want := strings.NewReplacer("\r\n", "\r\n", "\r", "\r\n", "\n", "\r\n").Replace(m.Body)
			if strings.TrimSuffix(got.Text, "\r\n") != strings.TrimSuffix(want, "\r\n") {
				t.Errorf("text\n got %q\nwant %q", got.Text, want)
			}
			from, err := got.Header.AddressList("From")
			if err != nil || len(from) != 1 || *from[0] != m.From {
				t.Errorf("From: got %v, %v; want %+v", from, err, m.From)
			}
			for field, want := range map[string]string{
				"To": "<buyer@example.com>", "Date": "Sun, 15 Nov 2026 12:00:05 +0300", "Message-Id": "<" + letterID.String() + "@example.sa>",
				"Mime-Version": "1.0", "Content-Type": "text/plain; charset=utf-8", "Content-Language": m.Language, "Auto-Submitted": "auto-generated",
			} {
				if got := got.Header.Get(field); got != want {
					t.Errorf("%s: got %q, want %q", field, got, want)
				}
			}
		})
	}
}

var encodedWord = regexp.MustCompile(`=\?utf-8\?b\?[A-Za-z0-9+/=]*\?=`)

// wellFormed checks a message against RFC 5322 and 2047: ASCII, line breaks
// only as CRLF, short lines, and encoded words of at most 75 characters that
// split no character.
func wellFormed(t interface {
	Helper()
	Errorf(string, ...any)
}, raw []byte) {
	t.Helper()
	if strings.ContainsAny(strings.ReplaceAll(string(raw), "\r\n", ""), "\r\n") {
		t.Errorf("a bare CR or LF in %q", raw)
	}
	for line := range strings.SplitSeq(string(raw), "\r\n") {
		if len(line) > 78 {
			t.Errorf("line has %d bytes, want at most 78: %q", len(line), line)
		}
		if strings.ContainsFunc(line, func(r rune) bool { return r > 0x7e || r < ' ' && r != '\t' }) {
			t.Errorf("line is not ASCII: %q", line)
		}
	}
	head, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	for _, word := range encodedWord.FindAllString(string(head), -1) {
		if len(word) > 75 {
			t.Errorf("encoded word has %d bytes, want at most 75: %s", len(word), word)
		}
		whole, err := netmail.ParseAddress(word + " <a@example.sa>")
		if err != nil || strings.ContainsRune(whole.Name, '\uFFFD') {
			t.Errorf("encoded word %s splits a character: %v", word, err)
		}
	}
}

func TestMessageKeepsAnyTextIntact(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := arabicMessage()
		oneLine := rapid.StringOfN(rapid.RuneFrom([]rune("ab =?_\"<>@,:\\.\t؟ابتةءۀ🧾\u200f\u0651é")), 1, 200, -1)
		m.Subject = strings.TrimSpace(strings.ReplaceAll(oneLine.Draw(rt, "subject"), "\t", " "))
		m.From.Name = strings.TrimSpace(strings.ReplaceAll(oneLine.Draw(rt, "name"), "\t", " "))
		m.Body = rapid.StringOfN(rapid.RuneFrom([]rune("ab =.\t\nابت🧾")), 0, 400, -1).Draw(rt, "body")
		raw, err := m.Bytes()
		if err != nil {
			rt.Fatal(err)
		}
		head, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
		if n := bytes.Count(head, []byte("\r\n")) + 1 - bytes.Count(head, []byte("\r\n ")); n != 10 {
			rt.Fatalf("%d headers, want 10, in %q", n, head)
		}
		got := mailtest.Received{Raw: raw}.Read(t)
		if got.Subject != m.Subject {
			rt.Fatalf("subject is %q, want %q", got.Subject, m.Subject)
		}
		if text := strings.ReplaceAll(got.Text, "\r\n", "\n"); strings.TrimSuffix(text, "\n") != strings.TrimSuffix(m.Body, "\n") {
			rt.Fatalf("text is %q, want %q", text, m.Body)
		}
		from, err := netmail.ParseAddress(got.Header.Get("From"))
		if err != nil || *from != m.From {
			rt.Fatalf("sender is %+v (error: %v), want %+v in %q", from, err, m.From, head)
		}
	})
}

func TestMessageLetsNothingBreakOutOfAHeader(t *testing.T) {
	cases := map[string]func(m *mail.Message, evil string){
		"subject":   func(m *mail.Message, evil string) { m.Subject += evil },
		"name":      func(m *mail.Message, evil string) { m.From.Name += evil },
		"sender":    func(m *mail.Message, evil string) { m.From.Address += evil },
		"recipient": func(m *mail.Message, evil string) { m.To += evil },
		"language":  func(m *mail.Message, evil string) { m.Language += evil },
	}
	for name, change := range cases {
		for _, evil := range []string{"\r\nBcc: x@example.com", "\nBcc: x@example.com", "\r", "\x00", "\n\n<b>", "\x7f"} {
			m := arabicMessage()
			change(&m, evil)
			if raw, err := m.Bytes(); err == nil {
				t.Errorf("%s with %q was accepted in %q", name, evil, raw)
			}
		}
	}
	for _, to := range []string{"", "buyer", "a@example.com>", "a@example.com, b@example.com", "Noura <a@example.com>", "مشتري@example.com", `"a b"@example.com`} {
		m := arabicMessage()
		m.To = to
		if _, err := m.Bytes(); err == nil {
			t.Errorf("recipient %q was accepted", to)
		}
	}
}
