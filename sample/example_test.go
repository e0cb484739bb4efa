package sample_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"khatm/invoice"
	"khatm/sample"
	"khatm/seal"
	"khatm/witness"
)

// A device seals a chain of documents, which package witness verifies.
func ExampleDevice() {
	device, err := sample.NewDevice(sample.Seeded(1), time.Date(2026, 11, 14, 9, 0, 0, 0, invoice.Riyadh()))
	if err != nil {
		fmt.Println(err)
		return
	}
	previous := seal.GenesisHash
	for _, facts := range []invoice.Facts{sample.Simplified(), sample.Invoice()} {
		sealed, err := device.Seal(facts)
		if err != nil {
			fmt.Println(err)
			return
		}
		report, err := witness.Verify(sealed.XML, witness.Expect{PreviousHash: previous, RequireStamp: true})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(report.Number, report.Transaction, report.IssueTime, report.Payable, len(report.Findings))
		previous = sealed.Hash
	}
	// Output:
	// INV-2026-000001 0200000 09:00:00 142.00 0
	// INV-2026-000002 0100000 09:00:01 2787.60 0
}

// The same seed returns the same document.
func ExampleRandom() {
	for range 2 {
		facts := sample.Random(rand.New(rand.NewPCG(7, 0)))
		document, err := invoice.Compute(facts)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(facts.Kind, facts.Transaction, facts.Currency, len(facts.Lines), document.Payable.Fixed2())
	}
	// Output:
	// 386 0100000 SAR 17 4552163415905.57
	// 386 0100000 SAR 17 4552163415905.57
}
