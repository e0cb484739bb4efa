package codec

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"khatm/jsontree"
	"khatm/money"
	"khatm/service/internal/fault"
)

// setNode decodes a JSON scalar into v and returns the problem, or nil.
func (s *Shape) setNode(v reflect.Value, n *jsontree.Node) *fault.Problem {
	switch s.Kind {
	case KindBool:
		if n.Kind != jsontree.True && n.Kind != jsontree.False {
			return wrongType(wantBool)
		}
		v.SetBool(n.Kind == jsontree.True)
		return nil
	case KindInteger:
		if n.Kind != jsontree.Number {
			return wrongType(wantInteger)
		}
	case KindDecimal:
		if n.Kind == jsontree.Number {
			return s.setDecimal(v, n.Text, money.ParseNumber)
		}
		if n.Kind != jsontree.String {
			return wrongType(wantDecimal)
		}
	default:
		if n.Kind != jsontree.String {
			return wrongType(s.wanted())
		}
	}
	return s.setText(v, n.Text)
}

// wanted returns the message for a value that must be a string of this kind.
func (s *Shape) wanted() want {
	switch s.Kind {
	case KindUUID:
		return wantUUID
	case KindDate:
		return wantDate
	case KindTime:
		return wantTime
	}
	return wantText
}

// setText decodes a parameter, a default or a JSON string into v and returns the
// problem, or nil.
func (s *Shape) setText(v reflect.Value, text string) *fault.Problem {
	switch s.Kind {
	case KindText:
		return s.setString(v, text)
	case KindBool:
		if text != "true" && text != "false" {
			return wrongType(wantBool)
		}
		v.SetBool(text == "true")
	case KindInteger:
		return s.setInteger(v, text)
	case KindDecimal:
		return s.setDecimal(v, text, money.Parse)
	case KindUUID:
		id, err := uuid.Parse(text)
		if err != nil || len(text) != 36 {
			return wrongForm(wantUUID)
		}
		return put(v, id)
	case KindDate:
		date, err := ParseDate(text)
		if err != nil {
			return wrongForm(wantDate)
		}
		return put(v, date)
	case KindTime:
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return wrongForm(wantTime)
		}
		return put(v, t)
	case KindNumber:
		if _, err := money.ParseNumber(text); err != nil {
			return wrongType(wantDecimal)
		}
		v.SetString(text)
	default:
		return wrongType(noText)
	}
	return nil
}

// put stores a value without allocating an interface for it, and returns nil.
func put[T any](v reflect.Value, value T) *fault.Problem {
	if to, ok := v.Addr().Interface().(*T); ok {
		*to = value
	}
	return nil
}

func (s *Shape) setString(v reflect.Value, text string) *fault.Problem {
	characters, plain := isPlain(text)
	if !plain {
		if problem := Forbidden(text); problem != "" {
			return &fault.Problem{Message: problem, Code: fault.InvalidCharacters}
		}
		// NFC composes at most four characters into one. A text that is too long
		// even then is not normalized, because megabytes of marks take too long.
		if characters = utf8.RuneCountInString(text); s.rule.maxLength < 0 || characters <= 4*s.rule.maxLength {
			text = norm.NFC.String(text)
			characters = utf8.RuneCountInString(text)
		}
	}
	v.SetString(text)
	return s.rule.text(text, characters)
}

// isPlain reports whether text consists of ASCII characters allowed in XML and of
// Arabic letters without marks, and counts them. Nearly all texts do, and they
// are already in normal form C.
func isPlain(text string) (characters int, ok bool) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= ' ' && c < utf8.RuneSelf, c == '\t', c == '\n', c == '\r':
		case i+1 < len(text) && isArabicLetter(c, text[i+1]):
			i++
		default:
			return 0, false
		}
		characters++
	}
	return characters, true
}

// isArabicLetter reports whether two bytes encode a letter of U+0621 to U+064A.
func isArabicLetter(first, second byte) bool {
	return first == 0xD8 && second >= 0xA1 && second <= 0xBF || first == 0xD9 && second >= 0x80 && second <= 0x8A
}

// Forbidden returns a problem that names the first character of text that XML 1.0
// does not allow, or "".
func Forbidden(text string) string {
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd"):
			if i+2 < len(text) && text[i] == 0xED {
				// Half of a surrogate pair, which the parser preserves.
				r = 0xD000 | rune(text[i+1]&0x3F)<<6 | rune(text[i+2]&0x3F)
				return fmt.Sprintf("must not contain the character U+%04X", r)
			}
			return "must be valid UTF-8"
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == 0xFFFE, r == 0xFFFF:
			return fmt.Sprintf("must not contain the character U+%04X", r)
		}
	}
	return ""
}

func (s *Shape) setInteger(v reflect.Value, literal string) *fault.Problem {
	n, err := strconv.ParseInt(literal, 10, 64)
	if err != nil || !isInteger(literal) {
		return wrongType(wantInteger)
	}
	v.SetInt(n)
	if s.rule.enum != nil && !slices.Contains(s.rule.enum, literal) {
		return s.rule.notOneOf("")
	}
	if !s.rule.bounded() {
		return nil
	}
	return s.rule.number(money.FromInt(n))
}

// isInteger reports whether a literal has the form of a JSON integer; ParseInt
// accepts more forms.
func isInteger(literal string) bool {
	digits := strings.TrimPrefix(literal, "-")
	return digits == "0" || digits != "" && digits[0] >= '1' && digits[0] <= '9'
}

func (s *Shape) setDecimal(v reflect.Value, literal string, parse func(string) (money.Decimal, error)) *fault.Problem {
	d, err := parse(literal)
	switch {
	case errors.Is(err, money.ErrTooLong):
		return &fault.Problem{
			Message:   fmt.Sprintf("must have at most %d digits before and %d after the decimal point", money.MaxWhole, money.MaxPlaces),
			MessageAR: fmt.Sprintf("يجب ألا يزيد عدد الأرقام على %d قبل الفاصلة العشرية و%d بعدها.", money.MaxWhole, money.MaxPlaces),
			Code:      fault.OutOfRange,
		}
	case err != nil:
		return wrongType(wantDecimal)
	}
	put(v, d)
	return s.rule.number(d)
}
