package wire_test

import (
	"testing"

	"khatm/service/internal/wire"
)

func TestCallersPath(t *testing.T) {
	t.Parallel()
	const root = "invoice_schema_data"
	for _, c := range []struct{ path, root, want string }{
		{"invoice_schema_data.form_lines.0.vat_rate", root, "form_lines[0].vat_rate"},
		{"invoice_schema_data.notes.12", root, "notes[12]"},
		{"invoice_schema_data", root, ""},
		{"reason_id", root, "reason_id"},
		{"lines.3.item_id", root, "lines[3].item_id"},
		{"body", "", ""},
		{"body.x", "", "body.x"},
		{"client_data.additional_buyer_id.0.value", "", "client_data.additional_buyer_id[0].value"},
		{"page", "", "page"},
		{"0", "", "0"},
		{"", "", ""},
	} {
		if got := wire.CallersPath(c.path, c.root); got != c.want {
			t.Errorf("path %q below %q = %q, want %q", c.path, c.root, got, c.want)
		}
	}
}
