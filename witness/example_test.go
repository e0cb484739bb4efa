package witness_test

import (
	"fmt"
	"strings"
	"testing"

	"khatm/witness"
)

func ExampleVerify() {
	document := stamped(&testing.T{}, layout{})
	document = strings.Replace(document, ">14:05:06<", ">15:05:06<", 1)

	report, err := witness.Verify([]byte(document), witness.Expect{})
	if err != nil {
		fmt.Println(err) // not a readable document
		return
	}
	fmt.Println(report.Number, "of", report.SellerVAT)
	for _, f := range report.Findings {
		fmt.Println(f.ID)
	}
	// Output:
	// INV-7 of 399999999900003
	// hash-digest
	// signature
	// qr-time
	// qr-hash
}
