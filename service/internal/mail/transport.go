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

// Timeout is the default limit for one SMTP session.
const Timeout = 30 * time.Second

// quitTimeout is how long to wait for the reply to QUIT.
const quitTimeout = time.Second

// TransportConfig configures a Transport.
type TransportConfig struct {
	Server  Server
	Name    string         // our host name; "" for localhost
	Timeout time.Duration  // limit for one session; 0 for the constant Timeout
	Roots   *x509.CertPool // trusted root certificates; nil for the system's
}

// Transport sends messages to a mail server.
type Transport struct {
	config TransportConfig
}

// NewTransport returns a transport. It does not connect yet.
func NewTransport(c TransportConfig) *Transport {
	if c.Timeout == 0 {
		c.Timeout = Timeout
	}
	if c.Name == "" || strings.ContainsFunc(c.Name, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		c.Name = "localhost"
	}
	return &Transport{c}
}

// Send sends one message. If it returns nil, the server has accepted the
// message. Any error is a [*Failure].
func (t *Transport) Send(ctx context.Context, from, to string, message []byte) error {
	if err := errors.Join(CheckAddress(from), CheckAddress(to)); err != nil {
		return &Failure{Step: atRecipient, Final: true, says: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, t.config.Timeout)
	defer cancel()
	err := t.session(ctx, from, to, message)
	switch {
	case err == nil:
		return nil
	case err.Code == 0 && ctx.Err() != nil: // whatever the error says
		return t.failed(err.Step, ctx.Err())
	}
	return err
}

// session runs one SMTP session.
func (t *Transport) session(ctx context.Context, from, to string, message []byte) *Failure {
	client, failure := t.open(ctx)
	if failure != nil {
		return failure
	}
	defer client.Close() //nolint:errcheck // QUIT was sent, or the session failed anyway
	if failure := t.signIn(client); failure != nil {
		return failure
	}
	// client.Mail would announce UTF-8 and 8 bits if the server offers them.
	// The message needs neither, and the next server may not support them.
	if err := command(client, 250, "MAIL FROM:<%s>", from); err != nil {
		return t.failed(atSender, err)
	}
	if err := command(client, 25, "RCPT TO:<%s>", to); err != nil {
		return t.failed(atRecipient, err)
	}
	if err := writeMessage(client, message); err != nil {
		return t.failed(atMessage, err)
	}
	// The message is accepted, so do not wait long for the reply to QUIT.
	hangUp := time.AfterFunc(quitTimeout, func() { _ = client.Close() })
	defer hangUp.Stop()
	_ = client.Quit()
	return nil
}

// open connects, sends EHLO and encrypts the connection.
func (t *Transport) open(ctx context.Context) (*smtp.Client, *Failure) {
	server := t.config.Server
	line, err := (&net.Dialer{}).DialContext(ctx, "tcp", server.address())
	if err != nil {
		return nil, t.failed(atConnect, err)
	}
	if server.security == noTLS && !isLocal(line.RemoteAddr()) {
		_ = line.Close()
		return nil, t.failure(atConnect, "is not on this machine or a private network, and starttls=never is allowed only there")
	}
	if deadline, ok := ctx.Deadline(); ok {
		_ = line.SetDeadline(deadline) // cannot fail on an open connection
	}
	context.AfterFunc(ctx, func() { _ = line.Close() })
	var conn net.Conn = &bounded{Conn: line, left: maxReceived}
	if server.security == implicitTLS {
		conn = tls.Client(conn, t.tls()) // not wrapped in bounded, so that the client sees that it is encrypted
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

// encrypt starts TLS if the connection began without it.
func (t *Transport) encrypt(client *smtp.Client) *Failure {
	if t.config.Server.security != startTLS {
		return nil
	}
	if offered, _ := client.Extension("STARTTLS"); !offered {
		return t.failure(atConnect, "offers no STARTTLS, and e-mails are not sent unencrypted: use its smtps:// address, or a server that offers it")
	}
	if err := client.StartTLS(t.tls()); err != nil {
		return t.failed(atConnect, err)
	}
	return nil
}

func (t *Transport) tls() *tls.Config {
	return &tls.Config{ServerName: t.config.Server.host, MinVersion: tls.VersionTLS12, RootCAs: t.config.Roots}
}

// isLocal reports whether an address is on this machine or a private network.
func isLocal(at net.Addr) bool {
	where, err := netip.ParseAddrPort(at.String())
	if err != nil {
		return false
	}
	ip := where.Addr().Unmap()
	return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
}

// command sends a command and reads the reply, which must have the given code.
func command(client *smtp.Client, code int, format string, args ...any) error {
	id, err := client.Text.Cmd(format, args...)
	if err != nil {
		return err
	}
	client.Text.StartResponse(id)
	defer client.Text.EndResponse(id)
	_, _, err = client.Text.ReadResponse(code)
	return err
}

// writeMessage sends the message itself.
func writeMessage(client *smtp.Client, message []byte) error {
	w, err := client.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(message); err != nil {
		return err // the connection is closed before the end of the message is sent
	}
	return w.Close()
}

// maxReceived is the maximum number of bytes a server may send in one session.
const maxReceived = 256 << 10

// bounded is a connection that limits how much can be read from it.
type bounded struct {
	net.Conn
	left int
}

// Read implements [net.Conn].
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, textproto.ProtocolError("the server sent too much")
	}
	n, err := b.Conn.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
