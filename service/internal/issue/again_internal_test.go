package issue

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
)

// keys is a Keeper that only looks up idempotency keys.
type keys struct {
	Keeper
	known map[string]Issued
	err   error
}

func (k keys) Look(context.Context, org.Tenant, Wants) (*State, error) {
	return &State{Keys: k.known}, k.err
}

func TestAgain(t *testing.T) {
	t.Parallel()
	earlier := Issued{Digest: Digest{1}, Invoice: ledger.Invoice{Number: "INV-2026-000001"}}
	away := errors.New("the database is unavailable")
	invalid, unavailable := fault.New(fault.InvalidValue, "bad"), fault.New(fault.DatabaseUnavailable, "not now")
	for _, c := range []struct {
		name    string
		keeper  keys
		request Request
		refusal error
		number  string
		kind    fault.Kind
	}{
		{"no key", keys{err: away}, Request{}, invalid, "", fault.Invalid},
		{"unknown key", keys{}, Request{IdempotencyKey: "k"}, invalid, "", fault.Invalid},
		{"issued before", keys{known: map[string]Issued{"k": earlier}}, Request{IdempotencyKey: "k", Digest: Digest{1}}, invalid, "INV-2026-000001", 0},
		{"issued before with other data", keys{known: map[string]Issued{"k": earlier}}, Request{IdempotencyKey: "k", Digest: Digest{2}}, invalid, "", fault.Invalid},
		{"lookup fails", keys{err: away}, Request{IdempotencyKey: "k"}, invalid, "", fault.Unavailable},
		{"lookup fails while nothing is issued", keys{err: away}, Request{IdempotencyKey: "k"}, unavailable, "", fault.Unavailable},
	} {
		t.Run(c.name, func(t *testing.T) {
			i := &Issuer{Config: Config{Keeper: c.keeper, Now: time.Now}}
			got, err := i.again(t.Context(), org.TenantOf(uuid.Max), c.request, c.refusal)
			if got.Number != c.number || (err == nil) != (c.number != "") || err != nil && fault.KindOf(err) != c.kind {
				t.Errorf("got %q, %v; want %q, kind %v", got.Number, err, c.number, c.kind)
			}
			if errors.Is(err, ErrUnwritten) {
				t.Error("the error wraps ErrUnwritten, but the outcome is unknown")
			}
		})
	}
}
