package rules

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"khatm/ubl"
)

// documentRules are those of the family BR-KSA on the document as a whole:
// its identifier, dates, type, currency, supply and payment means.
var documentRules = []Rule{
	{
		ID: "BR-KSA-03", Flag: Error, Applies: everyDocument,
		Says:  Words{"A document must have a unique identifier (UUID).", "يجب أن يكون لكل مستند معرّف فريد (UUID)."},
		Fix:   Words{"Write a UUID of letters, digits and hyphens into cbc:UUID (`uuid`), with nothing before it.", "اكتب في العنصر cbc:UUID (`uuid`) معرّفًا من حروف وأرقام وشرطات، دون أي رمز أو مسافة قبله."},
		check: unusableUUID,
	},
	{
		ID: "BR-KSA-04", Flag: Error, Applies: everyIssueDate,
		Says:  Words{"An issue date must not be in the future.", "يجب ألا يكون تاريخ الإصدار في المستقبل."},
		Fix:   Words{"Use today's date in Riyadh or an earlier one (`issue_date`), and check the clock of the machine that issued the document.", "استخدم تاريخ اليوم بتوقيت الرياض أو تاريخًا أسبق (`issue_date`)، وتحقق من ساعة الجهاز الذي أصدر المستند."},
		check: issuedInFuture,
	},
	{
		ID: "BR-KSA-05", Flag: Error, Applies: everyDocument,
		Says:  Words{"The document type must be 388 (invoice), 381 (credit note), 383 (debit note) or 386 (advance payment).", "يجب أن يكون نوع المستند 388 (فاتورة ضريبية) أو 381 (إشعار دائن) أو 383 (إشعار مدين) أو 386 (فاتورة ضريبية – دفعة مقدمة)."},
		Fix:   Words{"Set the type code (`type_code`) to 388, 381, 383 or 386.", "اجعل رمز النوع (`type_code`) واحدًا من: 388 أو 381 أو 383 أو 386."},
		check: unknownType,
	},
	{
		ID: "BR-KSA-06", Flag: Error, Applies: everyDocument,
		Says:  Words{"The transaction code must be 01 (standard) or 02 (simplified) followed by five to seven digits, each 0 or 1.", "يجب أن يبدأ رمز المعاملة بالرقم 01 (مستند ضريبي غير مبسط) أو 02 (مستند مبسط)، تليه خمس إلى سبع خانات، كل منها 0 أو 1."},
		Fix:   Words{"Write, for instance, 0100000 for a standard or 0200000 for a simplified document (`transaction_code`).", "اكتب مثلًا 0100000 للمستند الضريبي (غير المبسط) أو 0200000 للمستند المبسط (`transaction_code`)."},
		check: unknownTransactionCode,
	},
	{
		ID: "BR-KSA-07", Flag: Error, Applies: Words{"export documents", "مستندات التصدير"},
		Says:  Words{"An export must not be self-billed.", "لا يجوز أن تكون فاتورة التصدير فاتورة ذاتية."},
		Fix:   Words{"Set the seventh digit of the transaction code to 0, or the fifth digit if it is not an export (`transaction_code`).", "اجعل الخانة السابعة من رمز المعاملة 0، أو اجعل الخانة الخامسة 0 إن لم يكن المستند فاتورة تصدير (`transaction_code`)."},
		check: selfBilledExport,
	},
	{
		ID: "BR-KSA-31", Flag: Error, Applies: simplifiedDocuments,
		Says:  Words{"A simplified document may be third-party, nominal, export or summary, but not self-billed.", "يجوز أن يكون المستند المبسط فاتورة طرف ثالث أو توريدًا مفترضًا أو فاتورة تصدير أو فاتورة ملخصة، ولا يجوز أن يكون فاتورة ذاتية."},
		Fix:   Words{"Set the third to sixth digits of the transaction code to 0 or 1 and the seventh to 0 (`transaction_code`).", "اجعل الخانات من الثالثة إلى السادسة في رمز المعاملة 0 أو 1، والسابعة 0 (`transaction_code`)."},
		check: selfBilledSimplified,
	},
	{
		ID: "BR-KSA-68", Flag: Error, Applies: everyDocument,
		Says:  Words{"A document must have a VAT currency.", "يجب أن تُحدَّد في المستند عملة الضريبة."},
		Fix:   Words{"Write SAR into cbc:TaxCurrencyCode.", "اكتب SAR في العنصر cbc:TaxCurrencyCode."},
		check: missingTaxCurrency,
	},
	{
		ID: "BR-KSA-70", Flag: Error, Applies: everyDocument,
		Says:  Words{"A document must have an issue time, written as HH:MM:SS, or HH:MM:SSZ for UTC.", "يجب أن يتضمن المستند وقت الإصدار بالصيغة HH:MM:SS، أو HH:MM:SSZ للتوقيت العالمي (UTC)."},
		Fix:   Words{"Write the Riyadh time with hours, minutes and seconds, such as 14:05:00 (`issue_time`): no fractions, no offset.", "اكتب الوقت بتوقيت الرياض بالساعات والدقائق والثواني، مثل 14:05:00 (`issue_time`)، دون أجزاء الثانية ودون فرق التوقيت."},
		check: unusableIssueTime,
	},
	{
		ID: "BR-KSA-16", Flag: Warning, Applies: eachPaymentMeans,
		Says:  Words{"A payment means must be a code of UNTDID 4461 that the authority accepts.", "يجب أن تكون وسيلة الدفع رمزًا معتمدًا لدى الهيئة من قائمة UNTDID 4461."},
		Fix:   Words{"Use, for instance, 10 for cash, 30 for credit or 48 for a bank card (`payment_means_type_code`).", "استخدم مثلًا 10 للنقد أو 30 للآجل أو 48 للبطاقة البنكية (`payment_means_type_code`)."},
		check: unknownPaymentMeans,
	},
}

