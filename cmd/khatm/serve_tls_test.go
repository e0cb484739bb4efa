package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"khatm/internal/testtool"
)

// shownCertificate returns the certificate that a server shows to a client that
// trusts anyone, or nil.
func shownCertificate(address, host string) *x509.Certificate {
	conn, err := tls.DialWithDialer(&net.Dialer{Timeout: patience}, "tcp", address, &tls.Config{ServerName: host, InsecureSkipVerify: true})
	if err != nil {
		return nil
	}
	defer conn.Close() //nolint:errcheck // nothing was written
	return conn.ConnectionState().PeerCertificates[0]
}

// awaitCertificate waits until a server shows a certificate that is accepted.
func awaitCertificate(t *testing.T, printed *output, address, host string, accepted func(*x509.Certificate) bool) *x509.Certificate {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if c := shownCertificate(address, host); c != nil && accepted(c) {
			return c
		}
	}
	t.Fatalf("the server did not show the certificate within %s: %s", patience, printed)
	return nil
}

// A running server uses a certificate that replaces the old one, and keeps the old one
// if it cannot use the files.
func TestServeReloadsTheCertificate(t *testing.T) {
	t.Parallel()
	ca, dir := testtool.NewCA(t), t.TempDir()
	replace := func(name string, data []byte) {
		t.Helper()
		if err := replaceFile(filepath.Join(dir, name), data); err != nil {
			t.Fatal(err)
		}
	}
	issue := func(days int) time.Time {
		t.Helper()
		until := time.Now().AddDate(0, 0, days).Truncate(time.Second)
		cert, key := ca.Issue(until, "localhost")
		replace("cert.pem", cert)
		replace("key.pem", key)
		return until
	}
	is := func(until time.Time) func(*x509.Certificate) bool {
		return func(c *x509.Certificate) bool { return c.NotAfter.Equal(until) }
	}
	first := issue(20)
	server, printed, address := serveToBeStopped(t, "--tls-cert", filepath.Join(dir, "cert.pem"), "--tls-key", filepath.Join(dir, "key.pem"), "--url=https://localhost")
	awaitCertificate(t, printed, address, "localhost", is(first))
	replace("key.pem", []byte("no key"))
	printed.wait(t, `"level":"ERROR","msg":"(cannot use the new TLS certificate)`)
	awaitCertificate(t, printed, address, "localhost", is(first))
	awaitCertificate(t, printed, address, "localhost", is(issue(90)))
	trust := ca.Client()
	trust.ServerName = "localhost"
	client := &http.Client{Timeout: patience, Transport: &http.Transport{TLSClientConfig: trust, ForceAttemptHTTP2: true}}
	response, err := client.Get("https://" + address + "/v1-3/api/public/health/")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK || response.ProtoMajor != 2 {
		t.Errorf("response %s over %s, want 200 over HTTP/2", response.Status, response.Proto)
	}
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("the server ended with %v: %s", err, printed)
	}
}

// pebble is an ACME certificate authority on loopback.
type pebble struct {
	directory string
	trust     string // file with the certificate of its HTTPS server
}

// startPebble starts Pebble, which checks all hosts at the given ports of the address
// of unusedAddress.
func startPebble(t *testing.T, tlsPort, httpPort string) pebble {
	t.Helper()
	program, dns := testtool.Path(t, "pebble"), testtool.Path(t, "pebble-challtestsrv")
	dir, ca := t.TempDir(), testtool.NewCA(t)
	at, names := unusedAddress(t), unusedAddress(t)
	ip, _, _ := net.SplitHostPort(at)
	cert, key := ca.Issue(time.Now().AddDate(0, 0, 1), ip)
	write := func(name string, data []byte) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	config, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": at, "managementListenAddress": unusedAddress(t),
		"certificate": write("cert.pem", cert), "privateKey": write("key.pem", key),
		"tlsPort": json.Number(tlsPort), "httpPort": json.Number(httpPort),
	}})
	if err != nil {
		t.Fatal(err)
	}
	background(t, exec.Command(dns, "-dnsserver", names, "-defaultIPv4", ip, "-defaultIPv6", "", "-http01", "", "-https01", "", "-tlsalpn01", "", "-doh", "", "-management", unusedAddress(t)))
	authority := exec.Command(program, "-config", write("pebble.json", config), "-dnsserver", names)
	authority.Env = append(os.Environ(), "PEBBLE_VA_NOSLEEP=1")
	background(t, authority)
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", at)
		if err == nil {
			_ = conn.Close()
			break
		}
		if time.Now().After(end) {
			t.Fatalf("Pebble does not accept connections: %v", err)
		}
	}
	return pebble{"https://" + at + "/dir", write("ca.pem", ca.PEM())}
}

