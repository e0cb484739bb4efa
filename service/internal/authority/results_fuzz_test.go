package authority

import (
	"os"
	"path/filepath"
	"testing"

	"khatm/service/internal/ledger"
)

// No body causes a panic, a rejection without a reason, or an acceptance with
// an error.
func FuzzReadResults(f *testing.F) {
	for _, pattern := range []string{"testdata/bodies/*", "testdata/certificates/*"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r, form := readResults(body)
		for _, to := range anywhere {
			for _, status := range []int{200, 208, 303, 400, 409, 428, 500} {
				outcome := classify(to, status, form)
				switch {
				case outcome == ledger.Rejected && (len(r.errors) == 0 || r.word.Accepted()):
					t.Errorf("rejected without an error message: %s", body)
				case outcome == ledger.Accepted && (len(r.errors) > 0 || r.word == ledger.NotCleared || r.word == ledger.NotReported):
					t.Errorf("accepted despite errors or a refusing status: %s", body)
				}
			}
			_, _ = readCSID(answer{status: 200, body: body}, call{method: "PATCH"})
		}
	})
}