var (
	everyIssueDate   = Words{"every issue date, including those of referenced documents", "كل تاريخ إصدار، بما في ذلك تواريخ المستندات المشار إليها"}
	eachPaymentMeans = Words{"each payment means", "كل وسيلة دفع"}
)

// unusableUUID reports a missing UUID, or one whose first character is invalid:
// the pattern of the sheet is not anchored at the end, so that "4f3c not a
// uuid" passes.
func unusableUUID(d *document, t *trial) {
	t.seen()
	uuid := d.UUID.String()
	if first, _ := utf8.DecodeRuneInString(uuid); uuid == "" || !beginsWord(first) {
		t.fail("/Invoice/cbc:UUID", uuid, "a UUID")
	}
}

// beginsWord reports whether r matches [\w.-]. In XPath every letter, mark,
// number and symbol is a word character; the underscore is punctuation and is
// not.
func beginsWord(r rune) bool {
	return r == '.' || r == '-' || unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S)
}

// issuedInFuture reports issue dates in the future, including those of an
// original invoice or an advance, as the sheet does.
func issuedInFuture(d *document, t *trial) {
	futureDate(d, t, "/Invoice/cbc:IssueDate", d.IssueDate)
	for i, b := range d.BillingReferences {
		if ref := b.InvoiceDocumentReference; ref != nil && ref.IssueDate != nil {
			path := numbered("/Invoice/cac:BillingReference", i)
			futureDate(d, t, path+"/cac:InvoiceDocumentReference/cbc:IssueDate", ref.IssueDate)
		}
	}
	futureReferences(d, t, "/Invoice/cac:ContractDocumentReference", d.ContractDocumentReferences)
	futureReferences(d, t, "/Invoice/cac:AdditionalDocumentReference", d.AdditionalDocumentReferences)
	for _, l := range d.lines {
		if len(l.DocumentReferences) > 0 {
			futureReferences(d, t, l.path+"/cac:DocumentReference", l.DocumentReferences)
		}
	}
	for _, s := range d.straysNamed("cbc:IssueDate") {
		futureDate(d, t, s.path, &ubl.Text{Value: s.node.Text})
	}
}

