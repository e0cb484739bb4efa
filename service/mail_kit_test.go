package service_test

import (
	"net"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/mail"
	"khatm/service/internal/mail/mailtest"
	"khatm/service/internal/server"
)

const mailFrom = "شركة ختم التجارية <invoices@khatm.example>"

// guardedOffice is a mail server as providers run them.
func guardedOffice(t testing.TB, judge func(step, arg string) error) *mailtest.Office {
	t.Helper()
	return mailtest.Open(t, mailtest.Config{Ways: []string{"PLAIN", "LOGIN"}, User: "office@khatm.example", Password: "hunter2/secret", Judge: judge})
}

// mailsTo has the letters of a service handed to an office.
func mailsTo(o *mailtest.Office) func(*server.Config) {
	return func(c *server.Config) {
		c.SMTP, c.MailFrom = server.NewSecret(o.URL()), mailFrom
		server.MailRoots(c, o.Roots())
	}
}

// settings applies several changes.
func settings(changes ...func(*server.Config)) func(*server.Config) {
	return func(c *server.Config) {
		for _, change := range changes {
			change(c)
		}
	}
}

// arrived waits until so many letters have arrived, and reads them in the order
// of their subjects: several are handed over at a time.
func arrived(t testing.TB, o *mailtest.Office, n int) []mailtest.Letter {
	t.Helper()
	becomes(t, "letters at the office", func() bool { return len(o.Taken()) >= n })
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

// states are those of the organisation's letters, the newest first.
func (d *desk) states() (all []mail.State) {
	d.t.Helper()
	for _, l := range d.letters() {
		all = append(all, l.State)
	}
	return all
}

// listenerAt takes a port: any, or one that was free before.
func listenerAt(t testing.TB, address string) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return listener
}
