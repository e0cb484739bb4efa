package ubl

// A part is an element with children. Its shape lists them in the order of the
// schema, for the reader and for the writer.
type part interface {
	shape(v visitor)
	rest() *Rest
}

// A visitor walks over the children of a part. The reader sets empty fields, the
// writer skips them.
type visitor interface {
	// leaf visits a child that occurs at most once.
	leaf(name string, field **Text)
	// leaves visits a child that may repeat.
	leaves(name string, field *[]*Text)
	// present visits a part that exists; index counts from 1 if it may repeat, and is 0 otherwise.
	present(name string, index int, p part)
	// next returns the next unread child of that name, or nil.
	next(name string) *Node
	// bind sets the fields of a new part from the element that next returned.
	bind(n *Node, p part)
}

// pointer is the constraint that *T is a part.
type pointer[T any] interface {
	*T
	part
}

// one visits a part that occurs at most once.
func one[T any, P pointer[T]](v visitor, name string, field **T) {
	if *field != nil {
		v.present(name, 0, P(*field))
		return
	}
	if n := v.next(name); n != nil {
		*field = new(T)
		v.bind(n, P(*field))
	}
}

// many visits a part that may repeat.
func many[T any, P pointer[T]](v visitor, name string, field *[]*T) {
	if len(*field) > 0 {
		for i, p := range *field {
			v.present(name, i+1, P(p))
		}
		return
	}
	for n := v.next(name); n != nil; n = v.next(name) {
		p := new(T)
		v.bind(n, P(p))
		*field = append(*field, p)
	}
}
