package share_test

import (
	"errors"
	"strings"
	"testing"

	"khatm/service/internal/fault"
)

// turnedAway demands a fault of a kind that says something.
func turnedAway(t testing.TB, what string, err error, kind fault.Kind, says ...string) {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind != kind {
		t.Errorf("%s: %v, want a fault of kind %d", what, err, kind)
		return
	}
	text := e.Error()
	if detail, is := e.Fields["detail"].(string); is {
		text += detail
	}
	for _, words := range says {
		if !strings.Contains(text, words) {
			t.Errorf("%s: %q does not say %q", what, text, words)
		}
	}
}
