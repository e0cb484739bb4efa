package codes_test

import (
	"fmt"

	"khatm/codes"
	"khatm/money"
)

// A line without VAT has a category and an exemption reason of that category.
func Example() {
	category, _ := codes.FindCategory("Z")
	reason, _ := codes.FindReason("VATEX-SA-32")

	fmt.Println(category.Key, category.Allows(money.MustParse("15")), category.NeedsReason())
	fmt.Println(reason.EN, "/", reason.AR, reason.Category == category.Code)
	// Output:
	// ZERO_RATED false true
	// Export of goods / صادرات السلع من المملكة true
}

// Titles and labels are available in both languages.
func ExampleTitle() {
	title, _ := codes.Title(codes.TaxInvoice, true)
	number := codes.MustWord("invoice_number")

	fmt.Println(title.EN, "/", title.AR)
	fmt.Println(number.EN, "/", number.AR)
	// Output:
	// Simplified Tax Invoice / فاتورة ضريبية مبسطة
	// Invoice number / رقم الفاتورة
}
