package org_test

import (
	"strings"
	"testing"

	"khatm/service/internal/org"
)

// FuzzSplitKey holds whatever stands in an Authorization header to the form of
// a key: what has it is named by its first twelve characters, and nothing else
// has a name.
func FuzzSplitKey(f *testing.F) {
	for _, seed := range []string{"", "svc_", "svc_ab12cd3_" + strings.Repeat("x", 43), "svc_ab12cd3_" + strings.Repeat("é", 43), "svc_ab12cd3_\x00", strings.Repeat("svc_", 5000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		name, digest, formed := org.SplitKey(token)
		switch {
		case formed && (len(token) != 55 || name != token[:12] || !org.LooksLikeKey(token) || org.KeyName(token) != name):
			t.Errorf("%q is a key named %q", token, name)
		case !formed && name != "":
			t.Errorf("%q is no key and named %q", token, name)
		case formed && org.SameDigest(digest[:], make([]byte, len(digest))):
			t.Errorf("%q has no digest", token)
		}
	})
}
