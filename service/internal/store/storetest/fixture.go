package storetest

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"khatm/service/internal/store/pgtest"

	"github.com/jackc/pgx/v5"
)

// Unpack extracts a .tar.gz file into a new folder that is removed after the
// test.
func Unpack(t testing.TB, path string) (dir string, err error) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // read only
	zip, err := gzip.NewReader(file)
	if err != nil {
		return "", err
	}
	dir = t.TempDir()
	for archive := tar.NewReader(zip); ; {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return dir, nil
		}
		if err != nil {
			return "", err
		}
		to := filepath.Join(dir, filepath.FromSlash(head.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return "", err
		}
		data, err := io.ReadAll(archive)
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(to, data, 0o600); err != nil {
			return "", err
		}
	}
}

// Loaded returns the address of a new PostgreSQL database with the contents of
// a dump.
func Loaded(t testing.TB, dump string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(dump))
	return pgtest.Template(t, "dump_"+hex.EncodeToString(sum[:8]), func(url string) error {
		ctx := context.Background()
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			return err
		}
		_, err = conn.PgConn().Exec(ctx, dump).ReadAll()
		return errors.Join(err, conn.Close(ctx))
	})
}
