package wire

import (
	"fmt"
	"reflect"
	"strconv"

	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
)

// envelope is the size reserved for the JSON around the value.
const envelope = 1 << 10

// ReadBack returns the problems a value would have if a caller sent it back in a
// JSON body exactly as it was returned by another operation.
func ReadBack(value any) ([]fault.Problem, error) {
	answer, err := encode(value, false)
	if err != nil {
		return nil, err
	}
	t := reflect.TypeOf(value)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	o, err := codec.ObjectOf(t)
	if err != nil {
		return nil, fmt.Errorf("read %s back: %w", t, err)
	}
	var c codec.Problems
	if len(answer.body) > defaultMaxBody-envelope {
		c.Add("", fault.Problem{Message: "must be at most " + strconv.Itoa(defaultMaxBody-envelope) + " bytes as JSON", Code: fault.BodyTooLarge})
		return c.All(), nil
	}
	codec.Decode(&c, answer.body, reflect.New(t).Elem(), o, codec.Options{Strict: true})
	return c.All(), nil
}
