package api_test

import (
	"fmt"
	"image"
	"net/http"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

func TestInterface_4_4_ImagesOfAnItem(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		made := h.AddItem(t, servicetest.GoodItem(), servicetest.Part{Field: "image", Filename: "front.png", Content: servicetest.APNG(t)}, servicetest.Part{Field: "image", Filename: "back.jpg", Content: servicetest.AJPEG(t)}, servicetest.Part{Field: "of any name", Filename: "side.webp", Content: servicetest.AWebP()})
		at := "/v1/api/items/" + servicetest.IDOf(made) + "/images/"
		var want []any
		for i, kind := range []string{"image/png", "image/jpeg", "image/jpeg"} {
			want = append(want, servicetest.Record{"url": fmt.Sprintf("%s%s%d/", homeURL, at, i+1), "content_type": kind})
		}
		servicetest.Same(t, "images", made["images"], any(want))
		servicetest.Same(t, "record", h.Read(t, "/api/items/"+servicetest.IDOf(made)+"/"), wantItem(made["uuid"], servicetest.Record{"images": want}))
		_, stranger := h.Stranger()
		for i, kind := range []string{"image/png", "image/jpeg", "image/jpeg"} {
			path := fmt.Sprintf("%s%d/", at, i+1)
			a := h.Call(http.MethodGet, path, "")
			if _, _, err := image.Decode(strings.NewReader(a.Body)); err != nil || a.Header.Get("Content-Type") != kind {
				t.Errorf("image at %s: status %d, type %s, %v; want type %s", path, a.Status, a.Header.Get("Content-Type"), err, kind)
			}
			servicetest.NoItem.Wants(t, "another organisation", h.As(stranger, http.MethodGet, path, ""))
			servicetest.NoToken.Wants(t, "nobody", h.As("", http.MethodGet, path, ""))
		}
		servicetest.Refusal{Status: http.StatusNotFound, Body: `{"message":"Image not found"}` + "\n"}.Wants(t, "a fourth", h.Call(http.MethodGet, at+"4/", ""))
		for number, want := range map[string]string{
			"0": "must be at least 1", "11": "must be at most 10", "one": "must be an integer",
		} {
			servicetest.Same(t, number, h.Call(http.MethodGet, at+number+"/", "").Problems(t), []string{"number: " + want})
		}
		servicetest.Same(t, "number of files", len(h.Pictures(t)), 3)
	})
}

func TestInterface_4_4_NoFileIsLeftOfAnItemThatIsRefused(t *testing.T) {
	servicetest.OnSQLite(t, func(t *testing.T, h *servicetest.Instance) {
		good := servicetest.Part{Field: "image", Filename: "a.png", Content: servicetest.APNG(t)}
		for _, c := range noPictures(t) {
			a := h.TryItem(servicetest.GoodItem(), good, servicetest.Part{Field: "image", Filename: "b.png", Content: c.content}, good)
			servicetest.Same(t, c.name, a.Problems(t), []string{"images.1: " + c.want})
		}
		eleven := make([]servicetest.Part, 11)
		for i := range eleven {
			eleven[i] = good
		}
		servicetest.Same(t, "eleven images", h.TryItem(servicetest.GoodItem(), eleven...).Problems(t), []string{"images: must have at most 10 items"})
		servicetest.Same(t, "an invalid item", h.TryItem(servicetest.With(t, servicetest.GoodItem(), servicetest.Record{"vat_rate": 0}), good).Problems(t),
			[]string{"item_data.vat_rate: must be greater than 0 and at most 100 in category S, such as 15"})
		servicetest.Same(t, "number of items", h.Read(t, "/api/items/")["total"], any(servicetest.Number(0)))
		servicetest.Same(t, "files left behind", h.Pictures(t), []string(nil))
		h.AddItem(t, servicetest.GoodItem(), eleven[:10]...)
		servicetest.Same(t, "number of files for ten images", len(h.Pictures(t)), 10)
	})
}
