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

// MailFrom is whom the letters of tests are from.
const MailFrom = "شركة ختم التجارية <invoices@khatm.example>"

// MailServer opens a mail server that wants a password.
func MailServer(t testing.TB, judge func(step, arg string) error) *mailtest.Server {
	t.Helper()
	return mailtest.Open(t, mailtest.Config{Ways: []string{"PLAIN", "LOGIN"}, User: "office@khatm.example", Password: "hunter2/secret", Judge: judge})
}

// MailsTo has the letters of a service handed to a mail server.
func MailsTo(o *mailtest.Server) func(*server.Config) {
	return func(c *server.Config) {
		c.SMTP, c.MailFrom = server.NewSecret(o.URL()), MailFrom
		server.MailRoots(c, o.Roots())
	}
}

// Arrived waits until so many letters have arrived, and reads them in the order
// of their subjects: several are handed over at a time.
func Arrived(t testing.TB, o *mailtest.Server, n int) []mailtest.Letter {
	t.Helper()
	Eventually(t, "letters at the mail server", func() bool { return len(o.Taken()) >= n })
	var letters []mailtest.Letter
	for _, r := range o.Taken() {
		letters = append(letters, r.Read(t))
	}
	slices.SortFunc(letters, func(a, b mailtest.Letter) int { return strings.Compare(a.Subject, b.Subject) })
	if len(letters) != n {
		t.Fatalf("%d letters arrived, want %d", len(letters), n)
	}
	return letters
}

// States are those of the organisation's letters, the newest first.
func (d *DraftSharing) States() (all []mail.State) {
	d.TB.Helper()
	for _, l := range d.Letters() {
		all = append(all, l.State)
	}
	return all
}

// ListenerAt takes a port: any, or one that was free before.
func ListenerAt(t testing.TB, address string) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return listener
}
