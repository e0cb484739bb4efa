package issue

import "khatm/service/internal/fault"

// Refusals of invoice requests. TestRefusals_OverHTTP fails if it does not
// cover one of them.

var badTransaction = Refusal{
	Code:      fault.BadTransaction,
	Path:      "transaction_code",
	Name:      "transaction code",
	Message:   "Invalid transaction_code",
	Cause:     "transaction_code is not 0100000, 0200000 or 0100100.",
	Fix:       "Send 0100000 (standard), 0200000 (simplified) or 0100100 (standard export).",
	MessageAR: "رمز المعاملة transaction_code غير صالح.",
	FixAR:     "أرسل 0100000 (فاتورة ضريبية) أو 0200000 (فاتورة ضريبية مبسطة) أو 0100100 (فاتورة تصدير).",
}

var foreignSeller = Refusal{
	Code:      fault.ForeignSeller,
	Path:      "seller",
	Name:      "seller",
	Message:   "The seller is not your organisation.",
	Cause:     "seller is not the organisation of the API key.",
	Fix:       "Send the seller_id of the device, from GET /api/devices/.",
	MessageAR: "البائع المحدد ليس منشأتك.",
	FixAR:     "أرسل قيمة seller_id الخاصة بالجهاز من GET \u200e/api/devices/\u200e.",
}

var unknownDevice = Refusal{
	Code:      fault.UnknownDevice,
	Path:      "device",
	Name:      "device",
	Message:   "Device not found",
	Cause:     "device is not a device of your organisation.",
	Fix:       "Send a device_id from GET /api/devices/.",
	MessageAR: "الجهاز غير موجود.",
	FixAR:     "أرسل قيمة device_id من GET \u200e/api/devices/\u200e.",
}

var deviceCannotIssue = Refusal{
	Code:      fault.DeviceCannotIssue,
	Path:      "device",
	Name:      "device status",
	Message:   "The device cannot issue invoices: its device_status is %s.",
	Cause:     "Only a device whose device_status is pcsid_generated can issue.",
	Fix:       "Finish the onboarding of the device, or use another one.",
	MessageAR: "لا يمكن للجهاز إصدار الفواتير، لأن حالته (device_status) هي %s.",
	FixAR:     "أكمل ربط الجهاز بالهيئة، أو استخدم جهازًا آخر.",
}

var deviceRetired = Refusal{
	Code:      fault.DeviceRetired,
	Path:      "device",
	Name:      "device retired",
	Message:   "The device is retired and can no longer issue invoices.",
	Cause:     "The device was released in the app, or retired when the database was recovered. Both are permanent.",
	Fix:       "Use another device of the organisation.",
	MessageAR: "أُوقف هذا الجهاز نهائيًا ولا يمكنه إصدار فواتير أخرى.",
	FixAR:     "استخدم جهازًا آخر من أجهزة المنشأة.",
}

var deviceExpired = Refusal{
	Code:      fault.DeviceExpired,
	Path:      "device",
	Name:      "device certificate",
	Message:   "The device's production certificate has expired.",
	Cause:     "An expired certificate cannot stamp a valid document.",
	Fix:       "Renew the device's certificate, or use another device.",
	MessageAR: "انتهت صلاحية شهادة الختم التشفيري للجهاز.",
	FixAR:     "جدّد شهادة الختم التشفيري للجهاز، أو استخدم جهازًا آخر.",
}

var deviceForbids = Refusal{
	Code:      fault.DeviceForbids,
	Path:      "transaction_code",
	Name:      "device and transaction code",
	Message:   "The device's invoice_type %s does not allow transaction_code %s.",
	Cause:     "invoice_type 1000 allows 0100000 and 0100100, 0100 allows 0200000, and 1100 allows all three.",
	Fix:       "Use a device whose invoice_type allows it, or change transaction_code.",
	MessageAR: "نوع فواتير الجهاز %s لا يسمح برمز المعاملة %s.",
	FixAR:     "استخدم جهازًا يسمح نوع فواتيره (invoice_type) برمز المعاملة المطلوب، أو غيّر transaction_code.",
}

var unknownBuyer = Refusal{
	Code:      fault.UnknownBuyer,
	Path:      "buyer",
	Name:      "buyer",
	Message:   "Buyer not found",
	Cause:     "buyer is not a client of your organisation.",
	Fix:       "Send the uuid of a client from GET /api/buyers/, or create one.",
	MessageAR: "العميل غير موجود.",
	FixAR:     "أرسل معرّف عميل من GET \u200e/api/buyers/\u200e أو أنشئ عميلًا.",
}

