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
		invitation: mail.Text{
			Subject: "%s asks you to approve an invoice draft",
			Body: `%s

%s has prepared an invoice draft for you. Its total is %s.

View it here, and approve it if it is correct:
%s

The link works until %s (Riyadh time). Anyone who has the link can see the draft, so please do not forward it.

If you did not expect this e-mail, you can ignore it; no invoice is issued without your approval.
`,
		},
		code: mail.Text{
			Subject: "Your approval code for the invoice draft of %s",
			Body: `%s

You are about to approve the invoice draft of %s. Its total is %s.

Your code is:

%s

It is valid for %d minutes. Enter it on the page of the draft, and do not share it with anyone:
%s

If you did not request a code, you can ignore this e-mail; nothing is approved without the code.
`,
		},
	}
	arabic = words{
		greeting: func(name string) string {
			if name == "" {
				return "السلام عليكم ورحمة الله وبركاته،"
			}
			return "السيد/السيدة " + name + "،\nالسلام عليكم ورحمة الله وبركاته،"
		},
		invitation: mail.Text{
			Subject: "طلب الموافقة على مسودة فاتورة من %s",
			Body: `%s

وصلتكم مسودة فاتورة من %s، والمبلغ المستحق فيها %s.

اطلعوا عليها عبر الرابط الآتي، ووافقوا عليها إن كانت صحيحة:
%s

الرابط صالح حتى %s (بتوقيت الرياض). يستطيع كل من لديه الرابط الاطلاع على المسودة، فلا تشاركوه مع أحد.

إذا لم تكونوا تتوقعون مسودة فاتورة فتجاهلوا هذه الرسالة؛ لن تصدر الفاتورة دون موافقتكم.
`,
		},
		code: mail.Text{
			Subject: "رمز الموافقة على مسودة الفاتورة من %s",
			Body: `%s

للموافقة على مسودة الفاتورة المرسلة من %s، والمبلغ المستحق فيها %s، استخدموا الرمز الآتي:

%s

الرمز صالح لمدة %d دقائق. لا تُطلعوا عليه أحدًا، وأدخلوه في صفحة المسودة:
%s

إذا لم تطلبوا هذا الرمز فتجاهلوا هذه الرسالة؛ لن تُسجَّل أي موافقة دون الرمز.
`,
		},
	}
)
