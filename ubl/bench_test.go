package ubl_test

import (
	"testing"
	"time"

	"khatm/sample"
	"khatm/ubl"
)

// issued is the time of issue of the first document of every sample device.
var issued = time.Date(2026, 11, 14, 9, 30, 0, 0, time.UTC)

// newDevice returns the same device every time.
func newDevice(t testing.TB) *sample.Device {
	t.Helper()
	device, err := sample.NewDevice(sample.Seeded(1), issued)
	if err != nil {
		t.Fatal(err)
	}
	return device
}

// tenLines returns a stamped invoice of ten lines.
func tenLines(b *testing.B) []byte {
	b.Helper()
	facts := sample.Invoice()
	for len(facts.Lines) < 10 {
		facts.Lines = append(facts.Lines, facts.Lines[0])
	}
	sealed, err := newDevice(b).Seal(facts)
	if err != nil {
		b.Fatal(err)
	}
	return sealed.XML
}

func BenchmarkRead(b *testing.B) {
	document := tenLines(b)
	b.SetBytes(int64(len(document)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ubl.Read(document); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	inv, err := ubl.Read(tenLines(b))
	if err != nil {
		b.Fatal(err)
	}
	canon, err := ubl.Write(inv)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(canon.Bytes())))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ubl.Write(inv); err != nil {
			b.Fatal(err)
		}
	}
}
