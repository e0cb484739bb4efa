package simulator

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"khatm/sample"
	"khatm/seal"
	"khatm/simulator/internal/ca"
)

// TestSaveLosesNothing: a state that is saved while a password is being used
// has the password, or the certificate that was given for it.
func TestSaveLosesNothing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	now := time.Date(2027, 2, 1, 9, 0, 0, 0, time.UTC)
	s, err := New(Config{State: folder, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	vatNumber := sample.Seller().VATNumber
	otp, err := s.OneTimePassword("simulation", vatNumber)
	if err != nil {
		t.Fatal(err)
	}
	saved := make(chan error, 1)
	err = s.room.passwords.use(ca.Simulation, otp, vatNumber, now, func() error {
		go func() { saved <- s.room.save() }()
		for s.room.saving.TryLock() { // until the other has begun
			s.room.saving.Unlock()
			time.Sleep(time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond) // time to go wrong; nothing waits for it
		_, err := s.room.ca.IssueCompliance(requestOf(t, vatNumber), now)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-saved; err != nil {
		t.Fatal(err)
	}
	office, err := os.ReadFile(filepath.Join(folder, officeFile))
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(folder, authorityFile))
	if err != nil {
		t.Fatal(err)
	}
	again, err := ca.New(ca.Config{Now: now, State: kept})
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Credentials()) == 0 && !bytes.Contains(office, []byte(`"`+otp+`"`)) {
		t.Error("both the password and the certificate are lost")
	}
}

func requestOf(t *testing.T, vatNumber string) *ca.Request {
	t.Helper()
	key, err := seal.NewKey(sample.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	asked, err := seal.Unit{
		CommonName: "TST-1", Provider: "Khatm", Model: "1.0", Serial: "1", VATNumber: vatNumber, UnitName: "Riyadh",
		Organisation: "Sample", InvoiceType: "1100", Location: "RRRD2929", Industry: "Retail trade",
	}.Request(key, "simulation")
	if err != nil {
		t.Fatal(err)
	}
	request, err := ca.ReadRequest(ca.Simulation, asked.Body())
	if err != nil {
		t.Fatal(err)
	}
	return request
}
