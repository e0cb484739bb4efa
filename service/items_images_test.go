package service_test

import (
	"fmt"
	"image"
	"net/http"
	"strings"
	"testing"
)

func TestInterface_4_4_ImagesOfAnItem(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		made := h.addItem(t, goodItem(), part{"image", "front.png", aPNG(t)}, part{"image", "back.jpg", aJPEG(t)}, part{"of any name", "side.webp", aWebP(t)})
		at := "/v1/api/items/" + idOf(made) + "/images/"
		var want []any
		for i, kind := range []string{"image/png", "image/jpeg", "image/jpeg"} {
			want = append(want, record{"url": fmt.Sprintf("%s%s%d/", homeURL, at, i+1), "content_type": kind})
		}
		same(t, "images", made["images"], any(want))
		same(t, "the record", h.read(t, "/api/items/"+idOf(made)+"/"), wantItem(made["uuid"], record{"images": want}))
		_, stranger := h.stranger()
		for i, kind := range []string{"image/png", "image/jpeg", "image/jpeg"} {
			path := fmt.Sprintf("%s%d/", at, i+1)
			a := h.call(http.MethodGet, path, "")
			if _, _, err := image.Decode(strings.NewReader(a.body)); err != nil || a.header.Get("Content-Type") != kind {
				t.Errorf("%s: %d %s, %v", path, a.status, a.header.Get("Content-Type"), err)
			}
			noItem.wants(t, "another organisation", h.as(stranger, http.MethodGet, path, ""))
			noToken.wants(t, "nobody", h.as("", http.MethodGet, path, ""))
		}
		refusal{http.StatusNotFound, `{"message":"Image not found"}` + "\n"}.wants(t, "a fourth", h.call(http.MethodGet, at+"4/", ""))
		for number, want := range map[string]string{
			"0": "Input should be greater than or equal to 1", "11": "Input should be less than or equal to 10", "one": "Input should be a valid integer",
		} {
			same(t, number, h.call(http.MethodGet, at+number+"/", "").problems(t), []string{"number: " + want})
		}
		same(t, "files", len(h.pictures(t)), 3)
	})
}

func TestInterface_4_4_NoFileIsLeftOfAnItemThatIsRefused(t *testing.T) {
	onSQLite(t, func(t *testing.T, h *house) {
		good := part{"image", "a.png", aPNG(t)}
		for _, c := range noPictures(t) {
			a := h.tryItem(goodItem(), good, part{"image", "b.png", c.content}, good)
			same(t, c.name, a.problems(t), []string{"images.1: " + c.want})
		}
		eleven := make([]part, 11)
		for i := range eleven {
			eleven[i] = good
		}
		same(t, "eleven images", h.tryItem(goodItem(), eleven...).problems(t), []string{"images: List should have at most 10 items"})
		same(t, "a bad item", h.tryItem(with(t, goodItem(), record{"vat_rate": 0}), good).problems(t),
			[]string{"item_data.vat_rate: Input should be greater than 0 and at most 100 in category S, such as 15"})
		same(t, "items", h.read(t, "/api/items/")["total"], any(number(0)))
		same(t, "files left behind", h.pictures(t), []string(nil))
		h.addItem(t, goodItem(), eleven[:10]...)
		same(t, "ten are fine", len(h.pictures(t)), 10)
	})
}