func futureReferences(d *document, t *trial, path string, references []*ubl.DocumentReference) {
	for i, ref := range references {
		if ref.IssueDate != nil {
			futureDate(d, t, numbered(path, i)+"/cbc:IssueDate", ref.IssueDate)
		}
	}
}

func futureDate(d *document, t *trial, path string, date *ubl.Text) {
	if date == nil {
		return
	}
	t.seen()
	// The beginnings of the days are compared. Today with the zone UTC begins
	// three hours after today in Riyadh and is therefore in the future.
	today, _ := xsDate(d.now.In(riyadh).Format("2006-01-02"))
	if day, ok := xsDate(date.Value); ok && day.After(today) {
		t.fail(path, date.Value, "a date not after "+today.Format("2006-01-02"))
	}
}

func unknownType(d *document, t *trial) {
	if d.InvoiceTypeCode == nil {
		return
	}
	t.seen()
	switch normalize(d.typeCode) {
	case "388", "381", "383", "386":
	case "": // the list of the sheet ends with two blanks, which an empty code matches
	default:
		t.fail("/Invoice/cbc:InvoiceTypeCode", d.typeCode, "388, 381, 383 or 386")
	}
}

func unknownTransactionCode(d *document, t *trial) {
	if d.InvoiceTypeCode == nil {
		return
	}
	t.seen()
	known := len(d.transaction) >= 7 && len(d.transaction) <= 9 &&
		(d.beginsWith("01") || d.beginsWith("02")) && strings.Trim(d.transaction[2:], "01") == ""
	if !known {
		t.fail("/Invoice/cbc:InvoiceTypeCode/@name", d.transaction, "01 or 02 and five to seven times 0 or 1")
	}
}

func selfBilledExport(d *document, t *trial) {
	if character(d.transaction, 5) != "1" {
		return
	}
	t.seen()
	// A code too short to have a seventh digit passes here.
	if character(d.transaction, 7) == "1" {
		t.fail("/Invoice/cbc:InvoiceTypeCode/@name", d.transaction, "0 in the seventh place")
	}
}

func selfBilledSimplified(d *document, t *trial) {
	if !d.beginsWith("02") {
		return
	}
	t.seen()
	allowed := character(d.transaction, 7) == "0"
	for position := 3; position <= 6; position++ {
		mark := character(d.transaction, position)
		allowed = allowed && (mark == "0" || mark == "1")
	}
	if !allowed {
		t.fail("/Invoice/cbc:InvoiceTypeCode/@name", d.transaction, "0 or 1 in the third to sixth and 0 in the seventh place")
	}
}

func missingTaxCurrency(d *document, t *trial) {
	t.seen()
	if d.TaxCurrencyCode.String() == "" {
		t.fail("/Invoice/cbc:TaxCurrencyCode", "", "SAR")
	}
}

var plainTime = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z?$`)

func unusableIssueTime(d *document, t *trial) {
	t.seen()
	if clock := d.IssueTime.String(); !plainTime.MatchString(clock) {
		t.fail("/Invoice/cbc:IssueTime", clock, "HH:MM:SS or HH:MM:SSZ")
	}
}

func unknownPaymentMeans(d *document, t *trial) {
	if !standardOrSimplified(d) {
		return
	}
	for i, p := range d.PaymentMeans {
		if p.PaymentMeansCode == nil {
			continue
		}
		t.seen()
		if code := p.PaymentMeansCode.Value; !isPaymentMeans(normalize(code)) {
			t.fail(numbered("/Invoice/cac:PaymentMeans", i)+"/cbc:PaymentMeansCode", code, "a code of UNTDID 4461")
		}
	}
	for _, s := range d.strayMeans() {
		t.seen()
		if code := s.node.Text; !isPaymentMeans(normalize(code)) {
			t.fail(s.path, code, "a code of UNTDID 4461")
		}
	}
}

// isPaymentMeans reports whether BR-KSA-16 accepts a code: not 69, which
// BR-CL-16 allows.
func isPaymentMeans(code string) bool { return code != "69" && paymentMeans[code] }
