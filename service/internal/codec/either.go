package codec

// Either is a response value that has one of two forms. Exactly one of the fields
// must be set.
type Either[A, B any] struct {
	First  *A
	Second *B
}

func (Either[A, B]) either() {}
