package bench

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"khatm/invoice"
	"khatm/money"
	"khatm/qr"
	"khatm/sample"
	"khatm/seal"
	"khatm/ubl"
	"khatm/witness"
)

// issued is the issue time of the documents in this file.
var issued = time.Date(2026, 11, 14, 12, 0, 0, 0, time.UTC)

// factsJSON returns a simplified invoice with Arabic lines, as a point of sale would
// send it.
func factsJSON(lines int) []byte {
	var out strings.Builder
	out.WriteString(`{"ref_num":"INV-2026-000042","uuid":"8e6000cf-1a98-4174-b3e7-b5d5954bc10d","issue_date":"2026-11-14","issue_time":"15:00:00",
"counter":42,"previous_invoice_hash":"` + seal.GenesisHash + `","type_code":388,"transaction_code":"0200000","supply_date":"2026-11-14",
"currency":"SAR","exchange_rate":1,"payment_means_type_code":"10","notes":[{"language_id":"ar","note":"شكرًا لزيارتكم"}],
"seller":{"name":"Khatm Demo Trading","name_arabic":"شركة ختم التجريبية","vat_registration_number":"310175397400003",
"additional_seller_id":{"type_id":"CRN","value":"1010183482"},"street":"طريق الملك فهد","building_number":"8091","district":"حي العليا",
"city":"الرياض","postal_code":"12214"},"lines":[`)
	for i := range lines {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, `{"item_name":"صنف من الأصناف رقم %d","item_net_price":"%d.%02d","invoiced_quantity":%d.5,
"invoiced_quantity_unit_of_measure":"PCE","vat_category_code":"S","vat_rate":15.0,"vat_exemption_reason_code":"","vat_exemption_reason_text":""}`,
			i+1, 10+i%90, i%100, 1+i%7)
	}
	out.WriteString(`]}`)
	return []byte(out.String())
}

// fromFacts returns the stamped document, with its QR code, of facts in JSON.
func fromFacts(data []byte, device *sample.Device) (*seal.Sealed, error) {
	facts, err := invoice.Parse(data)
	if err != nil {
		return nil, err
	}
	document, err := invoice.Compute(facts)
	if err != nil {
		return nil, err
	}
	inv, err := document.UBL(facts.Identity)
	if err != nil {
		return nil, err
	}
	unsigned, err := seal.Prepare(inv)
	if err != nil {
		return nil, err
	}
	return unsigned.Stamp(device.Key, device.Certificate, issued)
}

// device returns a device and a verified document that the device stamped.
func device(t *testing.T, data []byte) (*sample.Device, *seal.Sealed) {
	t.Helper()
	d, err := sample.NewDevice(sample.Seeded(1), issued)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := fromFacts(data, d)
	if err != nil {
		t.Fatal(err)
	}
	report, err := witness.Verify(sealed.XML, witness.Expect{RequireStamp: true})
	if err != nil || len(report.Findings) > 0 {
		t.Fatalf("Verify returned %+v, %v; want no findings and no error", report, err)
	}
	return d, sealed
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// TestFactsToStampedBytes compares the time of fromFacts with the sum of its
// unavoidable parts: reading JSON, decimal arithmetic, writing and hashing the
// document, one signature, and the QR text.
func TestFactsToStampedBytes(t *testing.T) {
	enabled(t)
	data := factsJSON(10)
	d, sealed := device(t, data)
	inv := must(ubl.Read(sealed.XML))
	canon := must(ubl.Write(inv)).Bytes()
	content, _, err := qr.Read(sealed.QR)
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256(canon)
	prices := []money.Decimal{money.MustParse("31.30"), money.MustParse("2.5"), money.MustParse("15")}

	t.Log("10 Arabic lines, one core, CPU time:")
	got := beside(t, part{"facts → stamped bytes with QR (aim 400 µs)", func() { must(fromFacts(data, d)) }},
		part{"JSON into a tree, numbers as texts", func() {
			decoder := json.NewDecoder(bytes.NewReader(data))
			decoder.UseNumber()
			var tree any
			if err := decoder.Decode(&tree); err != nil {
				panic(err)
			}
		}},
		part{"decimals: 10 lines, VAT and totals", func() {
			var total money.Decimal
			for range 10 {
				net := prices[0].Mul(prices[1]).Round2()
				vat := net.Percent(prices[2]).Round2()
				total = total.Add(net).Add(vat)
				_, _, _ = net.Fixed2(), vat.Fixed2(), total.Fixed2()
			}
		}},
		part{"canonical XML of a ready invoice", func() { must(ubl.Write(inv)) }},
		part{"SHA-256 of document, properties, certificate", func() {
			sha256.Sum256(canon)
			sha256.Sum256(canon[:961])
			sum := sha256.Sum256([]byte(d.Certificate.Text))
			_ = base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(sum[:])))
		}},
		part{"signature on secp256k1", func() { must(d.Key.Sign(digest[:])) }},
		part{"QR text", func() { must(content.Encode()) }},
		part{"copy of the stamped bytes", func() { _ = bytes.Clone(sealed.XML) }},
	)
	hold(t, "whole / sum of its parts", got, 1.25)
}

// TestManyLines checks that a document with ten times as many lines takes at most
// twelve times as long.
func TestManyLines(t *testing.T) {
	enabled(t)
	short, long := factsJSON(400), factsJSON(4000)
	d, _ := device(t, short)
	device(t, long)
	got, times := ratio(func() { must(fromFacts(long, d)) }, func() { must(fromFacts(short, d)) })
	t.Logf("4000 lines %s, 400 lines %s", micros(times[0]), micros(times[1]))
	hold(t, "4000 lines / 400 lines", got, 12)
}
