package server_test

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"khatm/service/internal/account"
	"khatm/service/internal/server"
	"khatm/service/internal/servicetest"
	"khatm/service/internal/vault"
)

// A stolen database with its journal and files contains no usable credential or
// secret.
func TestK2_StolenDatabase(t *testing.T) {
	settings := func(c *server.Config) { c.MasterKey = server.NewSecret(servicetest.MasterKey) }
	servicetest.MostlySQLiteWith(t, settings, func(t *testing.T, h *servicetest.Instance) {
		secrets := secrets(h)
		delete(secrets, "a malformed token")
		secrets["a password"] = signsIn(h)
		secrets["the master key"] = servicetest.MasterKey
		secrets["the master key's bytes"] = "canary canary canary canary 3141"
		secrets["a sealed secret"] = seals(h, "canary private key of a device 1618")
		own := h.NewRecords(h.Key)
		for _, secret := range secrets {
			h.As(secret, "PATCH", own.Path("/api/buyers/{buyer_id}/"), `{"city":"Jeddah"}`)
		}
		stolen := h.CopyDatabase()
		secrets.WantNone(t, "the database", stolen)
		for what, secret := range secrets {
			if strings.Contains(stolen, hex.EncodeToString([]byte(secret))) {
				t.Errorf("the database contains %s in hexadecimal", what)
			}
		}
		for what, there := range map[string]string{"the name of a key": h.Key[:12], "a client": "Al Noor Trading", "the hash of a password": "$argon2id$", "the trail": "key.revoke"} {
			if !strings.Contains(stolen, there) {
				t.Errorf("the copy does not contain %s, so the search for secrets proves nothing", what)
			}
		}
		t.Logf("%d bytes searched for %d secrets", len(stolen), len(secrets))
	})
}

// seals stores a secret like the key of a device, and returns it.
func seals(h *servicetest.Instance, secret string) string {
	h.TB.Helper()
	ring, err := vault.Load(vault.Config{Keys: vault.NewSecret([]byte(servicetest.MasterKey)), Random: strings.NewReader(strings.Repeat("not so random ", 100)), Now: time.Now})
	if err != nil {
		h.TB.Fatal(err)
	}
	sealed, err := ring.Seal("device-key", h.Org.ID.String(), []byte(secret))
	if err != nil {
		h.TB.Fatal(err)
	}
	if err := h.Service.Store().PutSecret(h.TB.Context(), h.Operator(h.Org), "device-key", h.Org.ID.String(), sealed); err != nil {
		h.TB.Fatal(err)
	}
	return secret
}

// The stored digest of a key cannot be used as a key.
func TestK2_DigestIsNoKey(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		kept, err := h.Service.Store().KeyHolder(t.Context(), account.KeyLookup{Name: h.Key[:12]})
		if err != nil {
			t.Fatal(err)
		}
		digest := hex.EncodeToString(kept.Digest)
		servicetest.NoKey.Wants(t, "a digest after the name", h.As(h.Key[:12]+digest[:43], "GET", servicetest.UsagePath, ""))
		servicetest.NoKey.Wants(t, "a digest", h.As(digest, "GET", servicetest.UsagePath, ""))
	})
}
