package wire

import (
	"reflect"
	"sync"
)

// memo caches values that depend only on a type.
type memo[T any] struct{ known sync.Map }

func (m *memo[T]) of(t reflect.Type, build func(reflect.Type) (*T, error)) (*T, error) {
	known, _ := m.known.Load(t)
	if one, ok := known.(*T); ok {
		return one, nil
	}
	one, err := build(t)
	if err != nil {
		return nil, err
	}
	m.known.Store(t, one)
	return one, nil
}
