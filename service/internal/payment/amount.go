package payment

import (
	"cmp"
	"slices"

	"khatm/money"
)

// positive returns d, or 0 if d is negative.
func positive(d money.Decimal) money.Decimal {
	if d.Sign() < 0 {
		return money.Decimal{}
	}
	return d
}

// least returns the smaller number.
func least(d, e money.Decimal) money.Decimal {
	if e.Less(d) {
		return e
	}
	return d
}

// lastFirst returns a copy of the list, sorted by descending place.
func lastFirst[T any](list []T, place func(T) int64) []T {
	return slices.SortedStableFunc(slices.Values(list), func(a, b T) int { return cmp.Compare(place(b), place(a)) })
}
