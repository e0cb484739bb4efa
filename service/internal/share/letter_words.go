package share

import "khatm/service/internal/mail"

// Texts of the e-mails. The code has its own line, so that it can be copied. It
// is not in the subject, which is shown on locked screens.
var (
	english = words{
		greeting: func(name string) string {
			if name == "" {
				return "Hello,"
			}
			return "Hello " + name + ","
		},
		credit: "credit note",
		debit:  "debit note",
		invoice: texts{
			invitation: mail.Text{
				Subject: "%[1]s asks you to approve an invoice draft",
				Body: `%[1]s

%[2]s has prepared an invoice draft for you. Its total is %[3]s.

View it here, and approve or decline it:
%[4]s

The link works until %[5]s (Riyadh time). Anyone who has the link can see the draft, so please do not forward it.

If you did not expect this e-mail, you can ignore it; no invoice is issued without your approval.
`,
			},
			code: mail.Text{
				Subject: "Your approval code for the invoice draft of %[1]s",
				Body: `%[1]s

Use this code to approve or decline the invoice draft of %[2]s. Its total is %[3]s.

Your code is:

%[4]s

It is valid for %[5]d minutes. Enter it on the page of the draft, and do not share it with anyone:
%[6]s

If you did not request a code, you can ignore this e-mail; nothing is approved or declined without the code.
`,
			},
		},
		note: texts{
			invitation: mail.Text{
				Subject: "%[1]s asks you to approve a %[2]s draft",
				Body: `%[1]s

%[2]s has prepared a %[6]s draft for you. Its total is %[3]s.

View it here, and approve or decline it:
%[4]s

The link works until %[5]s (Riyadh time). Anyone who has the link can see the draft, so please do not forward it.

If you did not expect this e-mail, you can ignore it; no %[6]s is issued without your approval.
`,
			},
			code: mail.Text{
				Subject: "Your approval code for the %[2]s draft of %[1]s",
				Body: `%[1]s

Use this code to approve or decline the %[7]s draft of %[2]s. Its total is %[3]s.

Your code is:

%[4]s

It is valid for %[5]d minutes. Enter it on the page of the draft, and do not share it with anyone:
%[6]s

If you did not request a code, you can ignore this e-mail; nothing is approved or declined without the code.
`,
			},
		},
	}
	arabic = words{
		greeting: func(name string) string {
			if name == "" {
				return "السلام عليكم ورحمة الله وبركاته،"
			}
			return "السيد/السيدة " + name + "،\nالسلام عليكم ورحمة الله وبركاته،"
		},
		credit: "دائن",
		debit:  "مدين",
		invoice: texts{
			invitation: mail.Text{
				Subject: "طلب الموافقة على مسودة فاتورة من %[1]s",
				Body: `%[1]s

وصلتكم مسودة فاتورة من %[2]s، والمبلغ المستحق فيها %[3]s.

اطلعوا عليها عبر الرابط الآتي، ثم وافقوا عليها أو ارفضوها:
%[4]s

الرابط صالح حتى %[5]s (بتوقيت الرياض). يستطيع كل من لديه الرابط الاطلاع على المسودة، فلا تشاركوه مع أحد.

إذا لم تكونوا تتوقعون مسودة فاتورة فتجاهلوا هذه الرسالة؛ لن تصدر الفاتورة دون موافقتكم.
`,
			},
			code: mail.Text{
				Subject: "رمز الموافقة على مسودة الفاتورة من %[1]s",
				Body: `%[1]s

للموافقة على مسودة الفاتورة المرسلة من %[2]s أو رفضها، والمبلغ المستحق فيها %[3]s، استخدموا الرمز الآتي:

%[4]s

الرمز صالح لمدة %[5]d دقائق. لا تُطلعوا عليه أحدًا، وأدخلوه في صفحة المسودة:
%[6]s

إذا لم تطلبوا هذا الرمز فتجاهلوا هذه الرسالة؛ لن يُسجَّل أي رد دون الرمز.
`,
			},
		},
		note: texts{
			invitation: mail.Text{
				Subject: "طلب الموافقة على مسودة إشعار %[2]s من %[1]s",
				Body: `%[1]s

وصلتكم مسودة إشعار %[6]s من %[2]s، وإجمالي الإشعار %[3]s.

اطلعوا عليها عبر الرابط الآتي، ثم وافقوا عليها أو ارفضوها:
%[4]s

الرابط صالح حتى %[5]s (بتوقيت الرياض). يستطيع كل من لديه الرابط الاطلاع على المسودة، فلا تشاركوه مع أحد.

إذا لم تكونوا تتوقعون مسودة إشعار فتجاهلوا هذه الرسالة؛ لن يصدر الإشعار دون موافقتكم.
`,
			},
			code: mail.Text{
				Subject: "رمز الموافقة على مسودة إشعار %[2]s من %[1]s",
				Body: `%[1]s

للموافقة على مسودة إشعار %[7]s من %[2]s أو رفضها، وإجمالي الإشعار %[3]s، استخدموا الرمز الآتي:

%[4]s

الرمز صالح لمدة %[5]d دقائق. لا تُطلعوا عليه أحدًا، وأدخلوه في صفحة المسودة:
%[6]s

إذا لم تطلبوا هذا الرمز فتجاهلوا هذه الرسالة؛ لن يُسجَّل أي رد دون الرمز.
`,
			},
		},
	}
)
