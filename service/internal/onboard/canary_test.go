package onboard_test

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"khatm/service/internal/device"
	"khatm/service/internal/fault"
	"khatm/service/internal/onboard"
	"khatm/service/internal/store"
	"khatm/service/internal/store/storetest"
)

// TestReliability_K5_SecretsStayQuiet checks that no secret appears in the log,
// in an error or, unencrypted, in the database: one-time passwords, the secrets
// of credentials, the header made from them, and private keys.
func TestReliability_K5_SecretsStayQuiet(t *testing.T) {
	storetest.Each(t, func(t *testing.T, c store.Config) {
		var seen bytes.Buffer
		c.Log = slog.New(slog.NewJSONHandler(&seen, &slog.HandlerOptions{Level: slog.LevelDebug}))
		h := open(t, c)
		h.checks()
		d := h.device(device.SimplifiedOnly)
		canaries := map[string]string{}
		try := func(name string, lead func(device.Device, device.Secret) (device.Device, error), otp device.Secret) {
			canaries["password of "+name] = otp.Reveal()
			led, err := lead(d, otp)
			tell(&seen, err)
			fmt.Fprintf(&seen, "%+v\n", led)
		}
		try("a refusal", h.onboard, device.NewSecret("958271"))
		h.force("drop_after", 1)
		try("a lost response", h.onboard, h.otp())
		try("the first", h.onboard, h.otp())
		h.secrets(d, "first", canaries)
		h.force("server_error", 1)
		try("a broken renewal", h.renew, h.otp())
		try("the renewal", h.renew, h.otp())
		h.secrets(d, "second", canaries)
		if len(canaries) != 5+2*4 {
			t.Fatalf("%d secrets to search for, want 13", len(canaries))
		}
		h.dump(&seen)
		for name, canary := range canaries {
			there := bytes.Contains(seen.Bytes(), []byte(canary))
			if len(canary) == 6 { // only as a whole word: any six digits occur somewhere in random data
				there = regexp.MustCompile(`(^|[^0-9A-Za-z])` + canary + `([^0-9A-Za-z]|$)`).Match(seen.Bytes())
			}
			if there || len(canary) < 6 {
				t.Errorf("%s is stored in clear text, or too short to be searched for", name)
			}
		}
		if !strings.Contains(seen.String(), d.SerialNumber) {
			t.Error("the dump lacks the serial number, so the search proves nothing")
		}
	})
}

// tell prints an error in every possible way.
func tell(to *bytes.Buffer, err error) {
	fmt.Fprintf(to, "%v %+v %#v %q\n", err, err, err, err)
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		fmt.Fprintf(to, "%T %+v\n", inner, inner)
	}
	var told *fault.Error
	if errors.As(err, &told) {
		text, _ := json.Marshal(told.Fields)
		to.Write(text)
	}
}

// secrets decrypts the stored secrets of a device and adds them to into.
func (h *fixture) secrets(d device.Device, when string, into map[string]string) {
	h.t.Helper()
	for _, purpose := range []string{onboard.KeyPurpose, onboard.CompliancePurpose, onboard.ProductionPurpose} {
		sealed, err := h.store.Secret(h.ctx, h.by.Tenant, purpose, d.ID.String())
		if err != nil {
			h.t.Fatal(err)
		}
		plain, err := h.vault.Open(purpose, d.ID.String(), sealed)
		if err != nil {
			h.t.Fatal(err)
		}
		into[when+" "+purpose] = string(plain)
		if purpose == onboard.ProductionPurpose {
			basic := base64.StdEncoding.EncodeToString([]byte(h.kept(d.ID).Token + ":" + string(plain)))
			into[when+" header"] = basic[len(basic)-40:]
		}
	}
}

// dump writes the whole database as raw bytes or rows.
func (h *fixture) dump(to *bytes.Buffer) {
	h.t.Helper()
	if h.config.URL == "" {
		files, _ := filepath.Glob(filepath.Join(h.config.Dir, "*.db*"))
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				h.t.Fatal(err)
			}
			to.Write(text)
		}
		return
	}
	db, err := sql.Open("pgx", h.config.URL)
	if err != nil {
		h.t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // only read
	for _, table := range []string{"device", "enrolment", "secret", "event", "organisation"} {
		rows, err := db.Query(`SELECT to_jsonb(x)::text FROM ` + table + ` x`)
		if err != nil {
			h.t.Fatal(err)
		}
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				h.t.Fatal(err)
			}
			to.WriteString(text)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			h.t.Fatal(err)
		}
	}
}
