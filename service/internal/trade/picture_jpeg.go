package trade

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image/color"
)

// Markers of a JPEG file.
const (
	jpegBaseline    = 0xC0
	jpegExtended    = 0xC1
	jpegProgressive = 0xC2
	jpegRestart     = 0xD0 // to 0xD7
	jpegScan        = 0xDA
	jpegFill        = 0xFF
)

// maxScans limits the scans of a progressive JPEG. Encoders use about ten; each
// costs a pass over all pixels and hardly any bytes.
const maxScans = 100

var (
	errNoFrame = errors.New("no frame header")
	errScans   = errors.New("too many scans")
)

// jpegWeight returns the bytes of memory per pixel. A progressive picture is in
// memory twice: as pixels, and as coefficients of four bytes.
func jpegWeight(model color.Model, data []byte) (int, error) {
	frame, progressive, err := jpegFrame(data)
	if err != nil {
		return 0, err
	}
	pixel := 7 // three for the colours, four more if stored as RGB
	if model == color.CMYKModel {
		pixel = 8
	}
	if !progressive {
		return pixel, nil
	}
	if bytes.Count(data, []byte{jpegFill, jpegScan}) > maxScans {
		return 0, errScans
	}
	const head, part = 6, 3
	if len(frame) < head || len(frame) < head+part*int(frame[head-1]) {
		return 0, errNoFrame
	}
	first, all := 0, 0
	for component := frame[head:]; len(component) >= part; component = component[part:] {
		samples := int(component[1]>>4) * int(component[1]&0xF)
		first = max(first, samples)
		all += samples
	}
	if first == 0 {
		return 0, errNoFrame
	}
	return pixel + (4*all+first-1)/first, nil
}

// jpegFrame returns the frame header. It fails on stray bytes between segments,
// which the decoder would skip, so that both always see the same header.
func jpegFrame(data []byte) (frame []byte, progressive bool, err error) {
	rest := data[min(2, len(data)):]
	for len(rest) >= 4 && rest[0] == jpegFill {
		marker := rest[1]
		switch {
		case marker == jpegFill:
			rest = rest[1:]
			continue
		case jpegRestart <= marker && marker < jpegRestart+8:
			rest = rest[2:]
			continue
		}
		length := int(binary.BigEndian.Uint16(rest[2:]))
		if length < 2 || len(rest) < 2+length {
			break
		}
		switch marker {
		case jpegBaseline, jpegExtended, jpegProgressive:
			return rest[4 : 2+length], marker == jpegProgressive, nil
		}
		rest = rest[2+length:]
	}
	return nil, false, errNoFrame
}
