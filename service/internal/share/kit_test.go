package share_test

import (
	"errors"
	"strings"
	"testing"

	"khatm/service/internal/fault"
)

// wantFault checks that err is a fault of a kind whose text contains the given
// words.
func wantFault(t testing.TB, what string, err error, kind fault.Kind, says ...string) {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind() != kind {
		t.Errorf("%s: error is %v, want a fault of kind %d", what, err, kind)
		return
	}
	text := e.Error()
	if detail, is := e.Fields["detail"].(string); is {
		text += detail
	}
	for _, words := range says {
		if !strings.Contains(text, words) {
			t.Errorf("%s: error %q does not contain %q", what, text, words)
		}
	}
}
