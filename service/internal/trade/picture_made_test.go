package trade_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"runtime"
	"testing"

	"khatm/service/internal/trade"
)

func changed(data []byte, at int) []byte {
	data = bytes.Clone(data)
	data[at] ^= 0x55
	return data
}

// chunk returns a chunk of a PNG file.
func chunk(name string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(append(out, name...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// pngHead returns a PNG header without pixels.
func pngHead(width, height uint32, depth, colours byte) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	return append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(head, depth, colours, 0, 0, 0))...)
}

// segment returns a segment of a JPEG file.
func segment(marker byte, data ...byte) []byte {
	out := binary.BigEndian.AppendUint16([]byte{0xFF, marker}, uint16(len(data)+2))
	return append(out, data...)
}

// progressive returns a gray JPEG of three components without subsampling. One
// scan sets the colour of each block, the others change nothing.
func progressive(width, height uint16, scans int) []byte {
	table := bytes.Repeat([]byte{1}, 64)
	oneCode := append([]byte{1}, make([]byte, 15)...) // a single code of one bit
	out := []byte{0xFF, 0xD8}
	out = append(out, segment(0xDB, append([]byte{0}, table...)...)...)
	frame := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16([]byte{8}, height), width)
	out = append(out, segment(0xC2, append(frame, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0)...)...)
	out = append(out, segment(0xC4, append(append([]byte{0x00}, oneCode...), 0)...)...)
	out = append(out, segment(0xC4, append(append([]byte{0x10}, oneCode...), 0xE0)...)...)
	blocks := (int(width) + 7) / 8 * ((int(height) + 7) / 8)
	out = append(out, segment(0xDA, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0)...)
	out = append(out, make([]byte, (3*blocks+7)/8)...)
	for range scans - 1 {
		// Each run of 15 bits leaves 16,384 blocks unchanged.
		out = append(out, segment(0xDA, 1, 1, 0, 1, 63, 0)...)
		out = append(out, make([]byte, (15*((blocks+16_383)/16_384)+7)/8)...)
	}
	return append(out, 0xFF, 0xD9)
}

// losslessWebP returns a WebP of one colour: its size, and five empty codes.
func losslessWebP(width, height uint32) []byte {
	bits := uint64(width-1) | uint64(height-1)<<14
	data := append([]byte{0x2F}, binary.LittleEndian.AppendUint32(nil, uint32(bits))...)
	// No transform, no colour cache, no groups of codes, and five times the simple
	// code (1) of one symbol (0) with one bit (0) and the value 0.
	data = append(data, 0b1000_1000, 0b1000_1000, 0b0000_1000, 0, 0)
	return riff("VP8L", data)
}

// webpHead returns a WebP header with transparency and without pixels.
func webpHead(width, height uint32) []byte {
	data := binary.LittleEndian.AppendUint32(nil, 0x10)
	data = append(data, byte(width-1), byte((width-1)>>8), byte((width-1)>>16))
	return riff("VP8X", append(data, byte(height-1), byte((height-1)>>8), byte((height-1)>>16)))
}

// riff returns a WebP file with one chunk.
func riff(name string, data []byte) []byte {
	out := binary.LittleEndian.AppendUint32([]byte("WEBP"+name), uint32(len(data)))
	out = append(out, data...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(out))), out...)
}

func TestCleanRemovesEverythingButPixels(t *testing.T) {
	const secret = "24.7136N 46.6753E <script>alert(1)</script>"
	whole, photo := pngOf(t, drawing(255)), jpegOf(t, drawing(255))
	afterHead := len("\x89PNG\r\n\x1a\n") + 25
	cases := []struct {
		name string
		data []byte
	}{
		{"location in the EXIF of a JPEG", bytes.Join([][]byte{photo[:2], segment(0xE1, []byte("Exif\x00\x00"+secret)...), photo[2:]}, nil)},
		{"comment in a JPEG", bytes.Join([][]byte{photo[:2], segment(0xFE, []byte(secret)...), photo[2:]}, nil)},
		{"bytes after a JPEG", append(bytes.Clone(photo), secret...)},
		{"text in a PNG", bytes.Join([][]byte{whole[:afterHead], chunk("tEXt", []byte("Comment\x00"+secret)), whole[afterHead:]}, nil)},
		{"EXIF in a PNG", bytes.Join([][]byte{whole[:afterHead], chunk("eXIf", []byte(secret)), whole[afterHead:]}, nil)},
		{"bytes after a PNG", append(bytes.Clone(whole), secret...)},
		{"bytes after a WebP", append(file(t, "opaque.webp"), secret...)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if !bytes.Contains(c.data, []byte(secret)) {
				t.Fatal("the input does not contain the secret")
			}
			got, err := trade.Clean(c.data)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(got.Bytes, []byte(secret)) || bytes.Contains(got.Bytes, []byte("Exif")) {
				t.Error("the cleaned copy contains the secret or EXIF data")
			}
		})
	}
}

func TestCleanRemovesAnAppendedArchive(t *testing.T) {
	out := bytes.NewBuffer(pngOf(t, drawing(255)))
	archive := zip.NewWriter(out)
	if _, err := archive.Create("payload.sh"); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	isArchive := func(data []byte) bool {
		_, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		return err == nil
	}
	if !isArchive(out.Bytes()) {
		t.Fatal("the input is not an archive")
	}
	got, err := trade.Clean(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if isArchive(got.Bytes) {
		t.Error("the cleaned copy is still an archive")
	}
}

// allocated returns the total bytes allocated by a call.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestCleanLimitsMemory(t *testing.T) {
	cases := []struct {
		name  string
		data  []byte
		bound uint64
	}{
		{"PNG of 30,000 × 30,000", pngHead(30_000, 30_000, 16, 6), 1 << 20},
		{"progressive JPEG of 25 megapixels", progressive(5_000, 5_000, 1), 1 << 20},
		{"WebP of 16,384 × 16,384", losslessWebP(16_384, 16_384), 1 << 20},
		{"progressive JPEG of 10 megapixels", progressive(2_500, 4_000, 1), 200_000_000},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := allocated(func() { _, _ = trade.Clean(c.data) }); got > c.bound {
				t.Errorf("Clean allocated %d bytes, want at most %d", got, c.bound)
			}
		})
	}
}

func FuzzClean(f *testing.F) {
	f.Add(pngOf(f, drawing(255)))
	f.Add(jpegOf(f, drawing(255)))
	f.Add(gifOf(f))
	f.Add(progressive(16, 16, 3))
	f.Add(losslessWebP(3, 5))
	for _, name := range []string{"opaque.webp", "transparent.webp", "lossless.webp"} {
		f.Add(file(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := trade.Clean(data)
		if err != nil {
			return
		}
		again, err := trade.Clean(got.Bytes)
		if err != nil || again.Type != got.Type || again.Width != got.Width || again.Height != got.Height {
			t.Errorf("cleaned again, the picture is %s of %d × %d, %v; want %s of %d × %d", again.Type, again.Width, again.Height, err, got.Type, got.Width, got.Height)
		}
	})
}
