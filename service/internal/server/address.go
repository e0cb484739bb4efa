package server

import (
	"net"
	"strings"
)

// PublicURL returns the base URL of the links that the server creates, without a
// trailing slash: URL, or else the address that the server listens on.
func (c Config) PublicURL() string {
	if c.URL != "" {
		return strings.TrimRight(c.URL, "/")
	}
	scheme, standard := "http://", "80"
	if c.TLS.On() {
		scheme, standard = "https://", "443"
	}
	host, port, err := net.SplitHostPort(c.Address)
	switch ip := net.ParseIP(host); {
	case err != nil:
		return scheme + c.Address
	case c.TLS.ACME != "":
		host = c.TLS.ACME
	case host == "", ip != nil && ip.IsUnspecified():
		host = "127.0.0.1"
	}
	if port != standard {
		return scheme + net.JoinHostPort(host, port)
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return scheme + host
}

// url returns the public base URL, without a trailing slash.
func (s *Server) url() string { return s.config.PublicURL() }

// warnOfAddress logs settings of the address that are probably mistakes. at is the
// address that the server listens on.
func (s *Server) warnOfAddress(at net.Addr) {
	tcp, ok := at.(*net.TCPAddr)
	if !ok {
		return
	}
	c := s.config
	proxied := c.BehindProxy || len(c.TrustedProxies) > 0
	if !c.TLS.On() && !proxied && !tcp.IP.IsLoopback() {
		c.Log.Warn("plain HTTP on an address that other machines can reach: passwords, API keys and invoices are not encrypted. A later version will refuse to start like this",
			"address", at.String(), "fix", "serve HTTPS with --tls-cert and --tls-key, or with --acme; or set --behind-proxy or --trusted-proxy if a proxy encrypts the connections; or listen on 127.0.0.1")
	}
	if c.URL == "" && (proxied || tcp.IP.IsUnspecified() && c.TLS.ACME == "") {
		c.Log.Warn("--url is not set: links in responses, pages and e-mails may not work on other machines", "links", s.url()+"/…", "fix", "set --url to the address that people use, such as https://invoices.example.sa")
	}
}
