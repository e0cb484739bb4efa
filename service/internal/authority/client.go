package authority

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Config says where the authority is and how patient we are.
type Config struct {
	URL     string           // its base address: https, or http on a loopback address
	Timeout time.Duration    // of a whole call; 0 for 60 seconds
	TLS     *tls.Config      // what else to trust; nil for the system's roots
	Now     func() time.Time // measures, and reads a Retry-After that is a date

	// Dated is called with the Date header of each response and the boot time
	// halfway between the request and the response. It may be nil.
	Dated func(date time.Time, at time.Duration)
	Boot  func() time.Duration // may be nil if Dated is
}

// Bounds of what the authority is given. On bad days it holds connections for
// minutes.
const (
	timeout     = 60 * time.Second
	connections = 64
	mostBytes   = 8 << 20
)

// Client speaks to the authority at one address and to nobody else. It may be
// used by many goroutines; all its calls share one bounded set of connections.
type Client struct {
	base string
	http *http.Client
	now  func() time.Time

	dated func(date time.Time, at time.Duration)
	boot  func() time.Duration
}

// New makes a client.
func New(c Config) (*Client, error) {
	base, err := checkURL(c.URL)
	if err != nil {
		return nil, err
	}
	if c.Now == nil {
		return nil, errors.New("reach the authority: no clock was given")
	}
	if c.Timeout == 0 {
		c.Timeout = timeout
	}
	if c.Dated == nil {
		c.Dated, c.Boot = func(time.Time, time.Duration) {}, func() time.Duration { return 0 }
	}
	return &Client{base: base, now: c.Now, dated: c.Dated, boot: c.Boot, http: &http.Client{
		Transport: transport(c),
		Timeout:   c.Timeout,
		// Of a redirect the status is the answer. Followed, a POST would become a
		// GET, and the document would go to whomever the answer names.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

func transport(c Config) *http.Transport {
	trust := &tls.Config{}
	if c.TLS != nil {
		trust = c.TLS.Clone()
	}
	trust.MinVersion = max(trust.MinVersion, tls.VersionTLS12)
	// One document a connection: on a shared one (HTTP/2) an answer that stalls
	// would hold the others.
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:        trust,
		TLSHandshakeTimeout:    10 * time.Second,
		Protocols:              &protocols,
		MaxConnsPerHost:        connections,
		MaxIdleConnsPerHost:    connections,
		IdleConnTimeout:        50 * time.Second,
		ResponseHeaderTimeout:  c.Timeout,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// Close drops the connections that are idle.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// checkURL refuses an address on which credentials would not be safe.
func checkURL(text string) (string, error) {
	at, err := url.Parse(text)
	switch {
	case err != nil || at.Host == "" || at.Hostname() == "":
		return "", fmt.Errorf("the authority's address %q cannot be read; it looks like https://gw-fatoora.zatca.gov.sa/e-invoicing/simulation", text)
	case at.User != nil || at.RawQuery != "" || at.Fragment != "":
		return "", errors.New("the authority's address may have a path, but no user, no query and no fragment")
	case at.Scheme == "https", at.Scheme == "http" && isLoopback(at.Hostname()):
		return strings.TrimRight(at.String(), "/"), nil
	}
	return "", fmt.Errorf("the authority's address %s is not safe: it must begin with https://, or with http:// on a loopback address such as 127.0.0.1", at.Redacted())
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Base is the address that the client speaks to.
func (c *Client) Base() string { return c.base }
