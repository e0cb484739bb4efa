package archive

import (
	"errors"
	"strings"
	"testing"
)

func TestInvalidAddress(t *testing.T) {
	_, err := openBucket(t.Context(), "s3://b?region=r&secret=secret", nil)
	if !errors.Is(err, ErrInvalid) || strings.Contains(err.Error(), "secret") {
		t.Errorf("openBucket: %v, want ErrInvalid without the address", err)
	}
}
