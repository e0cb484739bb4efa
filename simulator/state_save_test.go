package simulator

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"khatm/simulator/internal/ca"
)

// TestSaveLosesNothing saves the state while a password is being used. The
// saved state must contain the password or the certificate that was issued for
// it.
func TestSaveLosesNothing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	now := time.Date(2027, 2, 1, 9, 0, 0, 0, time.UTC)
	s, err := New(Config{State: folder, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	vatNumber := requestOf(t).VATNumber
	otp, err := s.OneTimePassword("simulation", vatNumber)
	if err != nil {
		t.Fatal(err)
	}
	saved := make(chan error, 1)
	err = s.state.passwords.use(ca.Simulation, otp, vatNumber, now, func() error {
		go func() { saved <- s.state.save() }()
		for s.state.saving.TryLock() { // until the other goroutine has started to save
			s.state.saving.Unlock()
			time.Sleep(time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond) // gives save time to read a wrong state
		_, err := s.state.ca.IssueCompliance(requestOf(t), now)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-saved; err != nil {
		t.Fatal(err)
	}
	office, err := os.ReadFile(filepath.Join(folder, settingsFile))
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
		t.Error("the saved state has neither the password nor the certificate, want at least one")
	}
}

// published is a certificate request for the simulation environment, with a key
// used only in this test.
const published = "" +
	"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQnVEQ0NBVjhDQVFBd1B6RUxNQWtHQTFVRUJoTUNVMEV4RHpBTkJnTlZCQXNNQmxKcGVX" +
	"RmthREVQTUEwRwpBMVVFQ2d3R1UyRnRjR3hsTVE0d0RBWURWUVFEREFWVVUxUXRNVEJXTUJBR0J5cUdTTTQ5QWdFR0JTdUJCQUFLCkEwSUFCTGdpSDVJWXcz" +
	"aVhMblJlOVJXSmtxQy9jUWNNWTd4Z0JmTysvK1d1QUFmMXQ1QmZ2Q0VUcGsvSHo5aUsKR2x3NHdEWk5jU2hZa0dLa1ZhU1NpczdCdDFDZ2djQXdnYjBHQ1Nx" +
	"R1NJYjNEUUVKRGpHQnJ6Q0JyREFrQmdrcgpCZ0VFQVlJM0ZBSUVGd3dWVUZKRldrRlVRMEV0UTI5a1pTMVRhV2R1YVc1bk1JR0RCZ05WSFJFRWZEQjZwSGd3" +
	"CmRqRWFNQmdHQTFVRUJBd1JNUzFMYUdGMGJYd3lMVEV1TUh3ekxURXhIekFkQmdvSmtpYUprL0lzWkFFQkRBOHoKTVRBeE56VXpPVGMwTURBd01ETXhEVEFM" +
	"QmdOVkJBd01CREV4TURBeEVUQVBCZ05WQkJvTUNGSlNVa1F5T1RJNQpNUlV3RXdZRFZRUVBEQXhTWlhSaGFXd2dkSEpoWkdVd0NnWUlLb1pJemowRUF3SURS" +
	"d0F3UkFJZ2YzRi8zWUo1Ck5NK2Mvb3QzdXFucWF6MDZxclBxejMyejkwL2FDWGVXR2xzQ0lCTGE5ZzhWWHJoeGtsQVVNMXQwaHdJM05iaVkKS1E4RWtEbFNv" +
	"Z29uN3A1UQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K"

func requestOf(t *testing.T) *ca.Request {
	t.Helper()
	request, err := ca.ReadRequest(ca.Simulation, published)
	if err != nil {
		t.Fatal(err)
	}
	return request
}
