package intake

import (
	"fmt"
	"regexp"
	"strings"

	"khatm/codes"
	"khatm/money"
	"khatm/service/internal/fault"
	"khatm/service/internal/trade"
)

// grouped matches a number whose thousands are separated.
var grouped = regexp.MustCompile(`^-?\d{1,3}(,\d{3})+(\.\d+)?$`)

// separators replaces the Arabic decimal point and separator of thousands.
var separators = strings.NewReplacer("٫", ".", "٬", ",")

// decimal reads a number as people write it: with Arabic or Latin digits, with or
// without separated thousands.
func decimal(text string) (money.Decimal, error) {
	text = separators.Replace(trade.Number(text))
	if grouped.MatchString(text) {
		text = strings.ReplaceAll(text, ",", "")
	}
	return money.Parse(text)
}

// values reads the values of a row and collects problems.
type values struct {
	of       map[string]string
	problems []fault.Problem
}

// text sets a field if the row has a value for it.
func (v *values) text(name string, into *string) {
	if text, given := v.of[name]; given {
		*into = text
	}
}

// number sets a field if the row has a value for it, and reports whether it does.
func (v *values) number(name string, into *money.Decimal) bool {
	text, given := v.of[name]
	if !given {
		return false
	}
	if name == "vat_rate" {
		text = strings.TrimRight(strings.TrimSpace(text), "%٪ ")
	}
	n, err := decimal(text)
	if err != nil {
		v.problems = append(v.problems, fault.Problem{
			Path: name, Code: fault.InvalidValue, Message: err.Error(), MessageAR: "يجب أن يكون رقمًا عشريًا مثل 12.50.",
		})
		return false
	}
	*into = n
	return true
}

var truths = map[string]bool{
	"true": true, "yes": true, "1": true, "y": true, "active": true, "نعم": true, "نشط": true, "صحيح": true,
	"false": false, "no": false, "0": false, "n": false, "inactive": false, "لا": false, "غير نشط": false, "خطا": false,
}

// truth sets a field if the row has a value for it.
func (v *values) truth(name string, into *bool) {
	text, given := v.of[name]
	if !given {
		return
	}
	value, known := truths[trade.Fold(text)]
	if !known {
		v.problems = append(v.problems, fault.Problem{
			Path: name, Code: fault.InvalidValue, Message: "must be yes or no", MessageAR: "يجب أن تكون القيمة نعم أو لا.",
		})
		return
	}
	*into = value
}

// classification sets a field to the uuid of an entry, given as its uuid, key, code
// or name in either language.
func (v *values) classification(name string, among []codes.Classification, into *string) {
	text, given := v.of[name]
	if !given {
		return
	}
	wanted := folded(text)
	var names, namesAR []string
	for _, one := range among {
		for _, other := range []string{one.UUID, one.Key, one.Code, one.EN, one.AR} {
			if other != "" && folded(other) == wanted {
				*into = one.UUID
				return
			}
		}
		names, namesAR = append(names, one.Key), append(namesAR, one.AR)
	}
	v.problems = append(v.problems, fault.Problem{
		Path: name, Code: fault.InvalidValue, Message: "must be one of " + strings.Join(names, ", "), MessageAR: fmt.Sprintf("يجب أن تكون القيمة إحدى القيم: %s.", strings.Join(namesAR, "، ")),
	})
}
