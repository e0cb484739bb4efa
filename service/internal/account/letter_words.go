package account

import "khatm/service/internal/mail"

// words holds the texts of e-mails in one language.
type words struct {
	password   mail.Text // body: link
	invitation mail.Text // subject: organisation; body: organisation, role, link
	signUp     mail.Text // body: link
	known      mail.Text // sign-up with the address of an account; body: URL
}

func wordsIn(language string) words {
	if language == "en" {
		return english
	}
	return arabic
}

var (
	english = words{
		password: mail.Text{
			Subject: "Set a new password",
			Body: `Hello,

A new password was requested for your account. Choose one here:
%[1]s

The link works once, for one hour. Anyone who has the link can set your password, so please do not forward it. A new password signs you out on all devices.

If you did not request this, you can ignore this e-mail; your password stays the same.
`,
		},
		invitation: mail.Text{
			Subject: "Invitation to the account of %[1]s",
			Body: `Hello,

You are invited to the account of %[1]s. Your role will be: %[2]s.

Accept the invitation here:
%[3]s

The link works once, for 7 days. It is for you only, so please do not forward it.

If you did not expect this e-mail, you can ignore it.
`,
		},
		signUp: mail.Text{
			Subject: "Create your account",
			Body: `Hello,

Create your account and your organisation here:
%[1]s

The link works once, for 24 hours. It is for you only, so please do not forward it.

If you did not request this, you can ignore this e-mail; no account is created.
`,
		},
		known: mail.Text{
			Subject: "You already have an account",
			Body: `Hello,

A new account was requested with this e-mail address, but you already have one. Sign in here:
%[1]s

If you have forgotten your password, you can request a new one there.

If you did not request this, you can ignore this e-mail; nothing has changed.
`,
		},
	}
	arabic = words{
		password: mail.Text{
			Subject: "تعيين كلمة مرور جديدة",
			Body: `السلام عليكم ورحمة الله وبركاته،

وصلنا طلب تعيين كلمة مرور جديدة لحسابكم. اختاروها عبر الرابط الآتي:
%[1]s

الرابط صالح لمرة واحدة ولمدة ساعة. يستطيع كل من لديه الرابط تغيير كلمة مروركم، فلا تشاركوه مع أحد. بعد تعيين كلمة مرور جديدة يُسجَّل خروجكم من جميع الأجهزة.

إذا لم تطلبوا ذلك فتجاهلوا هذه الرسالة؛ لن تتغير كلمة مروركم.
`,
		},
		invitation: mail.Text{
			Subject: "دعوة إلى حساب %[1]s",
			Body: `السلام عليكم ورحمة الله وبركاته،

ندعوكم للانضمام إلى حساب %[1]s. دوركم في الحساب: %[2]s.

اقبلوا الدعوة عبر الرابط الآتي:
%[3]s

الرابط صالح لمرة واحدة ولمدة 7 أيام، وهو مخصص لكم، فلا تشاركوه مع أحد.

إذا لم تكونوا تتوقعون هذه الدعوة فتجاهلوا هذه الرسالة.
`,
		},
		signUp: mail.Text{
			Subject: "إنشاء حسابكم",
			Body: `السلام عليكم ورحمة الله وبركاته،

أنشئوا حسابكم وأضيفوا منشأتكم عبر الرابط الآتي:
%[1]s

الرابط صالح لمرة واحدة ولمدة 24 ساعة، وهو مخصص لكم، فلا تشاركوه مع أحد.

إذا لم تطلبوا ذلك فتجاهلوا هذه الرسالة؛ لن يُنشأ أي حساب.
`,
		},
		known: mail.Text{
			Subject: "لديكم حساب بالفعل",
			Body: `السلام عليكم ورحمة الله وبركاته،

وصلنا طلب إنشاء حساب بهذا البريد الإلكتروني، ولديكم حساب به. سجّلوا الدخول عبر الرابط الآتي:
%[1]s

إذا نسيتم كلمة مروركم فاطلبوا تعيين كلمة جديدة من صفحة الدخول.

إذا لم تطلبوا ذلك فتجاهلوا هذه الرسالة؛ لم يتغير شيء.
`,
		},
	}
)