var missingBuyer = Refusal{
	Code:      fault.MissingBuyer,
	Path:      "buyer",
	Name:      "buyer of a standard invoice",
	Message:   "A standard invoice needs a buyer.",
	Cause:     "transaction_code begins with 01 and buyer was not sent.",
	Fix:       "Send the uuid of the buyer, or issue a simplified invoice (0200000) to a consumer.",
	MessageAR: "يجب تحديد المشتري في الفاتورة الضريبية (غير المبسطة).",
	FixAR:     "أرسل معرّف المشتري، أو أصدر فاتورة ضريبية مبسطة (0200000) للمستهلك.",
}

var buyerWithoutVAT = Refusal{
	Code:      fault.BuyerWithoutVAT,
	Path:      "buyer",
	Name:      "buyer's VAT number",
	Message:   "The buyer of a standard invoice must have a vat_registration_number.",
	Cause:     "The client has no VAT number.",
	Fix:       "Add the VAT number with PATCH /api/buyers/{buyer_id}/, issue a simplified invoice (0200000), or an export invoice (0100100) to a buyer outside Saudi Arabia.",
	MessageAR: "يجب أن يكون للمشتري في الفاتورة الضريبية (غير المبسطة) رقم ضريبي (vat_registration_number).",
	FixAR:     "أضف الرقم الضريبي إلى سجل العميل، أو أصدر فاتورة ضريبية مبسطة (0200000)، أو فاتورة تصدير (0100100) لمشترٍ خارج المملكة.",
}

var foreignBuyerWithoutID = Refusal{
	Code:      fault.ForeignBuyerWithoutID,
	Path:      "buyer",
	Name:      "identification of a foreign buyer",
	Message:   "A foreign buyer without a VAT number needs an additional_buyer_id.",
	Cause:     "An export invoice must identify its buyer by a number.",
	Fix:       "Add an identification to the client, such as OTH with its foreign tax number.",
	MessageAR: "إذا لم يكن للمشتري الأجنبي رقم ضريبي فيجب أن يكون له معرّف إضافي (additional_buyer_id).",
	FixAR:     "أضف معرّفًا إلى سجل العميل، مثل رقمه الضريبي في بلده من النوع OTH.",
}

var buyerIsSeller = Refusal{
	Code:      fault.BuyerIsSeller,
	Path:      "buyer",
	Name:      "buyer and seller",
	Message:   "Buyer and seller have the same VAT number.",
	Cause:     "The authority refuses a document whose buyer is also its seller.",
	Fix:       "Choose the right client, or correct its VAT number.",
	MessageAR: "الرقم الضريبي للمشتري مطابق للرقم الضريبي للبائع.",
	FixAR:     "اختر العميل الصحيح، أو صحّح رقمه الضريبي.",
}

var linesTwice = Refusal{
	Code:      fault.LinesTwice,
	Path:      "lines",
	Name:      "lines and form_lines",
	Message:   "Only one of lines and form_lines may have entries; the other must be [].",
	Cause:     "Both have entries.",
	Fix:       "Send items of the catalogue in lines, or complete lines in form_lines, not both.",
	MessageAR: "يجب أن ترد البنود في أحد الحقلين lines وform_lines فقط، وأن يكون الآخر [].",
	FixAR:     "استخدم lines للأصناف المسجّلة، أو form_lines للبنود الكاملة، ولا تستخدم الحقلين معًا.",
}

var noLines = Refusal{
	Code:      fault.NoLines,
	Path:      "form_lines",
	Name:      "no lines",
	Message:   "The invoice has no lines: one of lines and form_lines must have entries.",
	Cause:     "Both are empty.",
	Fix:       "Send at least one line.",
	MessageAR: "لا توجد بنود في الفاتورة؛ يجب إرسال البنود في lines أو form_lines.",
	FixAR:     "أرسل بندًا واحدًا على الأقل.",
}

var unknownItem = Refusal{
	Code:      fault.UnknownItem,
	Path:      "lines.%d.item_id",
	Name:      "item",
	Message:   "Item not found: lines.%d.item_id",
	Cause:     "item_id is not an item of your catalogue.",
	Fix:       "Send the uuid of an item from GET /api/items/.",
	MessageAR: "الصنف المحدد في lines.%d.item_id غير موجود.",
	FixAR:     "أرسل معرّف صنف من GET \u200e/api/items/\u200e.",
}

