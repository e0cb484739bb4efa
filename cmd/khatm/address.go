package main

import (
	"cmp"

	"khatm/service"
)

// addressSetting holds the flags of the address of the service.
type addressSetting struct {
	Addr string `env:"KHATM_ADDR" placeholder:"HOST:PORT" help:"Address of the API (default 127.0.0.1:8080; with --acme, port 443 of all addresses)."`
	URL  string `name:"url" env:"KHATM_URL" placeholder:"URL" help:"Public URL of the service, such as https://invoices.example.sa (default: its address)."`

	TLSCert       string `name:"tls-cert" env:"KHATM_TLS_CERT" placeholder:"FILE" help:"Serve HTTPS with the certificate in this file, in PEM, followed by its chain. It is read again when it changes."`
	TLSKey        string `name:"tls-key" env:"KHATM_TLS_KEY" placeholder:"FILE" help:"Private key of that certificate, in PEM."`
	ACME          string `name:"acme" env:"KHATM_ACME" placeholder:"HOST" help:"Serve HTTPS for this host with a certificate from Let's Encrypt, whose terms of service you accept. Port 443 of the host must reach the server from the internet."`
	ACMEDirectory string `name:"acme-directory" env:"KHATM_ACME_DIRECTORY" placeholder:"URL" help:"Directory of another ACME certificate authority."`
}

// config returns the flags as settings of a server.
func (s addressSetting) config() service.Config {
	address := cmp.Or(s.Addr, "127.0.0.1:8080")
	if s.Addr == "" && s.ACME != "" {
		address = ":443"
	}
	return service.Config{
		Address: address, URL: s.URL,
		TLS: service.TLS{Cert: s.TLSCert, Key: s.TLSKey, ACME: s.ACME, ACMEDirectory: s.ACMEDirectory},
	}
}

// public returns the public URL of the service.
func (s addressSetting) public() string { return s.config().PublicURL() }
