package pgtest

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"khatm/internal/testtool"
)

// Pooler starts PgBouncer in front of the server of an address, until the end of the
// test, and returns the address through it. Settings such as "pool_mode = session" are
// lines of its configuration. Clients need no password. It skips the test if PgBouncer
// is not installed.
func Pooler(t testing.TB, address string, settings ...string) string {
	t.Helper()
	program := testtool.Path(t, "pgbouncer")
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	file := filepath.Join(t.TempDir(), "pgbouncer.ini")
	text := fmt.Sprintf("[databases]\n* = host=%s port=%s user=%s\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %d\nunix_socket_dir =\nauth_type = any\n",
		at.Hostname(), at.Port(), at.User.Username(), port)
	for _, s := range settings {
		text += s + "\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"--quiet", file}
	if os.Geteuid() == 0 {
		args = append([]string{"--user", "postgres"}, args...) // it does not run as root
	}
	command := exec.Command(program, args...)
	said := &testtool.Buffer{}
	command.Stdout, command.Stderr = said, said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait() // fails, because it was killed
	})
	at.Host = net.JoinHostPort("127.0.0.1", fmt.Sprint(port))
	if err := answers(at.String()); err != nil {
		t.Fatalf("PgBouncer: %v\n%s", err, said)
	}
	return at.String()
}

// answers waits until connections to an address are accepted.
func answers(address string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, address)
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}
