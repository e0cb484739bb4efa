package render_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/uuid"

	"khatm/pdfa"
	"khatm/service/internal/org"
	"khatm/service/internal/render"
)

// unsigned returns the document without its stamp and with another number.
func unsigned(s *storage, number string) []byte {
	head, rest, _ := bytes.Cut(s.xml, []byte("<ext:UBLExtensions>"))
	_, body, _ := bytes.Cut(rest, []byte("</ext:UBLExtensions>"))
	before, rest, _ := bytes.Cut(body, []byte("<cbc:ID>"))
	_, after, _ := bytes.Cut(rest, []byte("</cbc:ID>"))
	return slices.Concat(head, before, []byte("<cbc:ID>"+number+"</cbc:ID>"), after)
}

// A draft is drawn with the logo and without the XML, and is not stored.
func TestDraftIsDrawnAndNotStored(t *testing.T) {
	s := stocked(t)
	s.xml = unsigned(s, "DRAFT-0196a1b2")
	a, of := s.renderer(), org.TenantOf(uuid.New())
	got, err := a.Draft(t.Context(), of, s.invoice, s.xml, render.Form{Language: "en"})
	if err != nil || got.Name != "DRAFT-0196a1b2.pdf" || !bytes.HasPrefix(got.Data, []byte("%PDF-")) {
		t.Fatalf("name %q, %v; want DRAFT-0196a1b2.pdf", got.Name, err)
	}
	if files, err := pdfa.Extract(t.Context(), got.Data, pdfa.Limits{}); err != nil || len(files) != 0 {
		t.Errorf("the draft has %d embedded files, want 0: %v", len(files), err)
	}
	if len(s.files) != 1 {
		t.Errorf("%d PDFs were stored, want 0", len(s.files)-1)
	}
	s.broken = true
	if bare, err := s.renderer().Draft(t.Context(), of, s.invoice, s.xml, render.Form{Language: "en"}); err != nil || bytes.Equal(bare.Data, got.Data) {
		t.Errorf("Draft without a logo: %v; want no error and other bytes than with the logo", err)
	}
	if _, err := a.Draft(t.Context(), of, s.invoice, []byte("no document"), render.Form{}); err == nil {
		t.Error("Draft of an invalid document returned no error")
	}
}

func TestNameOfADraft(t *testing.T) {
	s := stocked(t)
	for number, want := range map[string]string{"DRAFT-1": "DRAFT-1.pdf", "../../x\"\n": "x.pdf", "مسودة": "DRAFT.pdf"} {
		if got, err := s.renderer().Draft(t.Context(), org.TenantOf(uuid.New()), s.invoice, unsigned(s, number), render.Form{}); err != nil || got.Name != want {
			t.Errorf("name of draft %q = %q, %v; want %q", number, got.Name, err, want)
		}
	}
}
