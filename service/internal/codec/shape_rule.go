package codec

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"khatm/money"
	"khatm/service/internal/fault"
)

// rule holds the constraints on one value. Constraints that are not set are -1,
// nil or empty.
type rule struct {
	minLength, maxLength int // characters
	minItems, maxItems   int
	places               int // decimal places
	pattern              *regexp.Regexp
	enum                 []string
	values               []string // published as enum, not checked: the handler refuses others in its own words
	format               string   // published in the document, not checked
	minimum, maximum     *money.Decimal
	above, below         *money.Decimal // exclusive bounds
	cents                bool           // responses show at least two decimal places
	member               string         // in a request: an object with this member is accepted too
	lax                  bool           // in a request: any value is accepted; one that is not a valid string becomes Invalid
}

// applies lists the kinds that each tag can constrain; any other use is an error.
var applies = map[string][]Kind{
	"minLength":        {KindText},
	"maxLength":        {KindText},
	"pattern":          {KindText},
	"format":           {KindText},
	"enum":             {KindText, KindInteger},
	"values":           {KindText},
	"minimum":          {KindInteger, KindDecimal},
	"maximum":          {KindInteger, KindDecimal},
	"exclusiveMinimum": {KindInteger, KindDecimal},
	"exclusiveMaximum": {KindInteger, KindDecimal},
	"places":           {KindDecimal},
	"cents":            {KindDecimal},
	"member":           {KindUUID},
	"lax":              {KindText},
	"minItems":         {KindList},
	"maxItems":         {KindList},
}

// ruleOf reads the constraints of a value from its tags.
func ruleOf(k Kind, tag reflect.StructTag) (rule, error) {
	r := rule{minLength: -1, maxLength: -1, minItems: -1, maxItems: -1, places: -1}
	for name, kinds := range applies {
		text, ok := tag.Lookup(name)
		if !ok || (k == KindList || k == KindTable) && !slices.Contains(kinds, KindList) {
			continue // the tag applies to the values of the list
		}
		if !slices.Contains(kinds, k) {
			return r, fmt.Errorf("tag %s cannot be used with this type", name)
		}
		if err := r.read(name, text); err != nil {
			return r, fmt.Errorf("tag %s: %w", name, err)
		}
	}
	return r, nil
}

func (r *rule) read(name, text string) (err error) {
	switch name {
	case "minLength":
		r.minLength, err = strconv.Atoi(text)
	case "maxLength":
		r.maxLength, err = strconv.Atoi(text)
	case "minItems":
		r.minItems, err = strconv.Atoi(text)
	case "maxItems":
		r.maxItems, err = strconv.Atoi(text)
	case "places":
		r.places, err = strconv.Atoi(text)
	case "pattern":
		r.pattern, err = regexp.Compile(text)
	case "format":
		r.format = text
	case "enum":
		r.enum = strings.Split(text, ",")
	case "values":
		r.values = strings.Split(text, ",")
	case "member":
		r.member = text
	case "lax":
		r.lax, err = strconv.ParseBool(text)
	case "cents":
		r.cents, err = strconv.ParseBool(text)
	default:
		bound, parseErr := money.Parse(text)
		*r.bound(name), err = &bound, parseErr
	}
	return err
}

func (r *rule) bound(name string) **money.Decimal {
	switch name {
	case "minimum":
		return &r.minimum
	case "maximum":
		return &r.maximum
	case "exclusiveMinimum":
		return &r.above
	}
	return &r.below
}

// withoutCounts removes the tags that limit the length of a list; the others
// apply to each of its values.
func withoutCounts(tag reflect.StructTag) reflect.StructTag {
	var kept []string
	for name := range applies {
		if text, ok := tag.Lookup(name); ok && name != "minItems" && name != "maxItems" {
			kept = append(kept, name+":"+strconv.Quote(text))
		}
	}
	return reflect.StructTag(strings.Join(kept, " "))
}

