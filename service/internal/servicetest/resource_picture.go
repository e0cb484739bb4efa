package servicetest

import "net/http"

func pictureResource() resource {
	picture := func(shop *Seller) func(*http.Request) {
		return FormBody(shop.TB, Part{"file", "picture.png", OnePixelPNG()})
	}
	return resource{bodies: map[string]body{
		"PUT /api/buyers/{buyer_id}/logo/": picture,
		"PUT /api/items/{item_id}/images/": picture,
	}}
}
