package mail

import (
	"errors"
	"net"
	"net/smtp"
	"testing"
	"time"
)

func TestBackoffDoublesUpToFiveMinutes(t *testing.T) {
	for attempts, want := range []time.Duration{
		10 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second, 80 * time.Second, 160 * time.Second, 5 * time.Minute, 5 * time.Minute,
	} {
		if got := backoff(attempts); got != want {
			t.Errorf("backoff(%d) = %s, want %s", attempts, got, want)
		}
	}
	if got := backoff(1 << 40); got != MostRetry {
		t.Errorf("backoff after very many attempts = %s, want MostRetry", got)
	}
}

func TestLocalIsThisMachineAndPrivateNetworks(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1": true, "::1": true, "10.2.3.4": true, "172.17.0.2": true, "192.168.1.1": true, "fd00::1": true, "fe80::1": true, "::ffff:10.0.0.1": true,
		"8.8.8.8": false, "2001:4860:4860::8888": false, "::ffff:8.8.8.8": false, "0.0.0.0": false,
	} {
		if got := isLocal(&net.TCPAddr{IP: net.ParseIP(address), Port: 25}); got != want {
			t.Errorf("isLocal(%s) = %v, want %v", address, got, want)
		}
	}
}

func TestPasswordIsNotSaidUnencrypted(t *testing.T) {
	way := &auth{user: "office", password: func() string { return "hunter2secret" }}
	_, first, err := way.Start(&smtp.ServerInfo{Name: "127.0.0.1", TLS: false, Auth: []string{"PLAIN", "LOGIN"}})
	if !errors.Is(err, errUnencrypted) || first != nil {
		t.Errorf("Start without TLS returned %q, error %v; want %v", first, err, errUnencrypted)
	}
}
