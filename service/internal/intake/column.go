package intake

import (
	"fmt"
	"slices"
	"strings"

	"khatm/codes"
	"khatm/service/internal/fault"
	"khatm/service/internal/trade"
)

// field is a field of a record that a column can contain.
type field struct {
	name            string   // as in the API
	english, arabic []string // other headings; people know the field by the first one
	required        bool     // a file must have it
}

var clientFields = []field{
	{"buyer_name", []string{"Name", "Client", "Client name", "Customer", "Customer name"}, []string{"الاسم", "اسم العميل", "العميل"}, true},
	{"buyer_name_arabic", []string{"Arabic name", "Name in Arabic"}, []string{"الاسم العربي", "الاسم بالعربية"}, false},
	{"vat_registration_number", []string{"VAT number", "VAT registration number", "VAT no"}, []string{"الرقم الضريبي", "رقم التسجيل الضريبي"}, false},
	{"business_type", []string{"Business type"}, []string{"نوع النشاط التجاري", "نوع العمل"}, true},
	{"industry", []string{"Industry"}, []string{"القطاع", "النشاط"}, true},
	{"street", []string{"Street", "Address"}, []string{"الشارع", "العنوان"}, true},
	{"additional_street", []string{"Additional street"}, []string{"الشارع الفرعي"}, false},
	{"building_number", []string{"Building number", "Building no"}, []string{"رقم المبنى"}, false},
	{"plot_identification", []string{"Secondary number", "Additional number"}, []string{"الرقم الفرعي", "الرقم الإضافي"}, false},
	{"district", []string{"District"}, []string{"الحي"}, false},
	{"city", []string{"City"}, []string{"المدينة"}, false},
	{"province_state", []string{"Region", "Province", "State"}, []string{"المنطقة"}, true},
	{"postal_code", []string{"Postal code", "Post code", "ZIP code"}, []string{"الرمز البريدي"}, false},
	{"country_code", []string{"Country", "Country code"}, []string{"الدولة", "رمز الدولة"}, false},
	{"street_arabic", []string{"Street in Arabic"}, []string{"الشارع بالعربية"}, false},
	{"additional_street_arabic", []string{"Additional street in Arabic"}, []string{"الشارع الفرعي بالعربية"}, false},
	{"district_arabic", []string{"District in Arabic"}, []string{"الحي بالعربية"}, false},
	{"city_arabic", []string{"City in Arabic"}, []string{"المدينة بالعربية"}, false},
	{"province_state_arabic", []string{"Region in Arabic"}, []string{"المنطقة بالعربية"}, false},
	{"contact_name", []string{"Contact", "Contact name"}, []string{"جهة الاتصال", "اسم جهة الاتصال"}, false},
	{"contact_email", []string{"E-mail", "Email"}, []string{"البريد الإلكتروني"}, false},
	{"contact_phone", []string{"Phone", "Phone number", "Mobile"}, []string{"الهاتف", "رقم الهاتف", "الجوال"}, false},
	{"additional_buyer_id_type", []string{"ID type", "Identification type"}, []string{"نوع المعرف"}, false},
	{"additional_buyer_id", []string{"ID number", "Identification", "Other identification"}, []string{"المعرف", "رقم المعرف", "معرف إضافي"}, false},
}

var itemFields = []field{
	{"item_name", []string{"Name", "Item", "Item name", "Product"}, []string{"الاسم", "اسم الصنف", "الصنف"}, true},
	{"item_name_arabic", []string{"Arabic name", "Name in Arabic"}, []string{"الاسم العربي", "الاسم بالعربية"}, false},
	{"description", []string{"Description"}, []string{"الوصف"}, false},
	{"sku", []string{"SKU", "Item number", "Item code"}, []string{"رقم الصنف", "رمز الصنف"}, false},
	{"barcode", []string{"Barcode", "GTIN", "EAN"}, []string{"الباركود", "الرمز الشريطي"}, false},
	{"item_net_price", []string{"Price", "Unit price", "Net price", "Price excluding VAT"}, []string{"السعر", "سعر الوحدة", "السعر قبل الضريبة"}, true},
	{"unit_of_measure", []string{"Unit", "Unit of measure"}, []string{"الوحدة", "وحدة القياس"}, true},
	{"vat_category_code", []string{"VAT category"}, []string{"فئة الضريبة"}, true},
	{"vat_rate", []string{"VAT rate", "VAT %"}, []string{"نسبة الضريبة"}, true},
	{"vat_exemption_reason_code", []string{"Exemption reason code"}, []string{"رمز سبب الإعفاء"}, false},
	{"vat_exemption_reason_text", []string{"Exemption reason", "VAT exemption reason"}, []string{"سبب الإعفاء", "سبب الإعفاء من الضريبة"}, false},
	{"stock", []string{"Stock", "Quantity in stock"}, []string{"المخزون", "الكمية المتوفرة"}, false},
	{"is_active", []string{"Active"}, []string{"نشط"}, false},
}

