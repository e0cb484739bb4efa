package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/netip"
	"net/smtp"
	"net/textproto"
	"strings"
	"time"
)

// Timeout is how long a whole conversation with a server may take.
const Timeout = 30 * time.Second

// farewell is how long a server is given to say good-bye.
const farewell = time.Second

// TransportConfig says which server, and how we introduce ourselves there.
type TransportConfig struct {
	Server  Server
	Name    string         // our host; empty: localhost
	Timeout time.Duration  // of a conversation; zero: Timeout
	Roots   *x509.CertPool // whom certificates are believed from; nil: those of the machine
}

// Transport hands messages to a server.
type Transport struct {
	config TransportConfig
}

// NewTransport makes a transport. It calls nobody yet.
func NewTransport(c TransportConfig) *Transport {
	if c.Timeout == 0 {
		c.Timeout = Timeout
	}
	if c.Name == "" || strings.ContainsFunc(c.Name, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		c.Name = "localhost"
	}
	return &Transport{c}
}

// Send hands over one message. When it returns nil the server has taken
// responsibility for it; any error is a [*Failure].
func (t *Transport) Send(ctx context.Context, from, to string, message []byte) error {
	if err := errors.Join(CheckAddress(from), CheckAddress(to)); err != nil {
		return &Failure{Step: atRecipient, Final: true, says: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, t.config.Timeout)
	defer cancel()
	err := t.converse(ctx, from, to, message)
	switch {
	case err == nil:
		return nil
	case err.Code == 0 && ctx.Err() != nil: // whatever else it looks like
		return t.failed(err.Step, ctx.Err())
	}
	return err
}

// converse is the conversation, from dialling to farewell.
func (t *Transport) converse(ctx context.Context, from, to string, message []byte) *Failure {
	client, failure := t.open(ctx)
	if failure != nil {
		return failure
	}
	defer client.Close() //nolint:errcheck // it was said good-bye to, or does not matter
	if failure := t.signIn(client); failure != nil {
		return failure
	}
	// Not client.Mail, which announces UTF-8 and 8 bits wherever they are
	// offered: the message needs neither, and a server further on may lack them.
	if err := ask(client, 250, "MAIL FROM:<%s>", from); err != nil {
		return t.failed(atSender, err)
	}
	if err := ask(client, 25, "RCPT TO:<%s>", to); err != nil {
		return t.failed(atRecipient, err)
	}
	if err := hand(client, message); err != nil {
		return t.failed(atMessage, err)
	}
	// It is handed over: who does not answer to the farewell is not waited for.
	hangUp := time.AfterFunc(farewell, func() { _ = client.Close() })
	defer hangUp.Stop()
	_ = client.Quit()
	return nil
}

// open dials and greets, and makes the conversation private.
func (t *Transport) open(ctx context.Context) (*smtp.Client, *Failure) {
	server := t.config.Server
	line, err := (&net.Dialer{}).DialContext(ctx, "tcp", server.address())
	if err != nil {
		return nil, t.failed(atConnect, err)
	}
	if server.security == noTLS && !isBeside(line.RemoteAddr()) {
		_ = line.Close()
		return nil, t.failure(atConnect, "is not beside this server, and starttls=never is for that alone")
	}
	if deadline, ok := ctx.Deadline(); ok {
		_ = line.SetDeadline(deadline) // of an open connection it does not fail
	}
	context.AfterFunc(ctx, func() { _ = line.Close() })
	var conn net.Conn = &bounded{Conn: line, left: mostSaid}
	if server.security == implicitTLS {
		conn = tls.Client(conn, t.tls()) // unwrapped: the client must see that it is encrypted
	}
	client, err := smtp.NewClient(conn, server.host)
	if err != nil {
		_ = conn.Close()
		return nil, t.failed(atConnect, err)
	}
	if err := client.Hello(t.config.Name); err != nil {
		_ = client.Close()
		return nil, t.failed(atConnect, err)
	}
	if failure := t.encrypt(client); failure != nil {
		_ = client.Close()
		return nil, failure
	}
	return client, nil
}

// encrypt asks for TLS where the conversation began without.
func (t *Transport) encrypt(client *smtp.Client) *Failure {
	if t.config.Server.security != startTLS {
		return nil
	}
	if offered, _ := client.Extension("STARTTLS"); !offered {
		return t.failure(atConnect, "offers no STARTTLS, and letters are not sent unencrypted: give its smtps:// address, or a server that does")
	}
	if err := client.StartTLS(t.tls()); err != nil {
		return t.failed(atConnect, err)
	}
	return nil
}

func (t *Transport) tls() *tls.Config {
	return &tls.Config{ServerName: t.config.Server.host, MinVersion: tls.VersionTLS12, RootCAs: t.config.Roots}
}

// isBeside says whether an address is of this machine or a private network.
func isBeside(at net.Addr) bool {
	where, err := netip.ParseAddrPort(at.String())
	if err != nil {
		return false
	}
	ip := where.Addr().Unmap()
	return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
}

// ask says a line and expects an answer.
func ask(client *smtp.Client, code int, format string, args ...any) error {
	id, err := client.Text.Cmd(format, args...)
	if err != nil {
		return err
	}
	client.Text.StartResponse(id)
	defer client.Text.EndResponse(id)
	_, _, err = client.Text.ReadResponse(code)
	return err
}

// hand gives the message itself.
func hand(client *smtp.Client, message []byte) error {
	w, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(message); err != nil {
		return err // and the connection is closed before the end is said
	}
	return w.Close()
}

// mostSaid is how much a server may say in a conversation.
const mostSaid = 256 << 10

// bounded is a connection whose other end may say only so much.
type bounded struct {
	net.Conn
	left int
}

// Read is of [net.Conn].
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, textproto.ProtocolError("the server says too much")
	}
	n, err := b.Conn.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
