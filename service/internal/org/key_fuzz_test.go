package org_test

import (
	"regexp"
	"strings"
	"testing"

	"khatm/service/internal/org"
)

var keyForm = regexp.MustCompile(`^svc_[A-Za-z0-9]{7}_[A-Za-z0-9_-]{43}$`)

// FuzzSplitKey checks that SplitKey names a token by its first twelve characters
// if it has the form of a key, and returns no name for any other text.
func FuzzSplitKey(f *testing.F) {
	for _, seed := range []string{"", "svc_", "svc_ab12cd3_" + strings.Repeat("x", 43), "svc_ab12cd3_" + strings.Repeat("é", 43), "svc_ab12cd3_\x00", strings.Repeat("svc_", 5000), "svc_ab12cd3-" + strings.Repeat("x", 43), "svc_ab-2cd3_" + strings.Repeat("_", 43), "svc_ab12cd3_" + strings.Repeat("-", 43) + "\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		name, digest, formed := org.SplitKey(token)
		switch {
		case formed != keyForm.MatchString(token):
			t.Errorf("SplitKey(%q) reports %t, want %t", token, formed, !formed)
		case formed && (len(token) != 55 || name != token[:12] || !org.LooksLikeKey(token) || org.KeyName(token) != name):
			t.Errorf("SplitKey(%q) = %q, want the first 12 of 55 characters", token, name)
		case !formed && name != "":
			t.Errorf("SplitKey(%q) returns the name %q for a text that is not a key", token, name)
		case formed && org.SameDigest(digest[:], make([]byte, len(digest))):
			t.Errorf("SplitKey(%q) returns an empty digest", token)
		}
	})
}
