package servicetest

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"khatm/money"
	"khatm/service/internal/device"
	"khatm/service/internal/org"
	"khatm/service/internal/trade"
)

// ClientsPath is the endpoint that creates clients.
const ClientsPath = "/v1/api/onboarding/organizations/clients/"

// Buyer creates the client GoodClient and returns its path and id.
func (h *Instance) Buyer(t testing.TB) (path string, id any) {
	t.Helper()
	made := h.AddClient(t, GoodClient())
	return "/api/buyers/" + IDOf(made) + "/", made["uuid"]
}

// Post sends a body of any media type to ClientsPath.
func (h *Instance) Post(media string, body string) Answer {
	h.TB.Helper()
	r := h.Request(http.MethodPost, ClientsPath, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+h.Key)
	if media != "" {
		r.Header.Set("Content-Type", media)
	}
	return h.Do(r)
}

// Drawing returns a small picture.
func Drawing() image.Image {
	pixels := image.NewNRGBA(image.Rect(0, 0, 24, 16))
	for x := range 24 {
		for y := range 16 {
			pixels.SetNRGBA(x, y, color.NRGBA{R: uint8(10 * x), G: uint8(15 * y), B: 90, A: 255})
		}
	}
	return pixels
}

// Encoded returns the output of an encoder.
func Encoded(t testing.TB, as func(*bytes.Buffer) error) string {
	t.Helper()
	var out bytes.Buffer
	if err := as(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// APNG returns a small PNG.
func APNG(t testing.TB) string {
	return Encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, Drawing()) })
}

// AJPEG returns a small JPEG.
func AJPEG(t testing.TB) string {
	return Encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, Drawing(), nil) })
}

//go:embed testdata/small.webp
var smallWebP string

// AWebP returns a small WebP.
func AWebP() string { return smallWebP }

// VastPNG returns a few bytes of a PNG that claims 60,000 × 60,000 pixels.
func VastPNG() string {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), 60_000), 60_000)
	head = append(head, 8, 6, 0, 0, 0)
	out := binary.BigEndian.AppendUint32([]byte("\x89PNG\r\n\x1a\n"), uint32(len(head)-4))
	return string(binary.BigEndian.AppendUint32(append(out, head...), crc32.ChecksumIEEE(head)))
}

// Item adds an item to an organisation and returns it.
func (h *Instance) Item(o org.Organisation, name string) trade.Item {
	h.TB.Helper()
	i := trade.Item{
		ID: h.Service.NewID(), Name: name, Price: money.FromInt(5), Unit: "PCE", Category: "S", Rate: money.FromInt(15), Active: true, CreatedAt: h.Clock.Now(),
	}
	if problems := i.Check(); problems != nil {
		h.TB.Fatal(problems)
	}
	if err := h.Service.Store().AddItem(context.Background(), h.Operator(o), i); err != nil {
		h.TB.Fatal(err)
	}
	return i
}

// Listing is a list endpoint, with a function that adds a row.
type Listing struct {
	Path, Rows, ID string
	Add            func(h *Instance, o org.Organisation, n int) string
}

// Listings returns all list endpoints of the API for keys.
func Listings() []Listing {
	sellers := map[uuid.UUID]func(n int) string{} // by organisation
	return []Listing{
		{"/api/buyers/", "buyers", "uuid", func(h *Instance, o org.Organisation, n int) string {
			return h.Client(o, fmt.Sprint("Client ", n)).ID.String()
		}},
		{"/api/items/", "items", "uuid", func(h *Instance, o org.Organisation, n int) string {
			return h.Item(o, fmt.Sprint("Item ", n)).ID.String()
		}},
		{"/api/devices/", "devices", "device_id", func(h *Instance, o org.Organisation, _ int) string {
			return h.Device(o, func(*device.Device) {}).ID.String()
		}},
		// Last, because creating a seller also adds a client and a device.
		{"/api/invoices/", "invoices", "uuid", func(h *Instance, o org.Organisation, n int) string {
			if sellers[o.ID] == nil {
				shop, key := h.SellerOf(o), h.NewKey(o, org.CreateInvoice)
				sellers[o.ID] = func(n int) string {
					return shop.createdBy(key, shop.Simplified(Fields{"notes": Note(fmt.Sprint("Invoice ", n))}))
				}
			}
			return sellers[o.ID](n)
		}},
	}
}
