package account

import "khatm/service/internal/mail"

// words holds the texts of e-mails in one language.
type words struct {
	password mail.Text // body: link
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
	}
)
