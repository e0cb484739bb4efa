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
			Subject: "طلب اعتماد مسودة فاتورة من %s",
			Body: `%s

وصلتكم مسودة فاتورة من %s، والمبلغ المستحق فيها %s.

يمكنكم الاطلاع عليها، واعتمادها إن كانت صحيحة، عبر الرابط الآتي:
%s

الرابط صالح حتى %s (بتوقيت الرياض). كل من لديه الرابط يستطيع الاطلاع على المسودة، فنرجو عدم مشاركته.

إذا لم تكونوا تتوقعون هذه الرسالة فلا يلزمكم أي إجراء: لن يُتخذ أي إجراء دون اعتمادكم.
`,
		},
		code: mail.Text{
			Subject: "رمز اعتماد مسودة الفاتورة من %s",
			Body: `%s

لاعتماد مسودة الفاتورة المرسلة من %s، والمبلغ المستحق فيها %s، استخدموا الرمز الآتي:

%s

الرمز صالح لمدة %d دقائق. أدخلوه في صفحة المسودة، ولا تُطلعوا عليه أحدًا:
%s

إذا لم تطلبوا هذا الرمز فلا يلزمكم أي إجراء: لا تُعتمد المسودة دون الرمز.
`,
		},
	}
)
