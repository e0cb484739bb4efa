package service_test

import (
	"encoding/hex"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"khatm/service/internal/account"
	"khatm/service/internal/server"
	"khatm/service/internal/vault"
)

// Whoever steals the database, its journal and the files beside it has no
// credential and no secret of ours.
func TestK2_StolenDatabase(t *testing.T) {
	settings := func(c *server.Config) { c.MasterKey = server.NewSecret(masterKey) }
	eachWith(t, settings, func(t *testing.T, h *house) {
		secrets := h.secrets()
		delete(secrets, "a token that is nothing")
		secrets["a password"] = h.signsIn()
		secrets["the master key"] = masterKey
		secrets["the master key's bytes"] = "canary canary canary canary 3141"
		secrets["a sealed secret"] = h.seals("canary private key of a device 1618")
		own := h.stock(h.key)
		for _, secret := range secrets {
			h.as(secret, "PATCH", own.path("/api/buyers/{buyer_id}/"), `{"city":"Jeddah"}`)
		}
		stolen := h.steal()
		secrets.wantNone(t, "the database", stolen)
		for what, secret := range secrets {
			if strings.Contains(stolen, hex.EncodeToString([]byte(secret))) {
				t.Errorf("the database holds %s in hexadecimal", what)
			}
		}
		for what, there := range map[string]string{"the name of a key": h.key[:12], "a client": "Al Noor Trading", "the hash of a password": "$argon2id$", "the trail": "key.revoke"} {
			if !strings.Contains(stolen, there) {
				t.Errorf("%s is not in what was looked at: the search proves nothing", what)
			}
		}
		t.Logf("%d bytes searched for %d secrets", len(stolen), len(secrets))
	})
}

// seals keeps a secret as devices' keys are kept.
func (h *house) seals(secret string) string {
	h.t.Helper()
	ring, err := vault.Load(vault.Config{Keys: vault.NewSecret([]byte(masterKey)), Random: strings.NewReader(strings.Repeat("not so random ", 100)), Now: time.Now})
	if err != nil {
		h.t.Fatal(err)
	}
	sealed, err := ring.Seal("device-key", h.org.ID.String(), []byte(secret))
	if err != nil {
		h.t.Fatal(err)
	}
	if err := h.service.Store().PutSecret(h.t.Context(), h.operator(h.org), "device-key", h.org.ID.String(), sealed); err != nil {
		h.t.Fatal(err)
	}
	return secret
}

// steal reads everything that is kept, while it is in use.
func (h *house) steal() string {
	h.t.Helper()
	var all strings.Builder
	files := 0
	err := filepath.WalkDir(h.data, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		// Another process reads: SQLite's locks are gone once this one closes the file.
		text, err := exec.Command("cat", path).Output()
		all.Write(text)
		files++
		return err
	})
	if err != nil || files == 0 {
		h.t.Fatalf("%d files are kept, %v", files, err)
	}
	if h.database != "" {
		all.WriteString(h.dump())
	}
	return all.String()
}

// dump is every row of every table as PostgreSQL writes it.
func (h *house) dump() string {
	h.t.Helper()
	ctx := h.t.Context()
	conn, err := pgx.Connect(ctx, h.database)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, `SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()`)
	if err != nil {
		h.t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(tables) < 10 {
		h.t.Fatalf("tables %v, %v", tables, err)
	}
	var all strings.Builder
	for _, table := range tables {
		name := pgx.Identifier{table}.Sanitize()
		rows, err := conn.Query(ctx, `SELECT `+name+`::text FROM `+name)
		if err != nil {
			h.t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			h.t.Fatal(err)
		}
		all.WriteString(strings.Join(lines, "\n"))
	}
	return all.String()
}

// What is kept of a key does not work as one.
func TestK2_DigestIsNoKey(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		kept, err := h.service.Store().KeyHolder(t.Context(), account.Knock{Name: h.key[:12]})
		if err != nil {
			t.Fatal(err)
		}
		digest := hex.EncodeToString(kept.Digest)
		noKey.wants(t, "a digest behind the name", h.as(h.key[:12]+digest[:43], "GET", usagePath, ""))
		noKey.wants(t, "a digest", h.as(digest, "GET", usagePath, ""))
	})
}
