package pdfa

import "encoding/binary"

// srgbProfile returns an ICC version 4 display profile of sRGB. It is generated, so
// that no third-party file needs to be embedded.
func srgbProfile() []byte {
	transfer := append([]byte("para"), 0, 0, 0, 0, 0, 3, 0, 0)
	for _, v := range []float64{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045} {
		transfer = binary.BigEndian.AppendUint32(transfer, fixed16(v))
	}
	tags := []struct {
		name string
		data []byte // nil for the data of the previous tag
	}{
		{"desc", iccText("sRGB")},
		{"cprt", iccText("CC0")},
		{"wtpt", iccNumbers("XYZ ", 0.9642, 1, 0.8249)},
		{"chad", iccNumbers("sf32", 1.0478112, 0.0228866, -0.0501270, 0.0295424, 0.9904844, -0.0170491, -0.0092345, 0.0150436, 0.7521316)},
		{"rXYZ", iccNumbers("XYZ ", 0.4360747, 0.2225045, 0.0139322)},
		{"gXYZ", iccNumbers("XYZ ", 0.3850649, 0.7168786, 0.0971045)},
		{"bXYZ", iccNumbers("XYZ ", 0.1430804, 0.0606169, 0.7141733)},
		{"rTRC", transfer}, {"gTRC", nil}, {"bTRC", nil},
	}
	out := binary.BigEndian.AppendUint32(iccHeader(), uint32(len(tags)))
	first := len(out) + 12*len(tags)
	var body []byte
	at, size := 0, 0
	for _, t := range tags {
		if t.data != nil {
			at, size = first+len(body), len(t.data)
			body = append(body, t.data...)
			for len(body)%4 != 0 {
				body = append(body, 0)
			}
		}
		out = append(out, t.name...)
		out = binary.BigEndian.AppendUint32(out, uint32(at))
		out = binary.BigEndian.AppendUint32(out, uint32(size))
	}
	out = append(out, body...)
	binary.BigEndian.PutUint32(out, uint32(len(out)))
	return out
}

func iccHeader() []byte {
	h := make([]byte, 128)
	binary.BigEndian.PutUint32(h[8:], 0x04200000)
	copy(h[12:], "mntrRGB XYZ ")
	for i, v := range []uint16{2026, 1, 1, 0, 0, 0} {
		binary.BigEndian.PutUint16(h[24+2*i:], v)
	}
	copy(h[36:], "acsp")
	for i, v := range []float64{0.9642, 1, 0.8249} {
		binary.BigEndian.PutUint32(h[68+4*i:], fixed16(v))
	}
	return h
}

// fixed16 returns v as a signed 16.16 fixed-point number.
func fixed16(v float64) uint32 {
	if v < 0 {
		return uint32(int32(v*65536 - 0.5))
	}
	return uint32(int32(v*65536 + 0.5))
}

func iccText(s string) []byte {
	b := append([]byte("mluc"), 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 12)
	b = append(b, "enUS"...)
	b = binary.BigEndian.AppendUint32(b, uint32(2*len(s)))
	b = binary.BigEndian.AppendUint32(b, 28)
	for _, c := range s {
		b = binary.BigEndian.AppendUint16(b, uint16(c))
	}
	return b
}

func iccNumbers(kind string, values ...float64) []byte {
	b := append([]byte(kind), 0, 0, 0, 0)
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, fixed16(v))
	}
	return b
}
