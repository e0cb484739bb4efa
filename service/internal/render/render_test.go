package render_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"image"
	"image/png"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"khatm/invoice"
	"khatm/pdfa"
	"khatm/sample"
	"khatm/service/internal/fault"
	"khatm/service/internal/ledger"
	"khatm/service/internal/org"
	"khatm/service/internal/render"
)

// storage stores one invoice and its files.
type storage struct {
	invoice ledger.Invoice
	xml     []byte
	logo    string
	files   map[string][]byte
	broken  bool // files cannot be read
}

func (s *storage) Invoice(context.Context, org.Tenant, uuid.UUID) (ledger.Invoice, error) {
	return s.invoice, nil
}
func (s *storage) ArchivedXML(context.Context, org.Tenant, uuid.UUID) ([]byte, error) {
	return s.xml, nil
}
func (s *storage) Organisation(context.Context, org.Tenant) (org.Organisation, error) {
	return org.Organisation{Logo: s.logo}, nil
}
func (s *storage) Keep(_ context.Context, key string, data []byte) error {
	s.files[key] = data
	return nil
}
func (s *storage) Read(_ context.Context, key string) ([]byte, error) {
	if data, there := s.files[key]; there && !s.broken {
		return data, nil
	}
	return nil, errors.New("the files cannot be read")
}

func stocked(t *testing.T) *storage {
	t.Helper()
	device, err := sample.NewDevice(sample.Seeded(1), time.Date(2026, 11, 14, 9, 0, 0, 0, invoice.Riyadh()))
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := device.Seal(sample.Invoice())
	if err != nil {
		t.Fatal(err)
	}
	var logo bytes.Buffer
	if err := png.Encode(&logo, image.NewGray(image.Rect(0, 0, 40, 20))); err != nil {
		t.Fatal(err)
	}
	return &storage{
		invoice: ledger.Invoice{Number: "INV-2026-000001", IssueDate: "2026-11-14", IssueTime: "09:00:00", Status: ledger.Cleared},
		xml:     sealed.XML, logo: "logo.png", files: map[string][]byte{"logo.png": logo.Bytes()},
	}
}

func (s *storage) renderer() *render.Renderer {
	return render.New(render.Config{Keeper: s, Files: s, Test: func() bool { return false }, Log: slog.New(slog.DiscardHandler)})
}

func TestPDFIsStoredOnceItIsComplete(t *testing.T) {
	s := stocked(t)
	a, of := s.renderer(), org.TenantOf(uuid.New())
	s.broken = true
	bare, err := a.PDF(t.Context(), of, uuid.New(), render.Form{})
	if err != nil || len(s.files) != 1 {
		t.Fatalf("PDF without its logo: %v, %d PDFs stored, want 0", err, len(s.files)-1)
	}
	s.broken = false
	whole, err := a.PDF(t.Context(), of, uuid.New(), render.Form{})
	if err != nil || len(s.files) != 2 || bytes.Equal(bare.Data, whole.Data) {
		t.Fatalf("PDF with its logo: %v, %d PDFs stored, want 1", err, len(s.files)-1)
	}
	files, err := pdfa.Extract(t.Context(), whole.Data, pdfa.Limits{})
	if err != nil || len(files) != 1 || !bytes.Equal(files[0].Data, s.xml) {
		t.Errorf("the PDF has %d embedded files, want the XML: %v", len(files), err)
	}
	for key, data := range s.files { // mark the stored file, to see that it is not drawn again
		if key != "logo.png" {
			kept := append([]byte("kept "), data[:len(data)-sha256.Size]...)
			sum := sha256.Sum256(kept)
			s.files[key] = append(kept, sum[:]...)
		}
	}
	again, err := a.PDF(t.Context(), of, uuid.New(), render.Form{Language: "ar_en", Paper: "a4"})
	if err != nil || !bytes.HasPrefix(again.Data, []byte("kept ")) {
		t.Errorf("PDF with the default form given explicitly: %v; want the stored file", err)
	}
	if other, err := s.renderer().PDF(t.Context(), org.TenantOf(uuid.New()), uuid.New(), render.Form{}); err != nil || bytes.HasPrefix(other.Data, []byte("kept ")) {
		t.Errorf("PDF of another organisation: %v; want another file", err)
	}
}

// A stored PDF that is damaged or has no digest is drawn again.
func TestDamagedPDFIsDrawnAgain(t *testing.T) {
	s := stocked(t)
	s.logo = ""
	a, of := s.renderer(), org.TenantOf(uuid.New())
	whole, err := a.PDF(t.Context(), of, uuid.New(), render.Form{})
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func([]byte) []byte{
		"a flipped bit": func(kept []byte) []byte { kept[len(kept)/2] ^= 1; return kept },
		"cut off":       func(kept []byte) []byte { return kept[:len(kept)-1] },
		"no digest":     func(kept []byte) []byte { return kept[:len(kept)-sha256.Size] },
		"empty":         func([]byte) []byte { return nil },
	} {
		for key, data := range s.files {
			if key != "logo.png" {
				s.files[key] = change(bytes.Clone(data))
			}
		}
		again, err := a.PDF(t.Context(), of, uuid.New(), render.Form{})
		if err != nil || !bytes.Equal(again.Data, whole.Data) {
			t.Errorf("%s: %v, %d bytes, want %d", what, err, len(again.Data), len(whole.Data))
		}
	}
}

func TestNoPDFOfWhatIsNotAccepted(t *testing.T) {
	for _, status := range []ledger.Status{ledger.Unanswered, ledger.NoResponse, ledger.NotCleared, ledger.NotReported} {
		s := stocked(t)
		s.invoice.Status = status
		if _, err := s.renderer().PDF(t.Context(), org.TenantOf(uuid.New()), uuid.New(), render.Form{}); fault.KindOf(err) != fault.NotFound || err.Error() != "Invoice PDF not found" {
			t.Errorf("PDF with status %q: %v, want not found", status, err)
		}
	}
}

// A simplified invoice may be printed until it is rejected, a standard one once it
// is accepted.
func TestPrintedBeforeTheAnswer(t *testing.T) {
	for _, simplified := range []bool{true, false} {
		for _, status := range []ledger.Status{ledger.Unanswered, ledger.NoResponse, ledger.Reported, ledger.NotCleared, ledger.NotReported} {
			s := stocked(t)
			s.invoice.Status, s.invoice.Transaction.Simplified = status, simplified
			want := status == ledger.Reported || simplified && !status.Final()
			if s.invoice.Transaction.Simplified && status == ledger.NotCleared {
				continue // clearance is for standard invoices
			}
			pdf, err := s.renderer().Printed(t.Context(), org.TenantOf(uuid.New()), uuid.New(), render.Form{Paper: "80mm"})
			if got := err == nil && len(pdf.Data) > 0; got != want || !want && fault.KindOf(err) != fault.NotFound {
				t.Errorf("Printed of simplified %v with status %q: %v, want a PDF: %v", simplified, status, err, want)
			}
		}
	}
}
