package sample

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"khatm/invoice"
	"khatm/seal"
)

// Device issues documents: it numbers them, chains them and stamps them with a
// test certificate.
type Device struct {
	Key         *seal.Key
	Certificate *seal.Certificate

	now      time.Time
	counter  int64
	previous string
}

// NewDevice returns a device of the sample seller with a key from the random
// source. The issue time of its first document is first, that of each following
// document one second later.
func NewDevice(random io.Reader, first time.Time) (*Device, error) {
	key, err := seal.NewKey(random)
	if err != nil {
		return nil, fmt.Errorf("sample device: %w", err)
	}
	seller := Seller()
	unit := seal.Unit{
		CommonName:   "KHATM-DEMO-1",
		Provider:     "Khatm",
		Model:        "1.0",
		Serial:       idOf("device"),
		VATNumber:    seller.VATNumber,
		UnitName:     "الفرع الرئيسي",
		Organisation: seller.NameArabic,
		InvoiceType:  "1100",
		Location:     "RRRD2929",
		Industry:     "Retail trade",
	}
	certificate, err := seal.TestCertificate(key, unit, first.Add(-24*time.Hour), random)
	if err != nil {
		return nil, fmt.Errorf("sample device: %w", err)
	}
	return &Device{Key: key, Certificate: certificate, now: first, previous: seal.GenesisHash}, nil
}

// Seal computes a document, assigns the next number and chain position, and
// stamps it.
func (d *Device) Seal(f invoice.Facts) (*seal.Sealed, error) {
	document, err := invoice.Compute(f)
	if err != nil {
		return nil, err
	}
	number := fmt.Sprintf("INV-%d-%06d", d.now.Year(), d.counter+1)
	inv, err := document.UBL(invoice.Identity{
		Number:       number,
		UUID:         idOf(number),
		Counter:      d.counter + 1,
		PreviousHash: d.previous,
	}.At(d.now))
	if err != nil {
		return nil, err
	}
	unsigned, err := seal.Prepare(inv)
	if err != nil {
		return nil, err
	}
	sealed, err := unsigned.Stamp(d.Key, d.Certificate, d.now)
	if err != nil {
		return nil, err
	}
	d.counter++
	d.previous = sealed.Hash
	d.now = d.now.Add(time.Second)
	return sealed, nil
}

// idOf returns a UUID derived from the text.
func idOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	sum[6] = sum[6]&0x0f | 0x40
	sum[8] = sum[8]&0x3f | 0x80
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// Seeded returns a deterministic random source, so that tests are repeatable. Do
// not use it to generate real keys.
func Seeded(seed uint64) io.Reader {
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	return rand.NewChaCha8(key)
}
