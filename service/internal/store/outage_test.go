package store_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"khatm/internal/testtool"
	"khatm/service/internal/fault"
	"khatm/service/internal/org"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
	"khatm/service/internal/trade"
)

// calls returns calls of all kinds: reads, lists, writes, walks and counts.
func calls(s *fixture) map[string]func() error {
	return map[string]func() error{
		"ping":    func() error { return s.Ping(s.ctx) },
		"engine":  func() error { _, err := s.Engine(s.ctx); return err },
		"one row": func() error { _, err := s.Environment(s.ctx); return err },
		"clock":   func() error { _, err := s.Clock(s.ctx); return err },
		"rows":    func() error { _, err := s.Keys(s.ctx, s.by.Tenant); return err },
		"list": func() error {
			_, err := s.Clients(s.ctx, s.by.Tenant, "", org.Page{Size: 9, Number: 1})
			return err
		},
		"write":      func() error { return s.AddClient(s.ctx, s.by, sampleClient(s.config.NewID())) },
		"count":      func() error { _, err := s.TakeWrite(s.ctx, s.by.Tenant, thisMonth, 1<<30); return err },
		"seal trail": func() error { _, _, err := s.SealTrail(s.ctx, org.Link{}, 9); return err },
		"walk trail": func() error { return s.WalkTrail(s.ctx, func(org.Event, org.Link) error { return nil }) },
		"secrets": func() error {
			_, _, err := s.RewrapSecrets(s.ctx, func(store.Secret) ([]byte, bool, error) { return nil, false, nil })
			return err
		},
		"add to window": func() error { _, err := s.Windows().Add(s.ctx, "x", noon(), noon()); return err },
		"sweep windows": func() error { return s.Windows().Sweep(s.ctx, noon()) },
	}
}

// Calls without a connection fail with an error of kind Unavailable. Prepared
// statements work again after a reconnection.
func TestPostgresUnreachable(t *testing.T) {
	t.Parallel()
	c, line := throughWire(t, storetest.Postgres(t))
	s := open(t, c)
	for range 3 {
		for name, call := range calls(s) {
			if err := call(); err != nil {
				t.Errorf("%s with a connection: %v, want no error", name, err)
			}
		}
		line.cut()
		for name, call := range calls(s) {
			if err := call(); fault.KindOf(err) != fault.Unavailable {
				t.Errorf("%s without a connection: %v, want an error of kind Unavailable", name, err)
			}
		}
		line.mend()
	}
	ok(t, s.Ping(s.ctx))
}

// terminate closes all connections of the store on the server.
func (s *fixture) terminate() {
	s.t.Helper()
	s.execute(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
}

// Calls on connections that the server has closed fail at most with an error of
// kind Unavailable. The connections are then replaced.
func TestPostgresClosesConnections(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	for name, call := range calls(s) {
		ok(t, call())
		s.terminate()
		err := call()
		for tries := 0; err != nil && tries < 30; tries++ {
			if fault.KindOf(err) != fault.Unavailable {
				t.Errorf("%s on a closed connection: %v, want an error of kind Unavailable", name, err)
			}
			err = call()
		}
		if err != nil {
			t.Errorf("%s after reconnecting: %v, want no error", name, err)
		}
	}
}

func TestPostgresClosesConnectionDuringWrite(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	kept := sampleClient(s.config.NewID())
	ok(t, s.AddClient(s.ctx, s.by, kept))
	_, err := s.ChangeClient(s.ctx, s.by, kept.ID, func(c *trade.Client) error {
		c.Name = "changed"
		s.terminate()
		return nil
	})
	if fault.KindOf(err) != fault.Unavailable {
		t.Errorf("write on a closed connection: %v, want an error of kind Unavailable", err)
	}
	same(t, kept)(s.Client(s.ctx, s.by.Tenant, kept.ID))
}

// A server that accepts no writes is unavailable. Its connections are not used again,
// so that the first write after its return succeeds.
func TestPostgresReadOnly(t *testing.T) {
	t.Parallel()
	s := open(t, storetest.Postgres(t))
	name := s.texts(`SELECT current_database()::text`)[0]
	reset := func() {
		s.execute(`SET default_transaction_read_only = off; ALTER DATABASE ` + name + ` RESET default_transaction_read_only`)
	}
	t.Cleanup(reset)
	s.execute(`ALTER DATABASE ` + name + ` SET default_transaction_read_only = on`)
	s.terminate()
	var err error
	for tries := 0; tries < 30 && !strings.Contains(fmt.Sprint(err), "25006"); tries++ {
		if err = s.AddClient(s.ctx, s.by, sampleClient(s.config.NewID())); fault.KindOf(err) != fault.Unavailable {
			t.Fatalf("write on a read-only server: %v, want an error of kind Unavailable", err)
		}
	}
	says(t, err, "25006")
	reset()
	ok(t, s.AddClient(s.ctx, s.by, sampleClient(s.config.NewID())))
}

// refusingPostgres starts a server that requests a password like PostgreSQL and
// refuses it, and returns its address.
func refusingPostgres(t *testing.T) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	refusal := "SFATAL\x00C28P01\x00Mpassword authentication failed for user \"khatm\"\x00\x00"
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			startup := make([]byte, 4)
			_, _ = io.ReadFull(conn, startup)
			_, _ = io.CopyN(io.Discard, conn, int64(startup[3])-4)
			_, _ = conn.Write([]byte("R\x00\x00\x00\x08\x00\x00\x00\x03")) // request the password in plain text
			_, _ = io.ReadFull(conn, startup)
			_, _ = conn.Write(append([]byte{'E', 0, 0, 0, byte(len(refusal) + 4)}, refusal...))
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}

