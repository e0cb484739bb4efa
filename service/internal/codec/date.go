package codec

import (
	"fmt"
	"time"
)

// Date is a calendar day without a time or a time zone. The zero value means no
// date.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// ParseDate parses a date in the form YYYY-MM-DD.
func ParseDate(text string) (Date, error) {
	if len(text) != len(time.DateOnly) {
		return Date{}, fmt.Errorf("parse date %.20q: not in the form YYYY-MM-DD", text)
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return Date{}, fmt.Errorf("parse date %.20q: %w", text, err)
	}
	if t.Year() == 0 {
		return Date{}, fmt.Errorf("parse date %.20q: year 0 does not exist", text)
	}
	year, month, day := t.Date()
	return Date{year, month, day}, nil
}

// DateOf returns the date of t in the location of t.
func DateOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date{year, month, day}
}

// String returns the date in the form YYYY-MM-DD, or "" for the zero value.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

// IsZero reports whether d is the zero value.
func (d Date) IsZero() bool { return d == Date{} }

// In returns the beginning of the day in a location.
func (d Date) In(place *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, place)
}

// MarshalText returns the date in the form YYYY-MM-DD, for encoders that do not
// know the type.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }
