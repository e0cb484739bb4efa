package issue

import (
	"errors"
	"testing"
	"time"

	"khatm/service/internal/fault"
)

// All checks of a request use the same time, which is read once.
func TestPrepareReadsTheTimeOnce(t *testing.T) {
	t.Parallel()
	reads := 0
	i := &Issuer{Config: Config{Now: func() time.Time { reads++; return time.Now() }}}
	err := i.prepareOnce(t.Context(), &prepared{Request: Request{Transaction: "0200000"}, known: true})
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Path != "device" || reads != 1 {
		t.Errorf("refused with %v after %d reads of the time, want a refusal of device after 1", err, reads)
	}
}
