package rules

import (
	"math"
	"strconv"

	"khatm/ubl"
)

// length is the number of characters that a text may have. Letters, digits,
// blanks and signs count as one each in every script. The rules of the family
// BR-KSA-F-06 differ only in the text and its length.
type length struct {
	least, most int
}

// upTo returns a length with an upper limit only, and between a length with
// both limits. The upper limit may be unlimited.
func upTo(most int) length           { return length{0, most} }
func between(least, most int) length { return length{least, most} }

const unlimited = math.MaxInt

// texts calls show for each text that a rule limits, with the path of the part
// that contains it and its own path within that part.
type texts func(d *document, show func(within, name, text string))

// lengthRule returns a rule of the family. field is the field of the facts, or
// ""; name is used in the middle of a sentence.
func lengthRule(id string, flag Flag, applies Words, field string, name Words, limits length, where texts) Rule {
	say := Words{
		"The " + name.EN + " must have " + limits.en() + ".",
		"يجب أن يكون طول حقل «" + name.AR + "» " + limits.ar() + ".",
	}
	fix := Words{
		"Write the " + name.EN + " with " + limits.en(),
		"اكتب في حقل «" + name.AR + "» نصًّا طوله " + limits.ar(),
	}
	if limits.least == 0 {
		say.AR = "يجب ألا يزيد طول حقل «" + name.AR + "» على " + charactersAR(limits.most) + "."
		fix = Words{
			"Shorten the " + name.EN + " to " + limits.en(),
			"اختصر حقل «" + name.AR + "» إلى " + charactersAR(limits.most) + " على الأكثر",
		}
	}
	if field != "" {
		fix.EN += " (`" + field + "`)"
		fix.AR += " (`" + field + "`)"
	}
	fix.EN += "."
	fix.AR += "."
	return Rule{ID: id, Flag: flag, Applies: applies, Says: say, Fix: fix, check: wrongLength(limits, where)}
}

// counting returns the rule with another way to count its failures: together or
// atStandardRates.
func counting(way func(func(*document, *trial)) func(*document, *trial), r Rule) Rule {
	r.check = way(r.check)
	return r
}

// wrongLength returns the check of a rule of the family.
func wrongLength(limits length, where texts) func(*document, *trial) {
	return func(d *document, t *trial) {
		where(d, func(within, name, text string) {
			t.seen()
			if n := stringLength(text); n < limits.least || n > limits.most {
				t.fail(within+name, shortened(text), limits.en())
			}
		})
	}
}

func (l length) en() string {
	switch {
	case l.least == 0:
		return "at most " + strconv.Itoa(l.most) + " characters"
	case l.most == unlimited:
		return "at least " + strconv.Itoa(l.least) + " character"
	}
	return strconv.Itoa(l.least) + " to " + strconv.Itoa(l.most) + " characters"
}

func (l length) ar() string {
	return "من " + strconv.Itoa(l.least) + " إلى " + charactersAR(l.most)
}

// charactersAR counts characters as Arabic does: 6 أحرف, 127 حرفًا, 1000 حرف.
func charactersAR(n int) string {
	switch last := n % 100; {
	case last >= 3 && last <= 10:
		return strconv.Itoa(n) + " أحرف"
	case last >= 11:
		return strconv.Itoa(n) + " حرفًا"
	}
	return strconv.Itoa(n) + " حرف"
}

// single returns the text of an element that occurs at most once.
func single(path string, of func(*document) *ubl.Text) texts {
	return func(d *document, show func(within, name, text string)) {
		if t := of(d); t != nil {
			show(path, "", t.Value)
		}
	}
}

// demanded returns the text of a required element. A missing element has no
// characters.
func demanded(path string, of func(*document) *ubl.Text) texts {
	return func(d *document, show func(within, name, text string)) {
		show(path, "", of(d).String())
	}
}

// onLines returns one text of every line.
func onLines(name string, of func(*line) *ubl.Text) texts {
	return func(d *document, show func(within, name, text string)) {
		for _, l := range d.lines {
			if t := of(l); t != nil {
				show(l.path, name, t.Value)
			}
		}
	}
}

// when returns the texts only for documents that meet a condition.
func when(holds func(*document) bool, where texts) texts {
	return func(d *document, show func(within, name, text string)) {
		if holds(d) {
			where(d, show)
		}
	}
}

// reasonsOf shows the reasons of the wanted discounts or charges.
func reasonsOf(show func(within, name, text string), list []adjustment, wanted func(adjustment) bool) {
	for _, a := range list {
		if !wanted(a) {
			continue
		}
		for _, reason := range a.Reasons {
			show(a.path, "/cbc:AllowanceChargeReason", reason.Value)
		}
	}
}
