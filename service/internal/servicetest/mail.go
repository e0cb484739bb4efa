package servicetest

import (
	"net"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/mail"
	"khatm/service/internal/mail/mailtest"
	"khatm/service/internal/server"
)

// MailFrom is the sender of e-mails in tests.
const MailFrom = "شركة ختم التجارية <invoices@khatm.example>"

// MailServer starts a mail server that requires a password.
func MailServer(t testing.TB, judge func(step, arg string) error) *mailtest.Server {
	t.Helper()
	return mailtest.Open(t, mailtest.Config{Ways: []string{"PLAIN", "LOGIN"}, User: "office@khatm.example", Password: "hunter2/secret", Judge: judge})
}

// MailsTo configures a service to send its e-mails to a mail server.
func MailsTo(o *mailtest.Server) func(*server.Config) {
	return func(c *server.Config) {
		c.SMTP, c.MailFrom = server.NewSecret(o.URL()), MailFrom
		server.MailRoots(c, o.Roots())
	}
}

// Arrived waits for n e-mails and returns them sorted by subject, because
// several are sent at a time.
func Arrived(t testing.TB, o *mailtest.Server, n int) []mailtest.Letter {
	t.Helper()
	Eventually(t, "e-mails at the mail server", func() bool { return len(o.Taken()) >= n })
	var letters []mailtest.Letter
	for _, r := range o.Taken() {
		letters = append(letters, r.Read(t))
	}
	slices.SortFunc(letters, func(a, b mailtest.Letter) int { return strings.Compare(a.Subject, b.Subject) })
	if len(letters) != n {
		t.Fatalf("%d e-mails arrived, want %d", len(letters), n)
	}
	return letters
}

// States returns the states of the organisation's e-mails, newest first.
func (d *DraftSharing) States() (all []mail.State) {
	d.TB.Helper()
	for _, l := range d.Letters() {
		all = append(all, l.State)
	}
	return all
}

// ListenerAt listens on an address, or on any port.
func ListenerAt(t testing.TB, address string) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return listener
}