// background runs a program until the end of the test.
func background(t *testing.T, command *exec.Cmd) {
	t.Helper()
	printed := &output{}
	command.Stdout, command.Stderr = printed, printed
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			t.Logf("%s: %s", command.Path, printed)
		}
	})
}

// unusedAddress returns an address on loopback that was free a moment ago.
func unusedAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", testtool.Loopback())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // only its port is needed
	return l.Addr().String()
}

func portOf(address string) string {
	_, port, _ := net.SplitHostPort(address)
	return port
}

// The server gets a certificate from an ACME authority that checks it over TLS or over
// HTTP, stores it where only its user can read it, and uses it after a restart. khatm
// doctor shows it.
func TestServeACME(t *testing.T) {
	t.Parallel()
	const host = "invoices.example.test"
	for name, overTLS := range map[string]bool{"tls-alpn-01": true, "http-01": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, state, address, plain := t.TempDir(), t.TempDir(), unusedAddress(t), unusedAddress(t)
			tlsPort := portOf(address)
			if !overTLS {
				tlsPort = "1"
			}
			authority := startPebble(t, tlsPort, portOf(plain))
			start := func(more ...string) (*exec.Cmd, *output) {
				t.Helper()
				printed := &output{}
				server := exec.Command("khatm", append([]string{
					"serve", "--data", data, "--addr", address, "--operations=off", "--acme", host, "--acme-directory", authority.directory, "--acme-email=it@example.test",
				}, more...)...)
				server.Env = append(os.Environ(), "XDG_STATE_HOME="+state, "SSL_CERT_FILE="+authority.trust)
				server.Stdout, server.Stderr = printed, printed
				if err := server.Start(); err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
				printed.wait(t, `"msg":"(serving)"`)
				return server, printed
			}
			var flags []string
			if !overTLS {
				flags = []string{"--redirect-http", plain}
			}
			server, printed := start(flags...)
			printed.wait(t, `"msg":"(using a TLS certificate)"`)
			got := awaitCertificate(t, printed, address, host, func(*x509.Certificate) bool { return true })
			if err := got.VerifyHostname(host); err != nil || !strings.Contains(got.Issuer.CommonName, "Pebble") {
				t.Errorf("certificate of %s: %v, want one of Pebble", got.Issuer, err)
			}
			if !strings.Contains(printed.String(), `"url":"https://`+host+":"+portOf(address)+`"`) {
				t.Errorf("output %s, want https links to %s", printed, host)
			}
			checkACMEFiles(t, filepath.Join(data, "acme"))
			check := exec.Command("khatm", "doctor", "--data", data, "--operations=off", "--acme", host, "--acme-directory", authority.directory, "--addr", address)
			check.Env = server.Env
			if found, _ := check.Output(); !strings.Contains(string(found), "ok    TLS certificate: for "+host+", valid until ") {
				t.Errorf("doctor prints %s, want the certificate", found)
			}
			_ = server.Process.Signal(syscall.SIGTERM)
			if err := server.Wait(); err != nil {
				t.Fatalf("the server ended with %v: %s", err, printed)
			}
			_, printed = start("--acme-email=other@example.test") // without the listener for http-01
			again := awaitCertificate(t, printed, address, host, func(*x509.Certificate) bool { return true })
			if !again.Equal(got) {
				t.Error("after a restart the server has another certificate")
			}
		})
	}
}

// checkACMEFiles checks that only the user can read the files, and that there is a
// certificate and an account.
func checkACMEFiles(t *testing.T, folder string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			return fmt.Errorf("%s has mode %s", path, info.Mode())
		}
		if entry.Type().IsRegular() {
			files++
		}
		return nil
	})
	if err != nil || files != 2 {
		t.Errorf("%d files, %v; want the account and the certificate, readable by this user only", files, err)
	}
}
