package issue_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/service/internal/issue"
)

func TestDraftKeys(t *testing.T) {
	t.Parallel()
	key := issue.DraftKey(uuid.Max)
	for text, want := range map[string]bool{
		key: true, strings.ToUpper(key): true, "draft-" + strings.ReplaceAll(uuid.Max.String(), "-", ""): true,
		"": false, "draft-": false, "draft-7": false, "draft-of-monday": false, "x" + key: false, key + "0": false, uuid.Max.String(): false,
	} {
		if got := issue.IsDraftKey(text); got != want {
			t.Errorf("IsDraftKey(%q) = %t, want %t", text, got, want)
		}
	}
}
