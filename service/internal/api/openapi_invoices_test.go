package api_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"khatm/service/internal/servicetest"
)

// Ids in the examples of invoices, which callers must replace.
const (
	exampleID         = "01a1de6f-5280-7005-bc9e-9603932172b"
	exampleForeignID  = exampleID + "4"
	exampleItemID     = exampleID + "5"
	exampleReasonID   = exampleID + "6"
	exampleOriginalID = exampleID + "7"
	exampleAdvanceID  = exampleID + "8"
)

// exampleKinds maps the examples of invoices to type_code and transaction_code.
var exampleKinds = map[string][2]any{
	"standard-invoice":       {servicetest.Number(388), "0100000"},
	"simplified-invoice":     {servicetest.Number(388), "0200000"},
	"export-invoice":         {servicetest.Number(388), "0100100"},
	"credit-note":            {servicetest.Number(381), "0100000"},
	"debit-note":             {servicetest.Number(383), "0100000"},
	"advance-payment":        {servicetest.Number(386), "0100000"},
	"deduct-advance":         {servicetest.Number(388), "0100000"},
	"deduct-part-of-advance": {servicetest.Number(388), "0100000"},
	"catalogue-lines":        {servicetest.Number(388), "0100000"},
	"shelf-prices":           {servicetest.Number(388), "0200000"},
	"foreign-currency":       {servicetest.Number(388), "0100000"},
	"discount":               {servicetest.Number(388), "0100000"},
}

// invoiceExamples returns the examples of an operation's body by name.
func invoiceExamples(t testing.TB, document servicetest.Record, operation string) map[string]string {
	t.Helper()
	body, _ := servicetest.Operations(document)[operation]["requestBody"].(servicetest.Record)
	content, _ := body["content"].(servicetest.Record)
	media, _ := content["application/json"].(servicetest.Record)
	all, _ := media["examples"].(servicetest.Record)
	texts := map[string]string{}
	for name, value := range all {
		example, _ := value.(servicetest.Record)
		texts[name] = servicetest.AsJSON(t, example["value"])
		words, _ := example["description"].(string)
		if summary, _ := example["summary"].(string); summary == "" || !strings.Contains(words, "`GET /api/devices/`") {
			t.Errorf("%s: example %s has summary %q and description %q, want both, with the source of the ids", operation, name, summary, words)
		}
	}
	return texts
}

// foreignBuyer creates a client outside Saudi Arabia and returns its id.
func foreignBuyer(t testing.TB, h *servicetest.Instance) string {
	t.Helper()
	_, example := servicetest.BodyExample(servicetest.Operations(servicetest.Published(t))["POST /api/onboarding/organizations/clients/"])
	text := servicetest.With(t, servicetest.AsJSON(t, example), servicetest.Record{
		"vat_registration_number": "", "country_code": "AE", "additional_buyer_id": []any{servicetest.Record{"type_id": "OTH", "value": "100200300400003"}},
	})
	fill := servicetest.FormBody(t, servicetest.Part{Field: "client_data", Filename: "", Content: text})
	made := h.Send(http.MethodPost, "/v1/api/onboarding/organizations/clients/", servicetest.Bearer(h.Key), fill).Wants(t, http.StatusCreated)
	id, _ := made["uuid"].(string)
	return id
}

func TestDocument_EveryKindOfDocumentHasAnExampleThatWorks(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	shop := h.NewSeller()
	create := invoiceExamples(t, servicetest.Published(t), "POST /api/invoices/")
	servicetest.Same(t, "examples", slices.Sorted(maps.Keys(create)), slices.Sorted(maps.Keys(exampleKinds)))
	servicetest.Same(t, "examples of the preview", invoiceExamples(t, servicetest.Published(t), "POST /api/invoices/preview/"), create)

	item, _ := h.NewItem(h.Key).Wants(t, http.StatusCreated)["uuid"].(string)
	ids := []string{
		exampleID + "1", shop.Device.ID.String(), exampleID + "2", shop.Org.ID.String(), exampleID + "3", shop.Buyer.ID.String(),
		exampleForeignID, foreignBuyer(t, h), exampleItemID, item, exampleReasonID, shop.Reason.ID.String(),
	}
	// with replaces the ids of an example. original and advance are accepted
	// documents made from other examples.
	with := func(name, original, advance string) string {
		return strings.NewReplacer(append(slices.Clone(ids), exampleOriginalID, original, exampleAdvanceID, advance)...).Replace(create[name])
	}
	accepted := func(name, key string) string {
		made := shop.CreateAs(key, with(name, "", "")).Wants(t, http.StatusAccepted)
		id, _ := made["invoice_uuid"].(string)
		return shop.Accepted(servicetest.Parsed(t, id)).String()
	}
	original := accepted("standard-invoice", "original")
	for _, name := range slices.Sorted(maps.Keys(create)) {
		t.Run(name, func(t *testing.T) {
			text := with(name, original, accepted("advance-payment", "advance-for-"+name))
			if strings.Contains(text, exampleID) {
				t.Errorf("example %s has an id that the test does not replace", text)
			}
			preview, _ := shop.Preview(text).Wants(t, http.StatusCreated)["invoice"].(servicetest.Record)
			made := shop.CreateAs("example-"+name, text).Wants(t, http.StatusAccepted)
			id, _ := made["invoice_uuid"].(string)
			issued := shop.Full(servicetest.Parsed(t, id))
			for _, one := range []servicetest.Record{preview, issued} {
				servicetest.Same(t, "kind", [2]any{one["type_code"], one["transaction_code"]}, exampleKinds[name])
			}
			servicetest.Same(t, "payable in the preview", preview["invoice_payable_amount"], issued["invoice_payable_amount"])
		})
	}
}