var invoiceFields = []field{
	{"number", []string{"Invoice number", "Invoice no", "Number"}, []string{"رقم الفاتورة", "الرقم"}, true},
	{"issue_date", []string{"Issue date", "Invoice date", "Date"}, []string{"تاريخ الإصدار", "تاريخ الفاتورة", "التاريخ"}, true},
	{"simplified", []string{"Invoice type", "Type", "Kind"}, []string{"نوع الفاتورة", "النوع", "مبسطة"}, true},
	{"buyer", []string{"Buyer", "Buyer UUID", "Client UUID"}, []string{"المشتري", "معرف المشتري", "معرف العميل"}, false},
	{"vat_registration_number", []string{"VAT number", "VAT registration number", "Client VAT number", "Buyer VAT number", "VAT no"}, []string{"الرقم الضريبي", "رقم التسجيل الضريبي", "الرقم الضريبي للعميل", "الرقم الضريبي للمشتري"}, false},
	{"buyer_name", []string{"Client", "Client name", "Customer", "Customer name", "Buyer name"}, []string{"العميل", "اسم العميل", "اسم المشتري"}, false},
	{"currency", []string{"Currency"}, []string{"العملة"}, false},
	{"vat_category_code", []string{"VAT category"}, []string{"فئة الضريبة"}, true},
	{"vat_rate", []string{"VAT rate", "VAT %"}, []string{"نسبة الضريبة"}, true},
	{"taxable_amount", []string{"Taxable amount", "Amount excluding VAT", "Net amount"}, []string{"المبلغ الخاضع للضريبة", "المبلغ قبل الضريبة", "الصافي"}, true},
	{"vat_amount", []string{"VAT amount", "VAT"}, []string{"مبلغ الضريبة", "الضريبة", "ضريبة القيمة المضافة"}, true},
}

func (k Kind) fields() []field {
	switch k {
	case Items:
		return itemFields
	case Invoices:
		return invoiceFields
	}
	return clientFields
}

// Fields returns the names of the fields that a file of this kind can contain.
func (k Kind) Fields() []string {
	var names []string
	for _, f := range k.fields() {
		names = append(names, f.name)
	}
	return names
}

// Title returns the name under which people know a field, or an empty word if the
// kind has no such field.
func (k Kind) Title(name string) codes.Word {
	for _, f := range k.fields() {
		if f.name == name {
			return codes.Word{Key: name, EN: f.english[0], AR: f.arabic[0]}
		}
	}
	return codes.Word{}
}

// folded returns a heading in the form in which headings are compared.
func folded(heading string) string {
	heading, _, _ = strings.Cut(heading, "*") // marks a required column
	return trade.Fold(strings.ReplaceAll(heading, "_", " "))
}

// headings are the columns of a file.
type headings struct {
	fields  []string          // by column; empty if the column is not imported
	titles  map[string]string // headings by field, as in the file
	fixed   map[string]string // values by field that are the same for all rows
	unknown []string          // headings of columns that are not imported
}

// headingsOf finds the fields of a heading row.
func headingsOf(kind Kind, cells []string, chosen []Column) (headings, error) {
	h := headings{fields: make([]string, len(cells)), titles: map[string]string{}, fixed: map[string]string{}}
	named := map[string]string{} // fields by folded heading
	for _, f := range kind.fields() {
		for _, heading := range slices.Concat([]string{f.name}, f.english, f.arabic) {
			named[folded(heading)] = f.name
		}
	}
	elsewhere := map[string]bool{} // fields whose column was chosen
	for i, c := range chosen {
		at := fmt.Sprintf("import_data.columns.%d.", i)
		switch {
		case !slices.Contains(kind.Fields(), c.Field):
			return h, fault.Wrong(fault.Problem{Path: at + "field", Message: "must be one of " + strings.Join(kind.Fields(), ", "), MessageAR: fmt.Sprintf(fault.OneOfAR, strings.Join(kind.Fields(), "، "))})
		case elsewhere[c.Field]:
			return h, fault.Wrong(fault.Problem{Path: at + "field", Message: "must not be the field of another element", MessageAR: "حُدّد عمود لهذا الحقل من قبل."})
		case (c.Heading == "") == (c.Value == ""):
			return h, fault.Wrong(fault.Problem{Path: at + "heading", Message: "must be set, or value instead of it", MessageAR: "يجب تحديد عنوان العمود أو قيمة ثابتة بدلًا منه."})
		case c.Heading != "" && !slices.ContainsFunc(cells, func(cell string) bool { return folded(cell) == folded(c.Heading) }):
			return h, fault.Wrong(fault.Problem{Path: at + "heading", Message: "must be a heading in the first row of the file", MessageAR: "يجب أن يكون من العناوين في الصف الأول من الملف."})
		}
		elsewhere[c.Field] = true
		for heading, name := range named {
			if name == c.Field {
				delete(named, heading)
			}
		}
		if c.Value != "" {
			h.fixed[c.Field] = c.Value
		}
	}
	for _, c := range chosen {
		if c.Heading != "" {
			named[folded(c.Heading)] = c.Field
		}
	}
	return h, h.find(kind, cells, named)
}

// find fills the columns with the fields that their headings name.
func (h *headings) find(kind Kind, cells []string, named map[string]string) error {
	for i, cell := range cells {
		name := named[folded(cell)]
		switch {
		case name == "" && strings.TrimSpace(cell) != "":
			h.unknown = append(h.unknown, cell)
		case name == "":
		case h.titles[name] != "":
			return fault.New(fault.ImportColumns, "Two columns contain %s: %q and %q. Remove one of them, or choose one with columns.", name, h.titles[name], cell).
				With("message_ar", fmt.Sprintf("في الملف عمودان للحقل «%s»: «%s» و«%s».", kind.Title(name).AR, h.titles[name], cell))
		default:
			h.fields[i], h.titles[name] = name, cell
		}
	}
	var lacking, lackingAR []string
	for _, f := range kind.fields() {
		if f.required && h.titles[f.name] == "" && h.fixed[f.name] == "" {
			lacking, lackingAR = append(lacking, f.name), append(lackingAR, f.arabic[0])
		}
	}
	if len(lacking) > 0 {
		return fault.New(fault.ImportColumns, "The first row of the file has no heading for %s.", strings.Join(lacking, ", ")).
			With("missing_columns", lacking).With("message_ar", "ليس في الصف الأول من الملف عنوان لكل من: "+strings.Join(lackingAR, "، ")+".")
	}
	return nil
}
