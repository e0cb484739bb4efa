package codec

// Either is a value of an answer that has one of two forms. Exactly one of them
// is set.
type Either[A, B any] struct {
	First  *A
	Second *B
}

func (Either[A, B]) either() {}
