package invoice_test

import (
	"errors"
	"fmt"

	"khatm/invoice"
	"khatm/money"
	"khatm/sample"
)

func ExampleCompute() {
	facts := sample.Simplified()
	expected := money.MustParse("142")
	facts.ExpectedPayable = &expected // amount shown to the customer

	document, err := invoice.Compute(facts)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, line := range document.Amounts {
		fmt.Println(facts.Lines[i].Name, line.Net.Fixed2(), line.VAT.Fixed2(), line.Total.Fixed2())
	}
	fmt.Println("without VAT", document.WithoutVAT.Fixed2())
	fmt.Println("VAT", document.VAT.Fixed2())
	fmt.Println("rounding", document.Rounding.Fixed2())
	fmt.Println("payable", document.Payable.Fixed2())
	// Output:
	// قهوة عربية 250 جم 62.60 9.39 71.99
	// تمر سكري فاخر 60.88 9.13 70.01
	// without VAT 123.48
	// VAT 18.52
	// rounding 0.00
	// payable 142.00
}

func ExampleParse() {
	facts, err := invoice.Parse([]byte(`{
		"transaction_code": "0200000",
		"seller": {"name": "Khatm Demo Trading"},
		"lines": [{"item_name": "Coffee", "item_net_price": "31.30", "invoiced_quantity": 2, "vat_rate": 15}]
	}`))
	fmt.Println(facts.Currency, facts.Kind, facts.Lines[0].Quantity, err)

	// All problems are returned together.
	_, err = invoice.Parse([]byte(`{"type_code": "388", "lines": [{"item_net_price": true, "colour": "red"}]}`))
	var problems invoice.Problems
	if errors.As(err, &problems) {
		for _, problem := range problems {
			fmt.Println(problem)
		}
	}
	// Output:
	// SAR 388 2 <nil>
	// type_code: must be an integer
	// lines.0.item_net_price: must be a decimal number such as 12.50
	// lines.0.colour: is not a field of this object
}

func ExampleFromUBL() {
	document, err := invoice.Compute(sample.Invoice())
	if err != nil {
		fmt.Println(err)
		return
	}
	inv, err := document.UBL(identity)
	if err != nil {
		fmt.Println(err)
		return
	}
	facts, err := invoice.FromUBL(inv)
	fmt.Println(facts.Number, facts.Buyer.NameArabic, len(facts.Lines), err)
	// Output: INV-2026-000042 مؤسسة النور للقرطاسية 2 <nil>
}
