package org_test

import (
	"strings"
	"testing"

	"khatm/service/internal/org"
)

// FuzzSplitKey checks that SplitKey names a token by its first twelve characters
// if it has the form of a key, and returns no name for any other text.
func FuzzSplitKey(f *testing.F) {
	for _, seed := range []string{"", "svc_", "svc_ab12cd3_" + strings.Repeat("x", 43), "svc_ab12cd3_" + strings.Repeat("é", 43), "svc_ab12cd3_\x00", strings.Repeat("svc_", 5000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		name, digest, formed := org.SplitKey(token)
		switch {
		case formed && (len(token) != 55 || name != token[:12] || !org.LooksLikeKey(token) || org.KeyName(token) != name):
			t.Errorf("SplitKey(%q) = %q, want the first 12 of 55 characters", token, name)
		case !formed && name != "":
			t.Errorf("SplitKey(%q) returns the name %q for a text that is not a key", token, name)
		case formed && org.SameDigest(digest[:], make([]byte, len(digest))):
			t.Errorf("SplitKey(%q) returns an empty digest", token)
		}
	})
}
