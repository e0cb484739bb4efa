package device_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"khatm/seal"
	"khatm/service/internal/device"
)

func TestSecretIsNeverPrinted(t *testing.T) {
	const canary = "canary-7319"
	s := device.NewSecret(canary)
	credentials := device.Credentials{Token: "token", Secret: s}
	type hidden struct{ inner device.CSID }
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	logger.Info("x", "secret", s, "credentials", credentials, "hidden", hidden{device.CSID{Credentials: credentials}})
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "secret", s, "credentials", credentials, "pointer", &credentials)
	texts := []string{log.String()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		texts = append(texts, fmt.Sprintf(verb, s), fmt.Sprintf(verb, credentials), fmt.Sprintf(verb, &credentials), fmt.Sprintf(verb, hidden{device.CSID{Credentials: credentials}}))
	}
	written, err := json.Marshal(map[string]any{"secret": s, "credentials": credentials, "by": map[string]device.Secret{"a": s}})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append(texts, string(written)) {
		if strings.Contains(text, canary) || strings.Contains(text, fmt.Sprintf("%x", canary)) {
			t.Errorf("the secret is printed in %s", text)
		}
	}
	if s.Reveal() != canary || s.IsZero() || !(device.Secret{}).IsZero() {
		t.Error("Reveal does not return the secret, or IsZero is wrong")
	}
}

func TestGenesisHashIsThatOfTheSeal(t *testing.T) {
	if device.GenesisHash != seal.GenesisHash {
		t.Errorf("GenesisHash = %s, want %s", device.GenesisHash, seal.GenesisHash)
	}
}
