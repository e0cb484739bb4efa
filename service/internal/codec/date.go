package codec

import (
	"fmt"
	"time"
)

// Date is a day of the calendar, without an hour or a place. Its zero value is
// no day.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// ParseDate reads YYYY-MM-DD. The day must be one of the calendar.
func ParseDate(text string) (Date, error) {
	if len(text) != len(time.DateOnly) {
		return Date{}, fmt.Errorf("read date %.20q: not in the form YYYY-MM-DD", text)
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return Date{}, fmt.Errorf("read date %.20q: %w", text, err)
	}
	if t.Year() == 0 {
		return Date{}, fmt.Errorf("read date %.20q: there is no year 0", text)
	}
	year, month, day := t.Date()
	return Date{year, month, day}, nil
}

// DateOf gives the day of an instant where the instant is told.
func DateOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date{year, month, day}
}

// String writes YYYY-MM-DD, and nothing for no day.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
}

// IsZero says whether there is no day.
func (d Date) IsZero() bool { return d == Date{} }

// In gives the beginning of the day in a place.
func (d Date) In(place *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, place)
}

// MarshalText writes YYYY-MM-DD, for encoders that do not know the type.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }
