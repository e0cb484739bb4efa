package tools

import "khatm/qr"

type qrTags struct {
	SellerName string `json:"seller_name"`
}

func tagsOf(code string) (*qrTags, error) {
	fields, err := qr.Decode(code)
	if err != nil {
		return nil, err
	}
	t := &qrTags{}
	for _, f := range fields {
		if f.Tag == 1 {
			t.SellerName = string(f.Value)
		}
	}
	return t, nil
}
