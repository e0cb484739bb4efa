package admin

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"time"

	"khatm/service/internal/tlscert"
)

// TLS describes the certificate of the HTTPS server. The zero value is plain HTTP.
type TLS struct {
	Cert, Key string // files; the same if the server gets its certificate from an ACME authority
	ACME      string // host of that certificate; empty if the operator provides the files
	URL       string // public URL; empty if it is not set
}

// certificate checks the certificate of the HTTPS server: that it can be used, is
// valid for the host of the public URL, and does not expire soon.
func (x *examination) certificate() {
	const check = "TLS certificate"
	t := x.outside.TLS
	if t.Cert == "" {
		return
	}
	pair, err := tlscert.Read(t.Cert, t.Key)
	switch {
	case t.ACME != "" && errors.Is(err, fs.ErrNotExist):
		x.warn(check, "start the server: it requests the certificate, and logs why if it cannot", "there is no certificate for %s yet", t.ACME)
		return
	case err != nil:
		x.fail(check, "correct the files; until then a running server uses the certificate that it has, and does not start again", "%v", err)
		return
	}
	now, leaf := x.config.Now(), pair.Leaf
	renew := "renew it"
	if t.ACME != "" {
		renew = "the server renews it: see its log for the reason why it has not"
	}
	at, _ := url.Parse(t.URL)
	names := strings.Join(tlscert.Names(leaf), ", ")
	until := leaf.NotAfter.Format(time.DateOnly)
	switch {
	case now.After(leaf.NotAfter):
		x.fail(check, renew, "the certificate for %s has expired on %s", names, until)
	case now.Before(leaf.NotBefore):
		x.fail(check, "check the clock of this machine, or wait", "the certificate for %s is valid only from %s on", names, leaf.NotBefore.Format(time.DateTime))
	case at != nil && at.Host != "" && leaf.VerifyHostname(at.Hostname()) != nil:
		x.fail(check, "use a certificate for that host, or set --url to an address with one of its names", "the certificate is valid for %s, but not for the host of %s", names, t.URL)
	case tlscert.Expiring(leaf, now):
		x.warn(check, renew, "the certificate for %s expires on %s", names, until)
	case othersCanRead(t.Key):
		x.warn(check, "chmod 600 "+t.Key, "other users can read the private key %s", t.Key)
	default:
		x.ok(check, "for %s, valid until %s", names, until)
	}
}

// othersCanRead reports whether all users can read a file.
func othersCanRead(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o004 != 0
}
