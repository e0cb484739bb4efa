package share

import (
	"fmt"
	"strings"
	"time"

	"khatm/codes"
	"khatm/service/internal/mail"
	"khatm/service/internal/org"
)

// declineLife is how long the e-mail about a declined draft is tried.
const declineLife = 3 * 24 * time.Hour

// declined holds the texts of the e-mail about a declined draft. Their values are
// the recipient's name, the kind of document and its total, and the comment.
var declined = map[string]struct{ subject, body, comment, close string }{
	"ar": {
		subject: "رفض %[1]s المسودة",
		body:    "السلام عليكم ورحمة الله وبركاته،\n\nرفض %[1]s مسودة %[2]s أرسلتموها إليه، وقيمتها %[3]s.\n",
		comment: "\nالتعليق:\n%[1]s\n",
		close:   "\nيمكنكم تعديل المسودة ومشاركتها من جديد.\n",
	},
	"en": {
		subject: "%[1]s declined the draft",
		body:    "Hello,\n\n%[1]s declined the draft of a %[2]s that you shared. Its total is %[3]s.\n",
		comment: "\nComment:\n%[1]s\n",
		close:   "\nYou can change the draft and share it again.\n",
	},
}

// declineLetter returns the e-mail to the person who created a draft that was
// declined. It is in both languages, because theirs is not known.
func (s *Sharer) declineLetter(of org.Tenant, d Draft) (mail.Letter, error) {
	name := mail.Unlinked(d.Decline.Name)
	var subjects, bodies []string
	for _, language := range []string{"ar", "en"} {
		d.Recipient.Language = language
		w := declined[language]
		title, _ := codes.Title(int(d.Shown.Invoice.Kind), d.Shown.Invoice.Transaction.Simplified)
		kind := title.AR
		if language == "en" {
			kind = strings.ToLower(title.EN)
		}
		body := fmt.Sprintf(w.body, name, kind, totalOf(d))
		if d.Decline.Comment != "" {
			body += fmt.Sprintf(w.comment, quoted(d.Decline.Comment))
		}
		subjects, bodies = append(subjects, fmt.Sprintf(w.subject, name)), append(bodies, body+w.close)
	}
	to := Recipient{Email: d.CreatedBy, Language: "ar"}
	return s.letter(of, to, AboutDecline, s.now().Add(declineLife), mail.Text{
		Subject: strings.Join(subjects, " – "), Body: strings.Join(bodies, "\n\n"),
	})
}

// quoted returns a comment as e-mails write it: each line is unlinked and
// prefixed, so that it cannot be taken for the text of the e-mail.
func quoted(comment string) string {
	lines := strings.Split(comment, "\n")
	for n, line := range lines {
		lines[n] = strings.TrimSpace("> " + mail.Unlinked(line))
	}
	return strings.Join(lines, "\n")
}
