package api_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"khatm/service/internal/device"
	"khatm/service/internal/servicetest"
)

func TestDocument_EveryPropertyAndParameterHasWords(t *testing.T) {
	t.Parallel()
	document := servicetest.Published(t)
	seen := 0
	servicetest.Properties(document, "", func(way string, property servicetest.Record) {
		seen++
		if words, _ := property["description"].(string); words == "" {
			t.Errorf("%s has no description", way)
		}
	})
	for name, operation := range servicetest.Operations(document) {
		params, _ := operation["parameters"].([]any)
		for _, one := range params {
			seen++
			param, _ := servicetest.Resolved(document, one, 0).(servicetest.Record)
			if words, _ := param["description"].(string); words == "" {
				t.Errorf("%s: parameter %v has no description", name, param["name"])
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d descriptions were checked, want at least 100", seen)
	}
}

// propertyOf returns a property of a component.
func propertyOf(t testing.TB, document servicetest.Record, component, name string) servicetest.Record {
	t.Helper()
	property, is := servicetest.Target(document, "#/components/schemas/"+component+"/properties/"+name).(servicetest.Record)
	if !is {
		t.Fatalf("component %s has no property %s", component, name)
	}
	return property
}

func TestInterface_4_6_DocumentSaysWhatIsDeprecated(t *testing.T) {
	t.Parallel()
	document := servicetest.Published(t)
	var got []string
	servicetest.Properties(document, "", func(way string, property servicetest.Record) {
		if property["deprecated"] == true {
			got = append(got, strings.TrimPrefix(way, "/components/schemas/"))
		}
	})
	servicetest.Same(t, "deprecated", got, []string{"Usage.api_calls_limit", "Usage.api_calls_used"})
}

func TestInterface_4_5_DocumentListsEveryDeviceStatus(t *testing.T) {
	t.Parallel()
	var want []any
	for _, status := range device.Statuses() {
		want = append(want, string(status))
	}
	servicetest.Same(t, "device_status", propertyOf(t, servicetest.Published(t), "Device", "device_status")["enum"], any(want))
}

// The pattern of a number that cannot be negative has no sign.
func TestDocument_NoSignWhereNothingIsBelowZero(t *testing.T) {
	t.Parallel()
	document := servicetest.Published(t)
	for _, name := range []string{"item_net_price", "vat_rate", "stock"} {
		for _, component := range []string{"ItemData", "ItemChange"} {
			choices, _ := propertyOf(t, document, component, name)["anyOf"].([]any)
			if len(choices) == 0 {
				t.Fatalf("%s.%s has no alternatives", component, name)
			}
			text, _ := choices[0].(servicetest.Record)
			if pattern, _ := text["pattern"].(string); !strings.HasPrefix(pattern, "^[0-9]") {
				t.Errorf("%s.%s has pattern %q, want one without a sign", component, name, pattern)
			}
		}
	}
}

func TestDocument_PromisesNothingThatIsNotInIt(t *testing.T) {
	t.Parallel()
	document := servicetest.Published(t)
	info, _ := document["info"].(servicetest.Record)
	words, _ := info["description"].(string)
	if !strings.Contains(words, "Bearer svc_") {
		t.Errorf("description %q does not explain the credentials", words)
	}
	if _, creates := servicetest.Operations(document)["POST /api/invoices/"]; creates {
		return
	}
	for _, verb := range []string{"numbered", "chained", "signed", "submitted"} {
		if strings.Contains(words, verb) {
			t.Errorf("description %q says that invoices are %s, but no operation creates invoices", words, verb)
		}
	}
}

var mentioned = regexp.MustCompile("GET (/api/[a-z/-]+/)")

// Every operation that a text of the document refers to is in it, or in the
// public document that it links to.
func TestDocument_LinksToTheLookupsItRefersTo(t *testing.T) {
	t.Parallel()
	h := servicetest.Open(t, nil)
	document := servicetest.Published(t)
	info, _ := document["info"].(servicetest.Record)
	words, _ := info["description"].(string)
	const public = "/v1-3/api/public/openapi.json"
	for _, address := range []string{public, "/v1-3/api/public/docs"} {
		if !strings.Contains(words, "]("+address+")") {
			t.Errorf("the description does not link to %s", address)
		}
	}
	own, others := servicetest.Paths(document), servicetest.Paths(h.As("", http.MethodGet, public, "").JSON(t))
	lookups := 0
	for _, match := range mentioned.FindAllStringSubmatch(servicetest.AsJSON(t, document), -1) {
		if own[match[1]] != nil {
			continue
		}
		lookups++
		if others[match[1]] == nil {
			t.Errorf("the document refers to %s, which no document describes", match[1])
		}
	}
	if lookups == 0 {
		t.Error("the document refers to no lookup")
	}
}

// The document explains what is final, how a create is repeated, and the headers
// of every response.
func TestDocument_ExplainsStatusRepetitionAndHeaders(t *testing.T) {
	t.Parallel()
	document := servicetest.Published(t)
	info, _ := document["info"].(servicetest.Record)
	words, _ := info["description"].(string)
	for _, about := range []string{"are final", "by itself", "never expires", "five minutes", "are positive", "`prepaid_amount`", "reduce it", "in the currency of the document", "23 hours"} {
		if !strings.Contains(words, about) {
			t.Errorf("the description does not contain %q", about)
		}
	}
	for name, operation := range servicetest.Operations(document) {
		whole, _ := servicetest.Resolved(document, operation, 0).(servicetest.Record)
		responses, _ := whole["responses"].(servicetest.Record)
		for status, value := range responses {
			response, _ := value.(servicetest.Record)
			headers, _ := response["headers"].(servicetest.Record)
			if headers["X-Khatm-Environment"] == nil {
				t.Errorf("response %s of %s has no X-Khatm-Environment", status, name)
			}
			if (status[0] == '2' || status == "400") && whole["requestBody"] != nil && headers["X-Khatm-Ignored"] == nil {
				t.Errorf("response %s of %s has no X-Khatm-Ignored", status, name)
			}
		}
	}
}
