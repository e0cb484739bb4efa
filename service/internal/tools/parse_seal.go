package tools

import (
	"encoding/base64"
	"slices"

	"khatm/ubl"
)

// giveSeal copies the parts that only an issued document has and that the schema
// does not contain: the counter, the previous hash, the QR code and the reference
// to the signature. They are written in the usual form.
func giveSeal(to, from *ubl.Invoice) {
	left := []string{"ICV", "PIH", "QR"}
	for _, r := range from.AdditionalDocumentReferences {
		name := r.ID.String()
		at := slices.Index(left, name)
		if at < 0 {
			continue
		}
		left = slices.Delete(left, at, at+1)
		given := &ubl.DocumentReference{ID: ubl.NewText(name)}
		switch value := r.Embedded(); {
		case name == "ICV":
			given.UUID = ubl.NewText(r.UUID.String())
		case isBase64(value):
			given.Attachment = &ubl.Attachment{EmbeddedDocumentBinaryObject: ubl.NewText(value, "mimeCode", "text/plain")}
		}
		to.AdditionalDocumentReferences = append(to.AdditionalDocumentReferences, given)
	}
	if len(from.Signatures) > 0 {
		s := from.Signatures[0]
		to.Signatures = []*ubl.Signature{{ID: ubl.NewText(s.ID.String()), SignatureMethod: ubl.NewText(s.SignatureMethod.String())}}
	}
}

func isBase64(text string) bool {
	_, err := base64.StdEncoding.Strict().DecodeString(text)
	return err == nil
}
