package codec

// Sent is a field of a PATCH body. It distinguishes a field that is absent (keep
// the value), null (clear it) or given a value.
type Sent[T any] struct {
	Given bool
	Null  bool
	Value T
}

func (Sent[T]) patchField() {}

// Apply assigns the sent value to a field: its value, the zero value for null,
// and nothing if the field was absent.
func (s Sent[T]) Apply(to *T) {
	if s.Given {
		*to = s.Value
	}
}
