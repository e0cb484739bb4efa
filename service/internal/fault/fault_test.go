package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"khatm/service/internal/fault"
)

func TestKindOf(t *testing.T) {
	cases := []struct {
		name string
		err  error
		want fault.Kind
	}{
		{"no fault.Error in the chain", errors.New("disk full"), fault.Internal},
		{"zero value", &fault.Error{}, fault.Internal},
		{"not wrapped", fault.Missing("Buyer"), fault.NotFound},
		{"wrapped", fmt.Errorf("read buyer: %w", fault.Missing("Buyer")), fault.NotFound},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := fault.KindOf(c.err); got != c.want {
				t.Errorf("KindOf = %v, want %v", got, c.want)
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	cases := []struct {
		err  *fault.Error
		want string
	}{
		{fault.Missing("Item"), "Item not found"},
		{fault.Wrong(fault.Problem{Path: "lines.0", Message: "Field required"}, fault.Problem{Message: "No body"}), "lines.0: Field required; No body"},
		{&fault.Error{Message: "cannot", Cause: io.EOF}, "cannot: EOF"},
	}
	for _, c := range cases {
		if got := c.err.Error(); got != c.want {
			t.Errorf("Error() = %q, want %q", got, c.want)
		}
	}
	if err := (&fault.Error{Cause: io.EOF}); !errors.Is(err, io.EOF) {
		t.Error("errors.Is does not find the cause")
	}
}

func TestWith(t *testing.T) {
	e := fault.New(fault.FairUseLimit, "over the %s", "limit").With("limit", 5).With("used", 6)
	if e.Fields["limit"] != 5 || e.Fields["used"] != 6 || e.Message != "over the limit" {
		t.Errorf("New and With = %+v, want the fields limit and used and the message \"over the limit\"", e)
	}
}