func TestErrorsDoNotContainThePassword(t *testing.T) {
	t.Parallel()
	const password = "hunter2"
	for name, address := range map[string]string{
		"password refused":             "postgres://khatm:" + password + "@" + refusingPostgres(t) + "/khatm?sslmode=disable",
		"no server":                    "postgres://khatm:" + password + "@127.0.0.1:1/khatm",
		"invalid port":                 "postgres://khatm:" + password + "@127.0.0.1:port/khatm",
		"invalid setting":              "postgres://khatm:" + password + "@127.0.0.1:1/khatm?sslmode=maybe",
		"invalid address":              "postgres://khatm:" + password + "%zz@127.0.0.1/khatm",
		"keyword form":                 "host=127.0.0.1 port=1 user=khatm password=" + password,
		"keyword form, unclosed quote": "host=127.0.0.1 port=1 password='" + password,
	} {
		t.Run(name, func(t *testing.T) {
			c := storetest.Empty(t)
			c.URL = address
			for how, open := range openers() {
				err := open(t.Context(), c)
				says(t, err, "PostgreSQL")
				if text := fmt.Sprintf("%v %+v", err, err); strings.Contains(text, password) {
					t.Errorf("error of %s contains the password, want it left out: %s", how, text)
				}
			}
		})
	}
}

// lateServer returns the address of a server that closes the first connections, and
// forwards later ones to another address.
func lateServer(t *testing.T, first int, to string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for n := 0; ; n++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			if n < first {
				_ = conn.Close()
				continue
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				_ = conn.Close()
				continue
			}
			go func() { _, _ = io.Copy(server, conn); _ = server.Close() }()
			go func() { _, _ = io.Copy(conn, server); _ = conn.Close() }()
		}
	}()
	return listener.Addr().String()
}

// The start waits for PostgreSQL if it is configured, but not after a refusal that
// waiting cannot change.
func TestStartWaitsForPostgres(t *testing.T) {
	t.Parallel()
	c := storetest.Postgres(t)
	at, err := url.Parse(c.URL)
	ok(t, err)
	server := at.Host
	for name, wait := range map[string]time.Duration{"no wait": 0, "wait": time.Minute} {
		t.Run(name, func(t *testing.T) {
			late, log := *at, &testtool.Buffer{}
			late.Host = lateServer(t, 3, server)
			c := c
			c.URL, c.Wait, c.Log = late.String(), wait, slog.New(slog.NewTextHandler(log, nil))
			s, err := store.Serve(t.Context(), c)
			if err == nil {
				s.Close()
			}
			if (err == nil) != (wait > 0) {
				t.Errorf("start error = %v with a wait of %s", err, wait)
			}
			if n := strings.Count(log.String(), "waiting for it"); n != min(1, int(wait)) {
				t.Errorf("%d messages about waiting:\n%s", n, log.String())
			}
		})
	}
	c.URL, c.Wait = "postgres://khatm:wrong@"+refusingPostgres(t)+"/khatm?sslmode=disable", time.Minute
	begun := time.Now()
	_, err = store.Serve(t.Context(), c)
	says(t, err, "PostgreSQL")
	if took := time.Since(begun); took > c.Wait/2 {
		t.Errorf("a refused password was tried for %s", took)
	}
	c.URL = "postgres://khatm@127.0.0.1:1/khatm"
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = store.Serve(ctx, c)
	says(t, err, "canceled")
}

// A server that accepts connections but never answers does not block the start.
func TestSilentPostgres(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ok(t, err)
	defer func() { _ = listener.Close() }()
	c := storetest.Empty(t)
	c.URL = "postgres://khatm@" + listener.Addr().String() + "/khatm?sslmode=disable"
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err = store.Serve(ctx, c)
	says(t, err, "PostgreSQL at 127.0.0.1")
	ok(t, ctx.Err())
}
