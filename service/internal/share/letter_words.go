package share

import "khatm/service/internal/mail"

// The texts of letters. A code stands on a line of its own, so that it can be
// copied; it is not in the subject, which shows on locked screens.
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

Look at it here, and approve it if it is right:
%s

The link works until %s (Riyadh time). Whoever has it can see the draft, so please do not pass it on.

If you did not expect this e-mail, you need not do anything: without your approval nothing happens.
`,
		},
		code: mail.Text{
			Subject: "Your approval code for the invoice draft of %s",
			Body: `%s

You are about to approve the invoice draft of %s. Its total is %s.

Your code is:

%s

It is valid for %d minutes. Enter it on the page of the draft, and give it to nobody:
%s

If you did not ask for a code, you need not do anything: without the code nothing is approved.
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