// text returns the problem of a string that breaks a constraint, or nil.
func (r *rule) text(text string, characters int) *fault.Problem {
	switch {
	case characters < r.minLength:
		return &fault.Problem{Message: "must have at least " + count(r.minLength, "character"), Code: fault.TooShort, MessageAR: fmt.Sprintf(fault.MinCharactersAR, r.minLength)}
	case r.maxLength >= 0 && characters > r.maxLength:
		return &fault.Problem{Message: "must have at most " + count(r.maxLength, "character"), Code: fault.TooLong, MessageAR: fmt.Sprintf(fault.MaxCharactersAR, r.maxLength)}
	case r.pattern != nil && !r.pattern.MatchString(text):
		return &fault.Problem{Message: "must match the pattern '" + r.pattern.String() + "'", Code: fault.InvalidFormat, MessageAR: "يجب أن يطابق النص النمط \u2066" + r.pattern.String() + "\u2069."}
	case r.enum != nil && !slices.Contains(r.enum, text):
		return r.notOneOf("'")
	}
	return nil
}

// notOneOf returns the problem of a value that is not in the enum.
func (r *rule) notOneOf(quote string) *fault.Problem {
	return &fault.Problem{Message: "must be " + oneOf(r.enum, quote), Code: fault.UnknownValue, MessageAR: fmt.Sprintf(fault.OneOfAR, strings.Join(r.enum, "، "))}
}

// bounded reports whether the value of a number is limited.
func (r *rule) bounded() bool {
	return r.minimum != nil || r.maximum != nil || r.above != nil || r.below != nil
}

// number returns the problem of a number that breaks a constraint, or nil.
func (r *rule) number(d money.Decimal) *fault.Problem {
	switch {
	case r.minimum != nil && d.Less(*r.minimum):
		return &fault.Problem{Message: "must be at least " + r.minimum.String(), Code: fault.OutOfRange, MessageAR: "يجب ألا تقل القيمة عن " + r.minimum.String() + "."}
	case r.above != nil && !r.above.Less(d):
		return &fault.Problem{Message: "must be greater than " + r.above.String(), Code: fault.OutOfRange, MessageAR: fmt.Sprintf(fault.AboveAR, r.above)}
	case r.maximum != nil && r.maximum.Less(d):
		return &fault.Problem{Message: "must be at most " + r.maximum.String(), Code: fault.OutOfRange, MessageAR: "يجب ألا تزيد القيمة على " + r.maximum.String() + "."}
	case r.below != nil && !d.Less(*r.below):
		return &fault.Problem{Message: "must be less than " + r.below.String(), Code: fault.OutOfRange, MessageAR: fmt.Sprintf(fault.BelowAR, r.below)}
	case r.places >= 0 && d.Places() > r.places:
		return &fault.Problem{Message: "must have at most " + count(r.places, "decimal place"), Code: fault.TooManyDecimals, MessageAR: fmt.Sprintf(fault.MaxPlacesAR, r.places)}
	}
	return nil
}

// items returns the problem of a list with too few or too many values, or nil.
func (r *rule) items(n int) *fault.Problem {
	switch {
	case n < r.minItems:
		return &fault.Problem{Message: "must have at least " + count(r.minItems, "item"), Code: fault.TooFewItems, MessageAR: fmt.Sprintf("يجب ألا يقل عدد العناصر عن %d.", r.minItems)}
	case r.maxItems >= 0 && n > r.maxItems:
		return &fault.Problem{Message: "must have at most " + count(r.maxItems, "item"), Code: fault.TooManyItems, MessageAR: fmt.Sprintf(fault.MaxItemsAR, r.maxItems)}
	}
	return nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// oneOf joins values for a sentence: 'S', 'Z', 'E' or 'O'.
func oneOf(values []string, quote string) string {
	var b strings.Builder
	for i, v := range values {
		switch {
		case i > 0 && i == len(values)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(quote + v + quote)
	}
	return b.String()
}
