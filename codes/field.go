package codes

// PriceIncludingVAT is the name of the item property that contains the price of
// one unit including VAT, for which UBL has no element.
const PriceIncludingVAT = "سعر الوحدة شامل الضريبة | Unit price including VAT"

// fields are the field labels of a printed document.
var fields = []Word{
	// Header.
	{"invoice_number", "Invoice number", "رقم الفاتورة"},
	{"note_number", "Note number", "رقم الإشعار"},
	{"uuid", "Unique identifier", "المعرّف الفريد"},
	{"issue_date", "Issue date", "تاريخ الإصدار"},
	{"issue_time", "Issue time", "وقت الإصدار"},
	{"hijri_date", "Hijri date", "التاريخ الهجري"},
	{"supply_date", "Supply date", "تاريخ التوريد"},
	{"supply_end_date", "Supply end date", "تاريخ انتهاء التوريد"},
	{"original_invoice", "Original invoice", "الفاتورة الأصلية"},
	{"original_invoices", "Original invoices", "الفواتير الأصلية"},
	{"reason", "Reason", "السبب"},
	{"export_invoice", "Export invoice", "فاتورة تصدير"},
	{"device", "Device", "الجهاز"},
	{"branch", "Branch", "الفرع"},
	{"status", "Status", "الحالة"},

	// Parties.
	{"seller", "Seller", "البائع"},
	{"buyer", "Buyer", "المشتري"},
	{"name", "Name", "الاسم"},
	{"vat_number", "VAT number", "الرقم الضريبي"},
	{"commercial_registration", "Commercial registration", "السجل التجاري"},
	{"additional_id", "Other identification", "معرّف إضافي"},
	{"address", "Address", "العنوان"},
	{"street", "Street", "الشارع"},
	{"additional_street", "Additional street", "الشارع الفرعي"},
	{"building_number", "Building number", "رقم المبنى"},
	{"plot_identification", "Secondary number", "الرقم الفرعي"},
	{"district", "District", "الحي"},
	{"city", "City", "المدينة"},
	{"province_state", "Region", "المنطقة"},
	{"postal_code", "Postal code", "الرمز البريدي"},
	{"country", "Country", "الدولة"},

	// Lines.
	{"line_number", "No.", "م"},
	{"item", "Item", "السلعة أو الخدمة"},
	{"description", "Description", "الوصف"},
	{"quantity", "Quantity", "الكمية"},
	{"unit", "Unit", "الوحدة"},
	{"unit_price", "Unit price", "سعر الوحدة"},
	{"unit_price_including_vat", "Unit price (including VAT)", "سعر الوحدة (شامل الضريبة)"},
	{"discount", "Discount", "الخصم"},
	{"charge", "Charge", "رسوم إضافية"},
	{"vat", "VAT", "ضريبة القيمة المضافة"},
	{"vat_category", "VAT category", "فئة الضريبة"},
	{"vat_rate", "VAT rate", "نسبة الضريبة"},
	{"vat_amount", "VAT amount", "مبلغ الضريبة"},
	{"subtotal_excluding_vat", "Subtotal (excluding VAT)", "المجموع الفرعي (غير شامل الضريبة)"},
	{"subtotal_including_vat", "Subtotal (including VAT)", "المجموع الفرعي (شامل الضريبة)"},
	{"exemption_reason", "VAT exemption reason", "سبب الإعفاء من الضريبة"},

	// Totals.
	{"lines_total", "Total of lines", "مجموع البنود"},
	{"total_excluding_vat", "Total (excluding VAT)", "الإجمالي (غير شامل الضريبة)"},
	{"vat_breakdown", "VAT breakdown", "تفصيل الضريبة"},
	{"taxable_amount", "Taxable amount", "المبلغ الخاضع للضريبة"},
	{"vat_total", "Total VAT", "إجمالي ضريبة القيمة المضافة"},
	{"vat_total_sar", "Total VAT in SAR", "إجمالي ضريبة القيمة المضافة بالريال السعودي"},
	{"total", "Total", "الإجمالي"},
	{"total_including_vat", "Total (including VAT)", "الإجمالي (شامل الضريبة)"},
	{"prepaid", "Prepaid amount", "المبلغ المدفوع مقدمًا"},
	{"advances", "Deducted advance payments", "الدفعات المقدمة المخصومة"},
	{"rounding", "Rounding", "فرق التقريب"},
	{"amount_due", "Amount due", "المبلغ المستحق"},
	{"note_total", "Note total", "إجمالي الإشعار"},
	{"currency", "Currency", "العملة"},
	{"exchange_rate", "Exchange rate", "سعر الصرف"},

	// Footer.
	{"payment_means", "Payment means", "وسيلة الدفع"},
	{"payment_terms", "Payment terms", "شروط الدفع"},
	{"payment_status", "Payment status", "حالة الدفع"},
	{"notes", "Notes", "ملاحظات"},
	{"qr_code", "QR code", "رمز الاستجابة السريعة"},
	{"cryptographic_stamp", "Cryptographic stamp", "الختم التشفيري"},
	{"invoice_hash", "Invoice hash", "بصمة الفاتورة"},
	{"previous_hash", "Previous invoice hash", "بصمة الفاتورة السابقة"},
	{"counter", "Invoice counter", "عداد الفواتير"},
	{"page_of", "Page %d of %d", "صفحة %d من %d"},
}

// marks are printed across a page that is not a tax invoice. Those that end
// with _note are for credit and debit notes, which are masculine in Arabic.
var marks = []Word{
	{"mark_test", "TEST – not a tax invoice", "تجريبية – ليست فاتورة ضريبية"},
	{"mark_draft", "DRAFT – not a tax invoice", "مسودة – ليست فاتورة ضريبية"},
	{"mark_unsigned", "UNSIGNED – not a tax invoice", "غير مختومة – ليست فاتورة ضريبية"},
	{"mark_test_note", "TEST – not a tax document", "تجريبي – ليس إشعارًا ضريبيًا"},
	{"mark_draft_note", "DRAFT – not a tax document", "مسودة – ليست إشعارًا ضريبيًا"},
	{"mark_unsigned_note", "UNSIGNED – not a tax document", "غير مختوم – ليس إشعارًا ضريبيًا"},
	{"mark_translation", "TRANSLATION – the original is in Arabic", "ترجمة – الأصل بالعربية"},
}
