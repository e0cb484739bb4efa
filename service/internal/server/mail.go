package server

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"time"

	"khatm/service/internal/mail"
)

// letterLife is how long the recipient and subject of an e-mail are stored. The
// text is deleted as soon as the e-mail is sent, refused or expired.
const letterLife = 90 * 24 * time.Hour

// checkMail returns an error for settings that cannot send e-mails. Its errors
// do not contain the URL of the mail server, which may contain a password.
func (c Config) checkMail() error {
	if c.MailFrom != "" {
		if _, err := mail.ParseFrom(c.MailFrom); err != nil {
			return fmt.Errorf("--mail-from is %q; %w", c.MailFrom, err)
		}
	}
	if c.SMTP.IsZero() {
		return nil
	}
	if _, err := mail.ParseServer(string(c.SMTP.Reveal())); err != nil {
		return fmt.Errorf("--smtp (KHATM_SMTP) cannot be used: %w", err)
	}
	if c.MailFrom == "" {
		return errors.New("--smtp needs --mail-from: set the sender, such as Example Trading <invoices@example.sa>")
	}
	return nil
}

// buildPostman creates the sender of e-mails. Without a mail server, e-mails
// are stored, and khatm outbox shows them.
func (s *Server) buildPostman() error {
	c := s.config
	config := mail.Config{Keeper: s.store, Vault: s.vault, Now: c.Now, Log: c.Log, Begin: s.hasBegun, Trusted: s.trusted}
	if !c.SMTP.IsZero() {
		server, err := mail.ParseServer(string(c.SMTP.Reveal()))
		if err != nil {
			return err
		}
		if config.From, err = mail.ParseFrom(c.MailFrom); err != nil {
			return err
		}
		config.Transport = mail.NewTransport(mail.TransportConfig{Server: server, Name: ourName(s.url()), Roots: c.mailRoots})
	}
	s.postman = mail.New(config)
	s.metrics.watchLetters(letters{s.postman, s.store, c.Now})
	return nil
}

// startPostman starts sending e-mails and deleting old ones.
func (s *Server) startPostman() {
	if s.config.SMTP.IsZero() {
		s.config.Log.Info("no mail server is configured: e-mails are stored but not sent")
	}
	s.loops.Start("send e-mails", time.Second, s.postman.Deliver)
	s.loops.Start("delete old e-mails", time.Hour, func(ctx context.Context) error {
		if !s.trusted() {
			return nil
		}
		return s.store.SweepLetters(ctx, s.config.Now().Add(-letterLife))
	})
}

// ourName returns the name for the EHLO command: the host of our URL, with an IP
// address in brackets.
func ourName(at string) string {
	parsed, err := url.Parse(at)
	if err != nil {
		return ""
	}
	ip, err := netip.ParseAddr(parsed.Hostname())
	switch {
	case err != nil:
		return parsed.Hostname()
	case ip.Is4():
		return "[" + ip.String() + "]"
	}
	return "[IPv6:" + ip.String() + "]"
}
