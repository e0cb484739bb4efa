package api_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"khatm/service/internal/api"
	"khatm/service/internal/ledger"
)

// openAPI holds the parts of the published document that the tests read.
type openAPI struct {
	Webhooks   map[string]any
	Paths      map[string]map[string]any
	Components struct {
		Callbacks map[string]any
		Schemas   map[string]schema
	}
}

type schema struct {
	Required   []string
	Properties map[string]struct {
		Enum      []any
		MinLength int
		MaxLength int
	}
}

func document(t *testing.T) openAPI {
	t.Helper()
	text, _, err := api.New(api.Config{}).Document()
	if err != nil {
		t.Fatal(err)
	}
	var d openAPI
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestInterface_2_12_NoteHasTitleAndDetails(t *testing.T) {
	t.Parallel()
	note, found := document(t).Components.Schemas["RemarkBody"]
	if !found {
		t.Fatal("the document has no schema RemarkBody")
	}
	if want := []string{"title", "details"}; !slices.Equal(note.Required, want) || len(note.Properties) != len(want) {
		t.Errorf("RemarkBody requires %q and has %d fields, want only %q", note.Required, len(note.Properties), want)
	}
	for name, most := range map[string]int{"title": 200, "details": 5000} {
		if got := note.Properties[name]; got.MinLength != 1 || got.MaxLength != most {
			t.Errorf("length of %s is %d to %d characters, want 1 to %d", name, got.MinLength, got.MaxLength, most)
		}
	}
}

func TestInterface_3_3_PaymentStatuses(t *testing.T) {
	t.Parallel()
	want := []any{"Pending", "Partially Paid", "Paid"}
	kept := []any{string(ledger.Pending), string(ledger.PartiallyPaid), string(ledger.Paid)}
	if diff := cmp.Diff(want, kept); diff != "" {
		t.Errorf("payment statuses of the ledger (-want +got):\n%s", diff)
	}
	for _, name := range []string{"Invoice", "InvoiceListed", "InvoicePreview"} {
		if diff := cmp.Diff(want, document(t).Components.Schemas[name].Properties["payment_status"].Enum); diff != "" {
			t.Errorf("payment_status of %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestInterface_6_NoWebhooksAndNoCallbacks(t *testing.T) {
	t.Parallel()
	d := document(t)
	if len(d.Webhooks) > 0 || len(d.Components.Callbacks) > 0 {
		t.Errorf("the document has webhooks %v and callbacks %v", d.Webhooks, d.Components.Callbacks)
	}
	operations := 0
	for path, methods := range d.Paths {
		for method, operation := range methods {
			fields, isOperation := operation.(map[string]any)
			if !isOperation {
				continue
			}
			operations++
			if _, calls := fields["callbacks"]; calls {
				t.Errorf("%s %s has callbacks", method, path)
			}
		}
	}
	if operations == 0 {
		t.Error("the document has no operations")
	}
}