var inactiveItem = Refusal{
	Code:      fault.InactiveItem,
	Name:      "inactive item",
	Message:   "The item %s is not active.",
	Cause:     "An inactive item cannot be used in invoices.",
	Fix:       "Activate the item with PATCH /api/items/{item_id}/, or choose another.",
	MessageAR: "الصنف %s غير نشط.",
	FixAR:     "فعّل الصنف، أو اختر صنفًا آخر.",
}

var shortStock = Refusal{
	Code:      fault.ShortStock,
	Name:      "stock",
	Message:   "The stock of %s is %s, less than the requested quantity of %s.",
	Cause:     "The item has limited stock, and the lines of the invoice need more than is left.",
	Fix:       "Lower the quantity, or raise the item's stock.",
	MessageAR: "الكمية المتوفرة من %s هي %s، وهي أقل من المطلوب %s.",
	FixAR:     "خفّض الكمية، أو زد مخزون الصنف.",
}

var twoPrices = Refusal{
	Code:      fault.TwoPrices,
	Name:      "two prices on a line",
	Message:   "must not be sent together with item_net_price",
	Cause:     "A line has one price: before VAT or including VAT.",
	Fix:       "Send item_gross_price if the price includes VAT, otherwise item_net_price.",
	MessageAR: "لا يجوز إرسال هذا الحقل مع item_net_price في بند واحد.",
	FixAR:     "أرسل item_gross_price إذا كان السعر شاملًا ضريبة القيمة المضافة، وإلا فأرسل item_net_price.",
}

var fineQuantity = Refusal{
	Code:      fault.QuantityDecimals,
	Name:      "decimals of a quantity",
	Message:   "must have at most six decimals: rounding it to six would change an amount of the invoice",
	Cause:     "A quantity on a document has at most six decimals. A longer one is rounded only if every amount stays the same.",
	Fix:       "Round the quantity to six decimals, and calculate your amounts from the rounded quantity.",
	MessageAR: "يجب ألا تزيد الكمية على ست منازل عشرية، وتقريبها إلى ست منازل يغيّر أحد مبالغ الفاتورة.",
	FixAR:     "قرّب الكمية إلى ست منازل عشرية، ثم احسب المبالغ بالكمية المقرّبة.",
}

var exportLines = Refusal{
	Code:      fault.ExportLines,
	Name:      "lines of an export",
	Message:   "Every line of an export invoice must be category Z with reason VATEX-SA-32 or VATEX-SA-33.",
	Cause:     "transaction_code is 0100100 and a line has another category or reason.",
	Fix:       "Send Z with VATEX-SA-32 (goods) or VATEX-SA-33 (services), or another transaction_code.",
	MessageAR: "يجب أن تكون جميع بنود فاتورة التصدير من الفئة Z، وأن يكون السبب VATEX-SA-32 أو VATEX-SA-33.",
	FixAR:     "أرسل الفئة Z مع VATEX-SA-32 (سلع) أو VATEX-SA-33 (خدمات)، أو غيّر رمز المعاملة إن لم تكن الفاتورة للتصدير.",
}

var missingTerms = Refusal{
	Code:      fault.MissingTerms,
	Path:      "reason_id",
	Name:      "payment terms",
	Message:   "Payment terms are required for credit payment.",
	Cause:     "payment_means_type_code is 30 and there is no reason_id.",
	Fix:       "Send the uuid of a reason whose description is the payment terms; reasons lists the active ones.",
	MessageAR: "يجب تحديد شروط الدفع عند الدفع الآجل.",
	FixAR:     "أرسل في reason_id معرّف سبب نشط يتضمن وصفه شروط الدفع؛ والأسباب النشطة مذكورة في reasons.",
}

var unknownReason = Refusal{
	Code:      fault.UnknownReason,
	Path:      "reason_id",
	Name:      "reason",
	Message:   "The reason is not an active reason of your organisation.",
	Cause:     "reason_id is unknown, inactive, or belongs to another organisation.",
	Fix:       "Send the uuid of one of the reasons in the list reasons, or create or activate the reason in the app.",
	MessageAR: "السبب ليس من الأسباب النشطة في منشأتك.",
	FixAR:     "أرسل معرّف أحد الأسباب المذكورة في reasons، أو أنشئ السبب أو فعّله في التطبيق.",
}
