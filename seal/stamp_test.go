package seal

import "testing"

// published are the values of a document that the authority's own software signed.
// The digest without white space was computed from them by hand.
var published = signedProperties{
	signingTime:       "2023-01-24T11:16:44Z",
	certificateDigest: "YTJkM2JhYTcwZTBhZTAxOGYwODMyNzY3NTdkZDM3YzhjY2IxOTIyZDZhM2RlZGJiMGY0NDUzZWJhYWI4MDhmYg==",
	issuerName:        "CN=TSZEINVOICE-SubCA-1, DC=extgazt, DC=gov, DC=local",
	serialNumber:      "2475382886904809774818644480820936050208702411",
}

func TestSignedPropertiesDigest(t *testing.T) {
	const want = "NzJhZmRmZWI3MzEyNmM1NWQ3YTA2YzhlNzUwYjAwZTdmZTBjMWE4ZWM2MjA1ZmYxN2NlODUyNjkyNzMyZGFjZQ=="
	if got := published.digest(); got != want {
		t.Errorf("digest = %s, want %s", got, want)
	}
}
