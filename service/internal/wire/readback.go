package wire

import (
	"fmt"
	"reflect"
	"strconv"

	"khatm/service/internal/codec"
	"khatm/service/internal/fault"
)

// envelope is what a body may have around a value that came back.
const envelope = 1 << 10

// ReadBack says what would be wrong with a value if it came back in a JSON body,
// as it is answered: what one operation gives, another may have to take.
func ReadBack(value any) ([]fault.Problem, error) {
	answer, err := encode(value)
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
		c.Add("", "is larger than "+strconv.Itoa(defaultMaxBody-envelope)+" bytes as JSON")
		return c.All(), nil
	}
	codec.Decode(&c, answer.body, reflect.New(t).Elem(), o, codec.Options{Strict: true})
	return c.All(), nil
}
