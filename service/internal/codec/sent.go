package codec

// Sent is a field of a PATCH body, which tells three things apart: not given
// (leave it), given as null (clear it), and given with a value.
type Sent[T any] struct {
	Given bool
	Null  bool
	Value T
}

func (Sent[T]) patchField() {}

// Apply puts what was sent into a field: nothing, the zero value or the value.
func (s Sent[T]) Apply(to *T) {
	if s.Given {
		*to = s.Value
	}
}
